// SPDX-License-Identifier: Apache-2.0
#include "outcomes.h"

#include <array>
#include <cstddef>

namespace fractalray {

std::string_view outcomeName(CellOutcome outcome) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "not loaded", "placeholder", "empty", "defers", "left out", "start inside",
      "refused",    "missed",      "hit",   "ends",   "stops"};
  return kNames[static_cast<std::size_t>(outcome)];
}

std::string_view outcomeName(EntityOutcome outcome) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "hit",     "missed",       "after the clip", "other level", "other category",
      "ignored", "start inside", "refused"};
  return kNames[static_cast<std::size_t>(outcome)];
}

std::string_view outcomeName(StepOutcome outcome) {
  static constexpr std::array<std::string_view, 5> kNames = {
      "hit", "after the clip", "after the unknown", "after the stop", "beyond max_hits"};
  return kNames[static_cast<std::size_t>(outcome)];
}

}  // namespace fractalray
