// SPDX-License-Identifier: Apache-2.0
// What shots pay by terminal rules: which rule a hit costs by, and what is left of the budgets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "absl/status/status.h"

#include "../hit.h"
#include "../shot.h"
#include "query_context.h"

namespace fractalray::internal {

// INVALID_ARGUMENT where options.budgets are not amounts that its rules can have; the same for what
// a shot that is to be resumed has left.
absl::Status checkBudgets(const ShotOptions& options);
absl::Status checkBudgets(const ShotOptions& options, const ShotResult& shot);

// The rule by which a hit costs; null where it costs nothing, as does a block that is only touched
// unless its rule says otherwise. Exact: times are compared as fractions. Requires, from here on:
// there are rules.
const TerminalRule* costOf(const Scene& scene, const BlockHit& hit);
const TerminalRule* costOf(const Scene& scene, const EntityHit& hit);

// What a shot of these options starts with.
Spending startOf(const ShotOptions& options);

// What a shot has spent, as its result carries it, and back: all of it, or what has changed of one
// budget. A result made by hand, with more left than it started with, has the slack of what is
// left. Requires, for the first and the last: the result has budgets.
Spending spendingOf(const ShotResult& result);
void putSpending(const Spending& spending, ShotResult& result);
inline void putSpending(const Spending& spending, std::size_t budget, ShotResult& result) {
  const double left = spending.left[budget];
  (*result.budgets)[budget] = std::max(left, 0.0);
  result.overdrawn[budget] = std::max(-left, 0.0);
}

// Sets what is left after these hits, none of which has ended the shot by its cost.
void spendOn(const Scene& scene, std::span<const Hit> hits, ShotResult& result);

}  // namespace fractalray::internal
