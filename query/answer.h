// SPDX-License-Identifier: Apache-2.0
// Holds what a shot answers in addition to its hits and level spans: the same alone, in a batch and
// for an observer.
#pragma once

#include <cstddef>
#include <optional>

#include "../core/check.h"
#include "../core/segment.h"
#include "query_stats.h"
#include "terminal_rules.h"

namespace fractalray {

struct Answer {
  // The versions when the shot began, or, for a shot of a batch, when it was committed: its effects
  // may have changed both since.
  SceneVersion version{};
  // The segment that was shot, in units; for a ray, the segment to which it was converted.
  FixedSegment segment{};
  // True if the last hit was terminal.
  bool terminated = false;
  // True if max_hits kept the result from reporting more.
  bool truncated = false;
  // If the shot has rules, the rest of each of their budgets; 0 for a budget that has ended the
  // shot.
  std::optional<Budgets> budgets{};
  // If a budget has ended the shot, the t at which it was used up, at or inside the last hit.
  std::optional<double> stopped_at{};
  // The first t, before the end of the shot, at which the line enters (or starts in) space where no
  // level of the mask has a loaded chunk; only if requested. With QueryOptions::after, the first
  // such t not earlier than that hit.
  std::optional<double> unknown_from{};
  QueryStats stats{};

  // Returns what is left of a budget. Requires: the shot had rules with that budget.
  double left(BudgetId budget) const {
    const auto number = static_cast<std::size_t>(budget);
    FRACTALRAY_CHECK(budgets.has_value() && number < kMaxBudgets, number);
    return (*budgets)[number];
  }
};

}  // namespace fractalray
