// SPDX-License-Identifier: Apache-2.0
// Copies members of structs of C to the members of the same names in structs of the library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "absl/status/status.h"

#include "../../../query/fields.h"
#include "arguments.h"
#include "c_fields.h"

namespace fractalray::capi {

// Convert a member: a flag, a limit or set of bits, a number (of these 0 stands for the default), a
// channel and a budget. Enumerations have their own, which return an error.
inline void copyMember(std::uint8_t from, bool& to) {
  to = from != 0;
}
template <class Number>
void copyMember(std::uint64_t from, Number& to) {
  setLimit(from, to);
}
inline void copyMember(double from, double& to) {
  if (from != 0) to = from;
}
inline void copyMember(frChannel from, ChannelId& to) {
  to = static_cast<ChannelId>(from);
}
inline void copyMember(std::uint8_t from, BudgetId& to) {
  to = static_cast<BudgetId>(from);
}
absl::Status copyMember(std::int32_t from, CornerPolicy& to);
absl::Status copyMember(std::int32_t from, TerminalRule::Kind& to);
absl::Status copyMember(std::int32_t from, UnloadedSpace& to);

// Returns the name that the library has for a flag of C: a flag that is on by default is called
// no_... in C, where zero is the default.
constexpr std::string_view withoutNo(std::string_view name) {
  return name.starts_with("no_") ? name.substr(3) : std::string_view();
}

// Says whether a list has a name.
template <class Names>
constexpr bool isAmong(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Says whether a struct of C has a member for that of the library, or its opposite.
template <class From>
constexpr bool isInC(std::string_view name) {
  return std::any_of(
      Fields<From>::kNames.begin(), Fields<From>::kNames.end(),
      [&](const FieldName& from) { return from.name == name || withoutNo(from.name) == name; });
}

// Copies the member of that number to the one of its name, unless it is converted by hand. An error
// goes to `status` unless one is there already.
template <class Lists, std::size_t kFrom, class From, class To>
void copyField(const From& from, To& to, absl::Status& status) {
  constexpr std::string_view kName = Fields<From>::kNames[kFrom].name;
  const auto& given = std::get<kFrom>(Fields<From>::tie(from));
  if constexpr (isAmong(Lists::kByHand, kName)) {
    return;
  } else if constexpr (hasField<To>(kName)) {
    auto& member = std::get<fieldIndex<To>(kName)>(Fields<To>::tie(to));
    if constexpr (std::is_void_v<decltype(copyMember(given, member))>) {
      copyMember(given, member);
    } else {
      if (status.ok()) status = copyMember(given, member);
    }
  } else {
    static_assert(hasField<To>(withoutNo(kName)),
                  "a member of C is neither one of the library nor converted by hand");
    std::get<fieldIndex<To>(withoutNo(kName))>(Fields<To>::tie(to)) = given == 0;
  }
}

// Copies all members that are converted by their names. Lists has the names of those that are not:
// kByHand of C, and kNotInC of the library. A member that neither is in both structs nor is
// listed does not compile.
template <class Lists, class From, class To>
absl::Status copyPlain(const From& from, To& to) {
  static_assert(std::all_of(Fields<To>::kNames.begin(), Fields<To>::kNames.end(),
                            [](const FieldName& name) {
                              return isInC<From>(name) || isAmong(Lists::kNotInC, name);
                            }),
                "a member of the library is missing in the C header");
  absl::Status status;
  forEachFieldIndex<From>([&](auto index) { copyField<Lists, index>(from, to, status); });
  return status;
}

}  // namespace fractalray::capi
