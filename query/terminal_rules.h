// SPDX-License-Identifier: Apache-2.0
// Terminal rules as data: where a shot stops, where it goes on, and what goes on costs, by block
// type and entity category, with no callback at all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fractalray/levels/block_type.h"

namespace fractalray {

struct HitGeometry;

// How many budgets a table of rules may have.
inline constexpr std::size_t kMaxBudgets = 8;
// The number of a budget in its table.
enum class BudgetId : std::uint8_t {};
// What is left of each budget, by its number.
using Budgets = std::array<double, kMaxBudgets>;

// What a hit does to the shot.
struct TerminalRule {
  enum class Kind : std::uint8_t {
    kContinue,  // nothing
    kStop,      // it is terminal
    kCost,      // it is terminal where it costs more than is left of the budget
  };
  Kind kind = Kind::kContinue;
  BudgetId budget{};
  double per_hit = 0;    // the cost of a hit, and
  double per_block = 0;  // of each finest-block width travelled inside, from t to t_exit

  static constexpr TerminalRule goOn() { return {}; }
  static constexpr TerminalRule stop() { return {.kind = Kind::kStop}; }
  static constexpr TerminalRule costPerHit(BudgetId budget, double cost) {
    return {.kind = Kind::kCost, .budget = budget, .per_hit = cost};
  }
  static constexpr TerminalRule costPerBlock(BudgetId budget, double cost) {
    return {.kind = Kind::kCost, .budget = budget, .per_block = cost};
  }
};

// The rules of a kind of shot: "pierce two panes and three blocks of water, then stop".
//
//   TerminalRules rules;
//   const BudgetId panes = *rules.addBudget(2);
//   const BudgetId water = *rules.addBudget(3);
//   rules.setBlock(pane, TerminalRule::costPerHit(panes, 1));
//   rules.setBlock(sea, TerminalRule::costPerBlock(water, 1));
//
// What has no rule goes on. A solid block is terminal whatever its rule; rules are for permeable
// blocks and for entities. Of an entity the first rule counts, in the order in which they were set,
// whose categories share a bit with its own. A value type; const use is safe from any thread.
class TerminalRules {
 public:
  // Adds a budget of that much for each shot. INVALID_ARGUMENT for an amount that is negative or
  // not finite, RESOURCE_EXHAUSTED past kMaxBudgets.
  absl::StatusOr<BudgetId> addBudget(double amount);

  // Sets the rule of a block type, in place of what was there. INVALID_ARGUMENT, and no change, for
  // a cost that is negative or not finite and for a budget that has not been added.
  absl::Status setBlock(BlockTypeId type, const TerminalRule& rule);
  // Sets the rule of entities that share a bit with `categories`, behind those set before; in place
  // of the one for exactly these categories. Errors as above, and INVALID_ARGUMENT for no category.
  absl::Status setEntities(std::uint64_t categories, const TerminalRule& rule);

  std::size_t budgets() const { return budgets_; }
  // What each shot begins with; 0 for budgets that have not been added.
  const Budgets& amounts() const { return amounts_; }
  const TerminalRule& ofBlock(BlockTypeId type) const {
    const std::size_t index = BlockTypeTable::index(type);
    return index < blocks_.size() ? blocks_[index] : kGoOn;
  }
  const TerminalRule& ofEntity(std::uint64_t categories) const {
    for (const auto& [of, rule] : entities_) {
      if ((of & categories) != 0) return rule;
    }
    return kGoOn;
  }

  // INVALID_ARGUMENT for amounts left that are negative or not a number.
  absl::Status check(const Budgets& left) const;

  // Takes what a hit costs from what is left. Nothing where that is enough. Where it is not the hit
  // is terminal: then the t, from hit.t to hit.t_exit, at which the budget is used up, and 0 is
  // left of it. It is enough up to 2^-30 of the budget's amount, so that three times 0.1 can be
  // paid out of 0.3. Requires: the rule is one of this table that costs; `length` is the segment's,
  // in finest-block widths.
  std::optional<double> spend(const TerminalRule& rule, const HitGeometry& hit, double length,
                              Budgets& left) const;

 private:
  static constexpr TerminalRule kGoOn{};

  absl::Status check(const TerminalRule& rule) const;

  std::size_t budgets_ = 0;
  Budgets amounts_{};
  std::vector<TerminalRule> blocks_;  // by type, as far as any has been set
  std::vector<std::pair<std::uint64_t, TerminalRule>> entities_;
};

}  // namespace fractalray
