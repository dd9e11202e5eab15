// SPDX-License-Identifier: Apache-2.0
// Reads and writes members of JSON objects by their types, for structs with a list of fields
// (core/fields.h). A member that is absent keeps its default; one that has its default is not
// written.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../query/fields.h"
#include "../json.h"

namespace fractalray::internal {

inline void readJson(const JsonReader& value, bool& member) {
  member = value.boolean();
}
// Templates, here and below, since std::size_t is a type of its own on some targets.
template <class Number>
requires std::is_unsigned_v<Number>
void readJson(const JsonReader& value, Number& member) {
  if constexpr (sizeof(Number) == sizeof(std::uint64_t)) {
    member = value.unsignedInteger();
  } else {
    member = static_cast<Number>(value.integer(0, std::numeric_limits<Number>::max()));
  }
}
inline void readJson(const JsonReader& value, double& member) {
  member = value.number();
}
inline void readJson(const JsonReader& value, std::string& member) {
  member = value.text();
}
template <HasWords Enum>
void readJson(const JsonReader& value, Enum& member) {
  member = value.choice(EnumWords<Enum>::kWords);
}
inline void readJson(const JsonReader& value, std::vector<std::uint64_t>& member) {
  member.clear();
  value.forEachElement([&](const JsonReader& each) { member.push_back(each.unsignedInteger()); });
}

inline void appendJson(std::string& out, bool member) {
  out += member ? "true" : "false";
}
template <class Number>
requires std::is_unsigned_v<Number>
void appendJson(std::string& out, Number member) {
  absl::StrAppend(&out, member);
}
inline void appendJson(std::string& out, double member) {
  appendJsonNumber(out, member);
}
inline void appendJson(std::string& out, const std::string& member) {
  appendJsonString(out, member);
}
template <HasWords Enum>
void appendJson(std::string& out, Enum member) {
  appendJsonString(out, wordOf(member));
}
inline void appendJson(std::string& out, const std::vector<std::uint64_t>& member) {
  const char* separator = "";
  out += '[';
  for (const std::uint64_t each : member) {
    absl::StrAppend(&out, separator, each);
    separator = ", ";
  }
  out += ']';
}

// Reads a member of an object if it is there.
template <class Member>
void readMember(const JsonReader& object, std::string_view name, Member& member) {
  if (const std::optional<JsonReader> value = object.find(name)) readJson(*value, member);
}
// Appends `, "name": value` to the members of an object; given the usual value, not if it is that.
template <class Member>
void appendMember(std::string& out, std::string_view name, const Member& member) {
  absl::StrAppend(&out, ", \"", std::string(name), "\": ");
  appendJson(out, member);
}
template <class Member>
void appendMember(std::string& out, std::string_view name, const Member& member,
                  const Member& usual) {
  if (member != usual) appendMember(out, name, member);
}

}  // namespace fractalray::internal
