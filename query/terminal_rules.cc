// SPDX-License-Identifier: Apache-2.0
#include "fractalray/query/terminal_rules.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "fractalray/core/hit.h"

namespace fractalray {
namespace {

bool isAmount(double value) {
  return std::isfinite(value) && value >= 0;
}

}  // namespace

absl::StatusOr<BudgetId> TerminalRules::addBudget(double amount) {
  if (!isAmount(amount)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a budget of ", amount, "; it must be a finite number that is not negative"));
  }
  if (budgets_ == kMaxBudgets) {
    return absl::ResourceExhaustedError(absl::StrCat("terminal rules have at most ", kMaxBudgets,
                                                     " budgets; let some rules share one"));
  }
  amounts_[budgets_] = amount;
  return BudgetId(static_cast<std::uint8_t>(budgets_++));
}

absl::Status TerminalRules::check(const TerminalRule& rule) const {
  if (rule.kind != TerminalRule::Kind::kCost) return absl::OkStatus();
  for (const double cost : {rule.per_hit, rule.per_block}) {
    if (isAmount(cost)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "a terminal rule with a cost of ", cost,
        "; it must be a finite number that is not negative. TerminalRule::stop() ends a shot"));
  }
  if (static_cast<std::size_t>(rule.budget) < budgets_) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("a terminal rule with budget ",
                                                 static_cast<int>(rule.budget), " of ", budgets_,
                                                 "; add it with addBudget first"));
}

absl::Status TerminalRules::setBlock(BlockTypeId type, const TerminalRule& rule) {
  absl::Status status = check(rule);
  if (!status.ok()) return status;
  const std::size_t index = BlockTypeTable::index(type);
  if (index >= blocks_.size()) blocks_.resize(index + 1);
  blocks_[index] = rule;
  return absl::OkStatus();
}

absl::Status TerminalRules::setEntities(std::uint64_t categories, const TerminalRule& rule) {
  if (categories == 0) {
    return absl::InvalidArgumentError(
        "a terminal rule for entities of no category; give the bits of at least one");
  }
  absl::Status status = check(rule);
  if (!status.ok()) return status;
  const auto same = std::find_if(entities_.begin(), entities_.end(),
                                 [&](const auto& entry) { return entry.first == categories; });
  if (same != entities_.end()) {
    same->second = rule;
  } else {
    entities_.emplace_back(categories, rule);
  }
  return absl::OkStatus();
}

absl::Status TerminalRules::check(const Budgets& left) const {
  for (std::size_t i = 0; i < budgets_; ++i) {
    if (left[i] >= 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("of budget ", i, " there is ", left[i], " left; it must not be negative"));
  }
  return absl::OkStatus();
}

std::optional<double> TerminalRules::spend(const TerminalRule& rule, const HitGeometry& hit,
                                           double length, Budgets& left) const {
  double& budget = left[static_cast<std::size_t>(rule.budget)];
  const double cost = rule.per_hit + rule.per_block * ((hit.t_exit - hit.t) * length);
  const double slack = amounts_[static_cast<std::size_t>(rule.budget)] * 0x1p-30;
  if (cost <= budget + slack) {
    budget = std::max(0.0, budget - cost);
    return std::nullopt;
  }
  // What is left behind the entry lasts for a part of the way.
  const double for_the_way = std::max(0.0, budget - rule.per_hit);
  budget = 0;
  const double way = cost - rule.per_hit;
  if (for_the_way == 0 || way <= 0) return hit.t;
  return std::min(hit.t_exit, hit.t + (hit.t_exit - hit.t) * (for_the_way / way));
}

}  // namespace fractalray
