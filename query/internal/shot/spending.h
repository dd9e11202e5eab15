// SPDX-License-Identifier: Apache-2.0
// Charges of shots by terminal rules: the rule of a hit, and the rest of the budgets.
#pragma once

#include <algorithm>
#include <cstddef>

#include "absl/status/status.h"

#include "../../hit.h"
#include "../../query_options.h"
#include "../../shot_result.h"
#include "../search/query_context.h"

namespace fractalray::internal {

// Return INVALID_ARGUMENT for budgets that are not valid amounts of the options' rules: those of
// the options, those of a query of a batch (null for none), and those left in a shot to be resumed.
absl::Status checkBudgets(const QueryOptions& options);
absl::Status checkBudgets(const QueryOptions& options, const Budgets* budgets);
absl::Status checkBudgets(const QueryOptions& options, const ShotResult& shot);

// Returns the rule that applies to a hit. Requires, from here on: there are rules.
const TerminalRule& ruleOf(const QueryContext& context, const Hit& hit);
// Returns the rule by which a hit is charged; null if the hit is free, as is a block that is only
// touched unless its rule has touch_costs. Exact: times are compared as fractions.
const TerminalRule* costOf(const QueryContext& context, const Hit& hit);

// Returns the budgets with which a shot starts.
Spending startOf(const QueryContext& context);

// Convert the spending of a shot from the form in its result, and back: all of it, or one budget
// that has changed. If a result made by hand has more left than it started with, the slack is that
// of the amount left. Require, for the first and the last: the result has budgets.
Spending spendingOf(const ShotResult& result);
void putSpending(const Spending& spending, ShotResult& result);
inline void putSpending(const Spending& spending, std::size_t budget, ShotResult& result) {
  const double left = spending.left[budget];
  (*result.budgets)[budget] = std::max(left, 0.0);
  result.overdrawn[budget] = std::max(-left, 0.0);
}

}  // namespace fractalray::internal
