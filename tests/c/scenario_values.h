// SPDX-License-Identifier: Apache-2.0
// Reads the parts of a scenario for the C interface.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../bindings/c/fractalray_c.h"
#include "../../formats/json_document.h"
#include "sized.h"

namespace fractalray::testing {

inline void require(frResult result) {
  EXPECT_EQ(result, FR_OK) << frGetLastError();
}

inline std::int32_t kindFrom(const std::string& name) {
  if (name == "solid") return FR_SOLID;
  return name == "permeable" ? FR_PERMEABLE : FR_EMPTY;
}

// Returns the kind of a look: a word, or an object with boxes.
inline std::int32_t kindOf(const Json& look) {
  return kindFrom(look.is_object() ? look["kind"].get<std::string>() : look.get<std::string>());
}

inline std::int32_t responseFrom(const std::string& name) {
  if (name == "stop") return FR_STOP;
  return name == "again" ? FR_AGAIN : FR_CONTINUE;
}

inline std::int32_t cornerFrom(const Json& query) {
  const std::string name = query.value("corner", "both");
  if (name == "both") return FR_CORNER_BOTH;
  return name == "neither" ? FR_CORNER_NEITHER : FR_CORNER_STAIRCASE;
}

template <class T>
std::vector<T> numbers(const Json& array) {
  std::vector<T> values;
  for (const Json& each : array)
    values.push_back(each.get<T>());
  return values;
}

inline frLevelMask levelsFrom(const Json& levels) {
  frLevelMask mask = 0;
  for (const std::int64_t level : numbers<std::int64_t>(levels))
    mask |= level < FR_MAX_LEVELS ? 1U << level : 0U;
  return mask;
}

// Reads the flags and limits of options by their names.
struct PlainOptionReader {
  const Json& query;

  void operator()(std::string_view name, std::uint8_t& flag) const {
    const bool is_opposite = name.starts_with("no_");
    const std::string member(name == "report_unknown" ? "unknown"
                             : is_opposite            ? name.substr(3)
                                                      : name);
    if (query.contains(member) && query[member] != Json(is_opposite)) flag = 1;
  }
  void operator()(std::string_view name, std::uint64_t& limit) const {
    if (query.contains(name)) limit = query[std::string(name)].get<std::uint64_t>();
  }
  template <class Member>
  void operator()(std::string_view /*name*/, Member& /*member*/) const {}
};

}  // namespace fractalray::testing
