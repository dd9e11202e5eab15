// SPDX-License-Identifier: Apache-2.0
// Reads and writes members of JSON objects by their types, for structs with a list of fields
// (core/fields.h). A member that is absent keeps its default; one that has its default is not
// written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../json.h"
#include "../query_json.h"

namespace fractalray::internal {

inline void readJson(const JsonReader& value, bool& member) {
  member = value.boolean();
}
inline void readJson(const JsonReader& value, std::uint64_t& member) {
  member = value.unsignedInteger();
}
inline void readJson(const JsonReader& value, std::string& member) {
  member = value.text();
}
inline void readJson(const JsonReader& value, CornerPolicy& member) {
  member = readCornerPolicy(value);
}
inline void readJson(const JsonReader& value, std::vector<std::uint64_t>& member) {
  value.forEachElement([&](const JsonReader& each) { member.push_back(each.unsignedInteger()); });
}
template <class T>
void readJson(const JsonReader& value, std::optional<T>& member) {
  readJson(value, member.emplace());
}

inline void appendJson(std::string& out, bool member) {
  out += member ? "true" : "false";
}
inline void appendJson(std::string& out, std::uint64_t member) {
  absl::StrAppend(&out, member);
}
inline void appendJson(std::string& out, const std::string& member) {
  appendJsonString(out, member);
}
inline void appendJson(std::string& out, CornerPolicy member) {
  appendJsonString(out, cornerPolicyName(member));
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
template <class T>
void appendJson(std::string& out, const std::optional<T>& member) {
  appendJson(out, member.value());
}

// Reads a member of an object if it is there.
template <class Member>
void readMember(const JsonReader& object, std::string_view name, Member& member) {
  if (const std::optional<JsonReader> value = object.find(name)) readJson(*value, member);
}
// Appends `, "name": value` to the members of an object, unless the value is the usual one.
template <class Member>
void appendMember(std::string& out, std::string_view name, const Member& member,
                  const Member& usual) {
  if (member == usual) return;
  absl::StrAppend(&out, ", \"", std::string(name), "\": ");
  appendJson(out, member);
}

}  // namespace fractalray::internal
