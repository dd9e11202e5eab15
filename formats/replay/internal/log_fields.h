// SPDX-License-Identifier: Apache-2.0
// Writes and reads the plain members of a struct (query/fields.h) that differ from their defaults,
// each by its name.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/strings/str_cat.h"

#include "../../../core/printable.h"
#include "../../../query/fields.h"
#include "../../internal/byte_reader.h"
#include "../../internal/little_endian.h"

namespace fractalray::internal {

// Says whether a log has members of this type: those that are plain, and budgets, by their numbers.
template <class Member>
constexpr bool isLogged() {
  return isPlain<Member>() || std::is_same_v<Member, BudgetId>;
}

// Append a value. A flag has no bytes: it differs from its default, or it is not there.
inline void appendValue(std::string& /*bytes*/, bool /*value*/) {}
template <class Number>
requires std::is_integral_v<Number>
void appendValue(std::string& bytes, Number value) {
  appendLittle(bytes, std::uint64_t{value});
}
inline void appendValue(std::string& bytes, double value) {
  appendLittle(bytes, value);
}
template <class Enum>
requires std::is_enum_v<Enum>
void appendValue(std::string& bytes, Enum value) {
  appendLittle(bytes, static_cast<std::uint8_t>(value));
}

// Read a value, and return false for one that no member of this type has.
inline bool readValue(ByteReader& /*bytes*/, bool& member) {
  member = !member;
  return true;
}
template <class Number>
requires std::is_integral_v<Number>
bool readValue(ByteReader& bytes, Number& member) {
  const auto value = bytes.little<std::uint64_t>();
  member = static_cast<Number>(value);
  return member == value;
}
inline bool readValue(ByteReader& bytes, double& member) {
  member = std::bit_cast<double>(bytes.little<std::uint64_t>());
  return true;
}
template <class Enum>
requires std::is_enum_v<Enum>
bool readValue(ByteReader& bytes, Enum& member) {
  member = static_cast<Enum>(bytes.u8());
  if constexpr (HasWords<Enum>) return !wordOf(member).empty();
  return true;
}

// Appends the number of members that differ, and for each its name and its value.
template <class T>
void appendFields(std::string& bytes, const T& object) {
  static const T kUsual;
  const std::size_t count_at = bytes.size();
  std::uint8_t count = 0;
  appendLittle(bytes, count);
  forEachField(
      [&]<class Member>(std::string_view name, const Member& member, const Member& usual) {
        if constexpr (isLogged<Member>()) {
          if (member == usual) return;
          ++count;
          appendLittle(bytes, static_cast<std::uint8_t>(name.size()));
          bytes += name;
          appendValue(bytes, member);
        }
      },
      object, kUsual);
  putLittle(bytes, count_at, count);
}

// Reads the value of the member of that name, which is `what`. An error goes to `error`.
template <class T>
void readField(ByteReader& bytes, std::string_view what, std::string_view wanted, T& object,
               std::string& error) {
  bool is_known = false;
  bool has_value = true;
  forEachField(
      [&]<class Member>(std::string_view name, Member& member) {
        if constexpr (isLogged<Member>()) {
          if (name != wanted) return;
          is_known = true;
          has_value = readValue(bytes, member);
        }
      },
      object);
  if (is_known && has_value) return;
  error = absl::StrCat(
      "it has the ", std::string(what), " ", quotedText(wanted),
      is_known ? " with a value that it cannot have" : ", which this program does not know");
}

// Reads what appendFields wrote into an object with defaults, whose members are `what`. An error
// goes to `error` unless one is there already; the reader reports if the bytes end too early.
template <class T>
void readFields(ByteReader& bytes, std::string_view what, T& object, std::string& error) {
  for (int count = bytes.u8(); count > 0 && bytes.ok() && error.empty(); --count) {
    const std::string_view name = bytes.text(bytes.u8());
    if (bytes.ok()) readField(bytes, what, name, object, error);
  }
}

}  // namespace fractalray::internal
