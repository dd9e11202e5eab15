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

// The name of a member, and what an option of that name does on the command line.
struct FieldName {
  std::string_view name;
  std::string_view help{};

  // NOLINTNEXTLINE(google-explicit-constructor): most visitors need the name alone
  constexpr operator std::string_view() const { return name; }
};

// The list of a struct's members. Specialisations have their names and a function that returns
// references to them, both in the same order:
//
//   template <>
//   struct Fields<Size> {
//     static constexpr auto kNames = std::to_array<FieldName>({{"width"}, {"height"}});
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

// The words for the values of an enumeration. Specialisations have them in the order in which texts
// list them:
//
//   static constexpr auto kWords = std::to_array<EnumWord<Color>>({{"red", Color::kRed}, ...});
template <class Enum>
struct EnumWords;
template <class Enum>
using EnumWord = std::pair<std::string_view, Enum>;
template <class T>
concept HasWords = requires {
  EnumWords<T>::kWords;
};

// Returns the word for a value; "" for a number that is no value.
template <HasWords Enum>
constexpr std::string_view wordOf(Enum value) {
  for (const auto& [word, meaning] : EnumWords<Enum>::kWords) {
    if (meaning == value) return word;
  }
  return {};
}

// Returns the number of the member of that name; that of all members if there is none.
template <class T>
constexpr std::size_t fieldIndex(std::string_view name) {
  std::size_t index = 0;
  while (index < Fields<T>::kNames.size() && Fields<T>::kNames[index].name != name)
    ++index;
  return index;
}
template <class T>
constexpr bool hasField(std::string_view name) {
  return fieldIndex<T>(name) < Fields<T>::kNames.size();
}

// Calls visit(index) with a std::integral_constant for each member of T.
template <class T, class Visit>
constexpr void forEachFieldIndex(const Visit& visit) {
  [&visit]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    (visit(std::integral_constant<std::size_t, kIndex>()), ...);
  }
  (std::make_index_sequence<Fields<T>::kNames.size()>());
}

// Calls visit(name, member) for each member of a struct, in the order of its list; given more
// objects of the type, visit(name, member of the first, member of the second ...). Cost: none but
// that of the calls.
template <class Visit, class T, class... Others>
constexpr void forEachField(const Visit& visit, T& object, Others&... others) {
  using List = Fields<std::remove_const_t<T>>;
  static_assert(List::kNames.size() == std::tuple_size_v<decltype(List::tie(object))>,
                "each member needs a name");
  forEachFieldIndex<std::remove_const_t<T>>([&](auto index) {
    visit(List::kNames[index], std::get<index>(List::tie(object)),
          std::get<index>(List::tie(others))...);
  });
}

}  // namespace fractalray
