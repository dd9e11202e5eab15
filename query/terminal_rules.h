// SPDX-License-Identifier: Apache-2.0
// Terminal rules as data: where a shot stops, where it continues, and what it costs to continue, by
// block type, entity category and level, with no callback at all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/level_mask.h"
#include "../levels/block_type.h"

namespace fractalray {

struct HitGeometry;

// How many budgets a table of rules may have.
inline constexpr std::size_t kMaxBudgets = 8;
// The number of a budget in its table.
enum class BudgetId : std::uint8_t {};
// An amount of each budget, by its number.
using Budgets = std::array<double, kMaxBudgets>;

// What a hit does to the shot.
struct TerminalRule {
  enum class Kind : std::uint8_t {
    kContinue,  // nothing
    kStop,      // it is terminal
    kCost,      // it is terminal if it costs more than is left of the budget
  };
  Kind kind = Kind::kContinue;
  BudgetId budget{};
  // Whether a block that the segment only touches costs too: at a corner or an edge, or with one of
  // its ends. By default it costs nothing, per_hit neither. An entity that is touched always costs.
  bool touch_costs = false;
  // Whether per_hit is charged once for a pane: blocks of one type and level that the line passes
  // one directly after another, each entered at exactly the time at which it leaves the one before.
  // The first of them pays; per_block is charged for each. Of no matter to entities.
  bool per_pane = false;
  double per_hit = 0;    // the cost of a hit, and
  double per_block = 0;  // of each finest-block width travelled inside, from t to t_exit

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

// The budgets of one shot while it runs.
struct Spending {
  Budgets start{};  // what the shot started with
  // What is left. Below 0, by no more than the slack of TerminalRules::spend(), where costs that
  // are exactly enough came out as a little more.
  Budgets left{};
};

// The rules of a kind of shot: "pierce two panes and three blocks of water, then stop".
//
//   TerminalRules rules;
//   const BudgetId panes = *rules.addBudget(2);
//   const BudgetId water = *rules.addBudget(3);
//   rules.setBlock(pane, TerminalRule::costPerPane(panes, 1));
//   rules.setBlock(sea, TerminalRule::costPerBlock(water, 1));
//   rules.setBlock(sea, TerminalRule::stopShot(), {0});  // on level 0 instead of that
//
// A hit without a rule lets the shot continue. A solid block is terminal whatever its rule; rules
// are for permeable blocks and for entities.
//
// Precedence. A block has one rule for its type and its level: the one that was set last. Of an
// entity the first rule counts, in the order in which they were set, that names its level and
// shares a category with it. A value type; const use is safe from any thread.
class TerminalRules {
 public:
  // Adds a budget of that much for each shot. INVALID_ARGUMENT for an amount that is negative or
  // not finite, RESOURCE_EXHAUSTED past kMaxBudgets.
  absl::StatusOr<BudgetId> addBudget(double amount);

  // Sets the rule of a block type on these levels, in place of what it had there; its rules on
  // other levels stay. INVALID_ARGUMENT, and no change, for a cost that is negative or not finite,
  // for a budget that has not been added and for no level.
  absl::Status setBlock(BlockTypeId type, const TerminalRule& rule,
                        LevelMask levels = LevelMask::all());
  // Sets the rule of entities of these levels that share a bit with `categories`, after those set
  // before; in place of the one for exactly these categories and levels. Errors as above, and
  // INVALID_ARGUMENT for no category.
  absl::Status setEntities(std::uint64_t categories, const TerminalRule& rule,
                           LevelMask levels = LevelMask::all());

  std::size_t budgets() const { return budgets_; }
  // What each shot starts with; 0 for budgets that have not been added.
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
    for (const EntityRule& each : entities_) {
      if ((each.categories & categories) != 0 && each.levels.contains(level)) return each.rule;
    }
    return kContinueShot;
  }

  struct EntityRule {
    std::uint64_t categories = 0;
    LevelMask levels;
    TerminalRule rule;
  };
  // What has been set, to be written down: each block type with its rules, on levels that do not
  // overlap, by type; and the rules of entities in their order.
  void forEachBlock(
      absl::FunctionRef<void(BlockTypeId type, LevelMask levels, const TerminalRule& rule)> visit)
      const;
  std::span<const EntityRule> entityRules() const { return entities_; }

  // INVALID_ARGUMENT for amounts that are negative or not a number; infinite ones never end.
  absl::Status check(const Budgets& amounts) const;

  // Takes what a hit costs from what is left, and returns nothing where that is enough. Where it is
  // not, the hit is terminal: returns the t, from hit.t to hit.t_exit, at which the budget is used
  // up. It stays used up: whatever costs anything after that is terminal too.
  //
  // Enough means that all costs so far, this one included, exceed what the shot started with by no
  // more than 2^-30 of that: rounding (three times 0.1 out of 0.3, the lengths of blocks that add
  // up to a whole number) decides nothing, and the slack is there once, not for every hit.
  //
  // Requires: the rule is one of this table that costs; `length` is the segment's, in finest-block
  // widths.
  static std::optional<double> spend(const TerminalRule& rule, const HitGeometry& hit,
                                     double length, Spending& spending);

 private:
  struct LevelRule {
    LevelMask levels;
    TerminalRule rule;
  };
  // The rules of a type, on levels that do not overlap.
  using LevelRules = std::vector<LevelRule>;

  static constexpr TerminalRule kContinueShot{};

  absl::Status check(const TerminalRule& rule, LevelMask levels) const;

  std::size_t budgets_ = 0;
  Budgets amounts_{};
  std::vector<LevelRules> blocks_;  // by type, as far as any has been set
  std::vector<EntityRule> entities_;
};

}  // namespace fractalray
