// SPDX-License-Identifier: Apache-2.0
#include "spending.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "../../../core/check.h"
#include "hit_times.h"

namespace fractalray::internal {
namespace {

// Returns the part of the line that is inside a hit. Both times are rounded, so the later one may
// seem to be the earlier.
double inside(const HitGeometry& hit) {
  return std::max(0.0, hit.t_exit - hit.t);
}

}  // namespace

const TerminalRule& ruleOf(const QueryContext& context, const Hit& hit) {
  FRACTALRAY_DCHECK(context.options.rules != nullptr);
  const TerminalRules& rules = *context.options.rules;
  return hit.isBlock() ? rules.ofBlock(hit.type, hit.level)
                       : rules.ofEntity(hit.categories, hit.level);
}

const TerminalRule* costOf(const QueryContext& context, const Hit& hit) {
  const TerminalRule& rule = ruleOf(context, hit);
  if (rule.kind != TerminalRule::Kind::kCost) return nullptr;
  return hit.isEntity() || rule.touch_costs || !isTouched(context, hit) ? &rule : nullptr;
}

Spending startOf(const QueryContext& context) {
  const TerminalRules* const rules = context.options.rules;
  FRACTALRAY_DCHECK(rules != nullptr);
  Budgets start = context.budgets != nullptr ? *context.budgets : rules->amounts();
  std::fill(start.begin() + static_cast<std::ptrdiff_t>(rules->budgets()), start.end(), 0);
  return {.start = start, .left = start};
}

double amountOf(const TerminalRule& rule, const HitGeometry& hit, double length) {
  return rule.per_hit + rule.per_block * (inside(hit) * length);
}

std::optional<double> spend(const TerminalRule& rule, const HitGeometry& hit, double length,
                            Spending& spending) {
  FRACTALRAY_DCHECK(rule.kind == TerminalRule::Kind::kCost, rule.kind);
  FRACTALRAY_DCHECK(length >= 0, length);
  const auto number = static_cast<std::size_t>(rule.budget);
  FRACTALRAY_DCHECK(number < kMaxBudgets, number);
  double& left = spending.left[number];
  if (std::isinf(left)) return std::nullopt;
  const double cost = amountOf(rule, hit, length);
  const double slack = spending.start[number] * 0x1p-30;
  // An infinite cost is never covered, though left + slack may be infinite, too.
  if (std::isfinite(cost) && cost <= left + slack) {
    left = std::max(left - cost, -slack);
    return std::nullopt;
  }
  // The rest after paying for the entry lasts for a part of the way.
  const double for_the_way = std::max(0.0, left - rule.per_hit);
  left = -slack;
  const double way = cost - rule.per_hit;
  if (for_the_way == 0 || way <= 0) return hit.t;
  return std::min(hit.t_exit, hit.t + inside(hit) * (for_the_way / way));
}

Spending spendingOf(const ShotResult& result) {
  FRACTALRAY_DCHECK(result.budgets.has_value());
  Spending spending{.start = result.budgets_at_start, .left = *result.budgets};
  for (std::size_t i = 0; i < kMaxBudgets; ++i) {
    const double left = spending.left[i];
    if (!(spending.start[i] >= left) || std::isinf(spending.start[i])) spending.start[i] = left;
    if (!std::isinf(left)) spending.left[i] -= result.overdrawn[i];
  }
  return spending;
}

void putSpending(const Spending& spending, ShotResult& result) {
  result.budgets.emplace();
  result.budgets_at_start = spending.start;
  for (std::size_t i = 0; i < kMaxBudgets; ++i)
    putSpending(spending, i, result);
}

absl::Status checkBudgets(const QueryOptions& options, const Budgets* budgets) {
  if (options.rules == nullptr || budgets == nullptr) return absl::OkStatus();
  return options.rules->check(*budgets);
}

absl::Status checkBudgets(const QueryOptions& options) {
  return checkBudgets(options, options.budgets);
}

absl::Status checkBudgets(const QueryOptions& options, const ShotResult& shot) {
  absl::Status status = checkBudgets(options);
  if (!status.ok() || options.rules == nullptr || !shot.budgets.has_value()) return status;
  return options.rules->check(*shot.budgets);
}

}  // namespace fractalray::internal
