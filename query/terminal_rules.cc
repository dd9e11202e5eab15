// SPDX-License-Identifier: Apache-2.0
#include "terminal_rules.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../core/internal/number_text.h"

namespace fractalray {
namespace {

bool isAmount(double value) {
  return std::isfinite(value) && value >= 0;
}

}  // namespace

absl::StatusOr<BudgetId> TerminalRules::addBudget(double amount) {
  if (!isAmount(amount)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a budget of ", internal::numberText(amount),
                     "; it must be a finite number that is not negative"));
  }
  if (budgets_ == kMaxBudgets) {
    return absl::ResourceExhaustedError(absl::StrCat("terminal rules have at most ", kMaxBudgets,
                                                     " budgets; let some rules share one"));
  }
  amounts_[budgets_] = amount;
  return BudgetId(static_cast<std::uint8_t>(budgets_++));
}

absl::Status TerminalRules::check(const TerminalRule& rule, LevelMask levels) const {
  if (levels.empty()) {
    return absl::InvalidArgumentError("a terminal rule for no level; name at least one");
  }
  for (const double cost : {rule.per_hit, rule.per_block}) {
    if (isAmount(cost)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "a terminal rule with a cost of ", internal::numberText(cost),
        "; it must be a finite number that is not negative. TerminalRule::stopShot() ends a shot"));
  }
  if (rule.kind != TerminalRule::Kind::kCost || static_cast<std::size_t>(rule.budget) < budgets_) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("a terminal rule with budget ",
                                                 static_cast<int>(rule.budget), " of ", budgets_,
                                                 "; add it with addBudget first"));
}

absl::Status TerminalRules::setBlock(BlockTypeId type, const TerminalRule& rule, LevelMask levels) {
  absl::Status status = check(rule, levels);
  if (!status.ok()) return status;
  const std::size_t index = BlockTypeTable::index(type);
  if (index >= blocks_.size()) blocks_.resize(index + 1);
  LevelRules rules;
  rules.push_back({levels, rule});
  for (const LevelRule& old : blocks_[index]) {
    const LevelMask rest = old.levels.without(levels);
    if (!rest.empty()) rules.push_back({rest, old.rule});
  }
  blocks_[index] = std::move(rules);
  return absl::OkStatus();
}

absl::Status TerminalRules::setEntities(std::uint64_t categories, const TerminalRule& rule,
                                        LevelMask levels) {
  if (categories == 0) {
    return absl::InvalidArgumentError(
        "a terminal rule for entities of no category; give the bits of at least one");
  }
  absl::Status status = check(rule, levels);
  if (!status.ok()) return status;
  const EntityKey key(categories, levels.bits());
  if (const auto same = number_of_.find(key); same != number_of_.end()) {
    entities_[same->second].rule = rule;
    return absl::OkStatus();
  }
  // May throw, but changes nothing that counts.
  const std::size_t number = entities_.size();
  if (number == entities_.capacity()) entities_.reserve(2 * number + 1);
  if (first_of_.empty()) {
    FirstRules none;
    none.fill(kNoRule);
    first_of_.assign(kMaxLevels, none);
  }
  number_of_.emplace(key, number);
  entities_.push_back({categories, levels, rule});
  noteFirst(number);
  return absl::OkStatus();
}

void TerminalRules::noteFirst(std::size_t number) {
  const EntityRule& rule = entities_[number];
  for (int level = 0; level < kMaxLevels; ++level) {
    if (!rule.levels.contains(level)) continue;
    FirstRules& first_of = first_of_[static_cast<std::size_t>(level)];
    for (std::uint64_t left = rule.categories; left != 0; left &= left - 1) {
      std::size_t& first = first_of[static_cast<std::size_t>(std::countr_zero(left))];
      first = std::min(first, number);
    }
  }
}

void TerminalRules::forEachBlock(
    absl::FunctionRef<void(BlockTypeId type, LevelMask levels, const TerminalRule& rule)> visit)
    const {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    for (const LevelRule& each : blocks_[i])
      visit(static_cast<BlockTypeId>(i), each.levels, each.rule);
  }
}

absl::Status TerminalRules::check(const Budgets& amounts) const {
  for (std::size_t i = 0; i < budgets_; ++i) {
    if (amounts[i] >= 0) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "budget ", i, " has ", internal::numberText(amounts[i]), " left; it must not be negative"));
  }
  return absl::OkStatus();
}

}  // namespace fractalray
