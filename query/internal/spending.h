// SPDX-License-Identifier: Apache-2.0
// What shots are charged by terminal rules: the rule of a hit, and what is left of the budgets.
#pragma once

#include <algorithm>
#include <cstddef>

#include "absl/status/status.h"

#include "../hit.h"
#include "../shot_options.h"
#include "../shot_result.h"
#include "query_context.h"

namespace fractalray::internal {

// INVALID_ARGUMENT where options.budgets are not amounts that its rules can have; the same for what
// a shot that is to be resumed has left.
absl::Status checkBudgets(const ShotOptions& options);
absl::Status checkBudgets(const ShotOptions& options, const ShotResult& shot);

// Returns the rule that applies to a hit. Requires, from here on: there are rules.
const TerminalRule& ruleOf(const QueryContext& context, const Hit& hit);
// Returns the rule by which a hit is charged; null if it is not, as is a block that is only touched
// unless its rule has touch_costs. Exact: times are compared as fractions.
const TerminalRule* costOf(const QueryContext& context, const Hit& hit);

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

}  // namespace fractalray::internal
