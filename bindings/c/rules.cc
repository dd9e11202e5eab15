// SPDX-License-Identifier: Apache-2.0
// Terminal rules, and the callbacks that are registered for hits.
#include <array>
#include <cstddef>
#include <string_view>

#include "internal/convert.h"
#include "internal/objects.h"
#include "internal/plain_members.h"

namespace fractalray::capi {
namespace {

// The members of rules that copyPlain() leaves out.
struct RuleMembersByHand {
  static constexpr auto kByHand = std::to_array<std::string_view>({"reserved"});
  static constexpr std::array<std::string_view, 0> kNotInC{};
};

// Changes rules, in a copy if a query runs with them.
template <class Change>
absl::Status changeRules(Object<frRules>& rules, const Change& change) {
  if (rules.rules.use_count() == 1) return change(*rules.rules);
  auto copy = std::make_shared<TerminalRules>(*rules.rules);
  absl::Status status = change(*copy);
  if (status.ok()) rules.rules = std::move(copy);
  return status;
}

// Runs a function that sets a rule.
template <class Set>
frResult setRule(const char* function, frRules* rules, const frRule* rule, const Set& set) {
  return with(
      function, rules, "rules", {{rule, "rule"}}, [&](Object<frRules>& used) -> absl::Status {
        TerminalRule converted;
        absl::Status status = copyPlain<RuleMembersByHand>(*rule, converted);
        if (!status.ok()) return status;
        return changeRules(used, [&](TerminalRules& changed) { return set(changed, converted); });
      });
}

// Runs a function that registers callbacks, which snapshots have too.
template <class Body>
frResult registering(const char* function, frWorld* world, const Body& body) {
  return reading(function, world, {}, [&](const WorldState& /*state*/) -> absl::Status {
    absl::Status status = checkEditsAllowed();
    return status.ok() ? body(*find(world)->state) : status;
  });
}

}  // namespace

absl::Status copyMember(std::int32_t from, TerminalRule::Kind& to) {
  if (from != FR_RULE_CONTINUE && from != FR_RULE_STOP && from != FR_RULE_COST) {
    return badEnum("rule->kind", from, "FR_RULE_CONTINUE, FR_RULE_STOP, FR_RULE_COST");
  }
  static_assert(static_cast<int>(TerminalRule::Kind::kContinue) == FR_RULE_CONTINUE &&
                static_cast<int>(TerminalRule::Kind::kStop) == FR_RULE_STOP &&
                static_cast<int>(TerminalRule::Kind::kCost) == FR_RULE_COST);
  to = static_cast<TerminalRule::Kind>(from);
  return absl::OkStatus();
}

}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::TerminalRule;
using fractalray::TerminalRules;

extern "C" {

frResult frCreateRules(frRules** rules) {
  return guarded(__func__, [&] {
    absl::Status status = checkArguments({{rules, "rules"}});
    if (!status.ok()) return status;
    NewObject<frRules>().giveTo(rules);
    return status;
  });
}

frResult frDestroyRules(frRules* rules) {
  return destroy(__func__, rules, "rules");
}

frResult frRules_AddBudget(frRules* rules, double amount, uint8_t* budget) {
  return with(__func__, rules, "rules", {{budget, "budget"}}, [&](Object<frRules>& used) {
    return changeRules(used, [&](TerminalRules& changed) {
      const absl::StatusOr<fractalray::BudgetId> added = changed.addBudget(amount);
      if (added.ok()) *budget = static_cast<uint8_t>(*added);
      return added.status();
    });
  });
}

frResult frRules_SetBlock(frRules* rules, frBlockType type, const frRule* rule,
                          frLevelMask levels) {
  return setRule(__func__, rules, rule, [&](TerminalRules& changed, const TerminalRule& converted) {
    return changed.setBlock(typeFromC(type), converted, levelsFromC(levels));
  });
}

frResult frRules_SetEntities(frRules* rules, uint64_t categories, const frRule* rule,
                             frLevelMask levels) {
  return setRule(__func__, rules, rule, [&](TerminalRules& changed, const TerminalRule& converted) {
    return changed.setEntities(categories, converted, levelsFromC(levels));
  });
}

frResult frWorld_OnBlockHit(frWorld* world, frBlockType type, frPredicateFcn* is_terminal,
                            frEffectFcn* effect, void* context) {
  return registering(__func__, world, [&](WorldState& state) {
    return state.onBlockHit(type, {is_terminal, effect, context});
  });
}

frResult frWorld_OnEntityHit(frWorld* world, uint32_t entity_class, frPredicateFcn* is_terminal,
                             frEffectFcn* effect, void* context) {
  return registering(__func__, world, [&](WorldState& state) {
    return state.onEntityHit(entity_class, {is_terminal, effect, context});
  });
}

frResult frWorld_OnAnyBlockHit(frWorld* world, frEffectFcn* effect, void* context) {
  return registering(__func__, world, [&](WorldState& state) {
    state.onAnyBlockHit({nullptr, effect, context});
    return absl::OkStatus();
  });
}

frResult frWorld_OnAnyEntityHit(frWorld* world, frEffectFcn* effect, void* context) {
  return registering(__func__, world, [&](WorldState& state) {
    state.onAnyEntityHit({nullptr, effect, context});
    return absl::OkStatus();
  });
}

}  // extern "C"
