// SPDX-License-Identifier: Apache-2.0
// Lists the members of plain structs, once for all that handles them one by one: files, logs, the
// command line, other languages, comparisons.
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace fractalray {

// The list of a struct's members. Specialisations have their names and a function that returns
// references to them, both in the same order:
//
//   template <>
//   struct Fields<Size> {
//     static constexpr std::array<std::string_view, 2> kNames = {"width", "height"};
//     static constexpr auto tie(auto& size) {
//       auto& [width, height] = size;
//       return std::tie(width, height);
//     }
//   };
//
// The structured binding has to name all members, so a new one that is not listed is an error of
// the compiler.
template <class T>
struct Fields;

// Calls visit(name, member) for each member of a struct, in the order of its list; given more
// objects of the type, visit(name, member of the first, member of the second ...). Cost: none but
// that of the calls.
template <class Visit, class T, class... Others>
constexpr void forEachField(const Visit& visit, T& object, Others&... others) {
  using List = Fields<std::remove_const_t<T>>;
  constexpr std::size_t kCount = std::tuple_size_v<decltype(List::tie(object))>;
  static_assert(List::kNames.size() == kCount, "each member needs a name");
  const auto visit_one = [&]<std::size_t kIndex>(std::integral_constant<std::size_t, kIndex>) {
    visit(List::kNames[kIndex], std::get<kIndex>(List::tie(object)),
          std::get<kIndex>(List::tie(others))...);
  };
  [&visit_one]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    (visit_one(std::integral_constant<std::size_t, kIndex>()), ...);
  }
  (std::make_index_sequence<kCount>());
}

}  // namespace fractalray
