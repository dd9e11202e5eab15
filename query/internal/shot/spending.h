// SPDX-License-Identifier: Apache-2.0
// Charges of shots by terminal rules: the rule of a hit, and the rest of the budgets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "absl/status/status.h"

#include "../../../core/hit_geometry.h"
#include "../../hit.h"
#include "../../query_options.h"
#include "../../shot_result.h"
#include "../../terminal_rules.h"
#include "../search/query_context.h"

namespace fractalray::internal {

// The budgets of one shot while it runs.
struct Spending {
  Budgets start{};  // the amounts with which the shot started
  // The amounts left. Below 0, by no more than the slack of spend(), if costs that use up the
  // budget exactly were rounded to a little more.
  Budgets left{};
};

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

// Returns what a hit costs by its rule. Requires what spend() does.
double amountOf(const TerminalRule& rule, const HitGeometry& hit, double length);

// Charges a hit to its budget, and returns nothing if the budget covers it. If not, the hit is
// terminal: returns the t, from hit.t to hit.t_exit, at which the budget is used up. The budget
// stays used up: any later hit that costs anything is terminal, too.
//
// A budget covers a hit if all costs so far, this one included, exceed the amount with which the
// shot started by no more than 2^-30 of that amount: so rounding (three times 0.1 out of 0.3, the
// lengths of blocks that add up to a whole number) decides nothing, and the slack is granted once,
// not for every hit.
//
// Requires: the rule is of kind kCost, without its per_hit if the hit continues a pane; `length` is
// that of the segment, in finest-block widths.
std::optional<double> spend(const TerminalRule& rule, const HitGeometry& hit, double length,
                            Spending& spending);

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
