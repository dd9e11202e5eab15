// SPDX-License-Identifier: Apache-2.0
// Terminal rules as data: which hits stop a shot, which let it continue, and what they cost, by
// block type, entity category and level, with no callback at all.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/level_mask.h"
#include "../levels/block_type.h"

namespace fractalray {

// The maximum number of budgets of a table of rules.
inline constexpr std::size_t kMaxBudgets = 8;
// The number of a budget in its table.
enum class BudgetId : std::uint8_t {};
// An amount of each budget, by its number.
using Budgets = std::array<double, kMaxBudgets>;

// The effect of a hit on the shot.
struct TerminalRule {
  enum class Kind : std::uint8_t {
    kContinue,  // none
    kStop,      // the hit is terminal
    kCost,      // the hit is terminal if it costs more than is left of the budget
  };
  Kind kind = Kind::kContinue;
  BudgetId budget{};
  // True if a block costs even if the segment only touches it: at a corner or an edge, or with one
  // of its ends. By default such a block costs nothing, not even per_hit. An entity that is touched
  // always costs.
  bool touch_costs = false;
  // True if per_hit is charged once for a pane: a run of blocks of one type and level, each of
  // which the line enters at exactly the time at which it leaves the one before. per_hit is charged
  // for the first block, per_block for each. Ignored for entities.
  bool per_pane = false;
  double per_hit = 0;    // the cost of a hit
  double per_block = 0;  // the cost of each finest-block width travelled inside, from t to t_exit

  static constexpr TerminalRule continueShot() { return {}; }
  static constexpr TerminalRule stopShot() { return {.kind = Kind::kStop}; }
  static constexpr TerminalRule costPerHit(BudgetId budget, double cost) {
    return {.kind = Kind::kCost, .budget = budget, .per_hit = cost};
  }
  static constexpr TerminalRule costPerPane(BudgetId budget, double cost) {
    return {.kind = Kind::kCost, .budget = budget, .per_pane = true, .per_hit = cost};
  }
  static constexpr TerminalRule costPerBlock(BudgetId budget, double cost) {
    return {.kind = Kind::kCost, .budget = budget, .per_block = cost};
  }

  friend bool operator==(const TerminalRule&, const TerminalRule&) = default;
};

// The rules of a kind of shot: "pierce two panes, then stop".
//
//   TerminalRules rules;
//   const BudgetId panes = *rules.addBudget(2);
//   rules.setBlock(pane, TerminalRule::costPerPane(panes, 1));
//   rules.setBlock(sea, TerminalRule::stopShot(), {0});  // on level 0
//
// A solid block is terminal whatever its rule; a hit without a rule lets the shot continue. A block
// has the rule of its type and level that was set last; an entity the first one that has its level
// and shares a category with it. Looking a rule up takes the same time however many
// there are, and setting one O(log n). A value type; const use is safe from any thread.
// docs/queries/rules.md.
class TerminalRules {
 public:
  // Adds a budget of that much for each shot. INVALID_ARGUMENT for an amount that is negative or
  // not finite, RESOURCE_EXHAUSTED past kMaxBudgets.
  absl::StatusOr<BudgetId> addBudget(double amount);

  // Sets the rule of a block type on these levels, replacing its rules there; its rules on other
  // levels stay. INVALID_ARGUMENT, and no change, for a cost that is negative or not finite,
  // for a budget that has not been added and for no level.
  absl::Status setBlock(BlockTypeId type, const TerminalRule& rule,
                        LevelMask levels = LevelMask::all());
  // Sets the rule of entities of these levels that share a bit with `categories`, after those set
  // before; replaces the rule for exactly these categories and levels, if any. Errors as above, and
  // INVALID_ARGUMENT for no category.
  absl::Status setEntities(std::uint64_t categories, const TerminalRule& rule,
                           LevelMask levels = LevelMask::all());

  std::size_t budgets() const { return budgets_; }
  // Returns the amounts with which each shot starts; 0 for budgets that have not been added.
  const Budgets& amounts() const { return amounts_; }
  const TerminalRule& ofBlock(BlockTypeId type, int level) const {
    const std::size_t index = BlockTypeTable::index(type);
    if (index >= blocks_.size()) return kContinueShot;
    for (const LevelRule& each : blocks_[index]) {
      if (each.levels.contains(level)) return each.rule;
    }
    return kContinueShot;
  }
  const TerminalRule& ofEntity(std::uint64_t categories, int level) const {
    if (first_of_.empty() || !LevelMask::all().contains(level)) return kContinueShot;
    const FirstRules& first_of = first_of_[static_cast<std::size_t>(level)];
    std::size_t first = kNoRule;
    for (; categories != 0; categories &= categories - 1) {
      first = std::min(first, first_of[static_cast<std::size_t>(std::countr_zero(categories))]);
    }
    return first == kNoRule ? kContinueShot : entities_[first].rule;
  }

  struct EntityRule {
    std::uint64_t categories = 0;
    LevelMask levels;
    TerminalRule rule;
  };
  // Visits, or returns, the rules, for storing them: each block type with its rules, on levels that
  // do not overlap, in the order of types; and the rules of entities in their order.
  void forEachBlock(
      absl::FunctionRef<void(BlockTypeId type, LevelMask levels, const TerminalRule& rule)> visit)
      const;
  std::span<const EntityRule> entityRules() const { return entities_; }

  // Returns INVALID_ARGUMENT for amounts that are negative or not a number; infinite budgets are
  // never used up.
  absl::Status check(const Budgets& amounts) const;

 private:
  struct LevelRule {
    LevelMask levels;
    TerminalRule rule;
  };
  // The rules of a type, on levels that do not overlap.
  using LevelRules = std::vector<LevelRule>;
  // For each category, the number of the first rule of entities that has it; kNoRule for none. The
  // first rule that shares a category with an entity is the first of these of its categories.
  using FirstRules = std::array<std::size_t, 64>;
  static constexpr std::size_t kNoRule = std::numeric_limits<std::size_t>::max();
  // The categories and levels of a rule of entities.
  using EntityKey = std::pair<std::uint64_t, std::uint32_t>;

  static constexpr TerminalRule kContinueShot{};

  absl::Status check(const TerminalRule& rule, LevelMask levels) const;
  // Enters the newest rule of entities into first_of_.
  void noteFirst(std::size_t number);

  std::size_t budgets_ = 0;
  Budgets amounts_{};
  std::vector<LevelRules> blocks_;  // by type, up to the last one that has rules
  std::vector<EntityRule> entities_;
  std::vector<FirstRules> first_of_;            // by level; empty if entities have no rules
  std::map<EntityKey, std::size_t> number_of_;  // of each rule of entities
};

}  // namespace fractalray
