// SPDX-License-Identifier: Apache-2.0
#include "logged_rules.h"

#include <span>

#include "../../core/check.h"
#include "internal/log_records.h"

namespace fractalray {
namespace {

// The rules of blocks whose types are in a table, for a LogWriter.
struct BlockRules {
  struct Item {
    BlockTypeId type;
    LevelMask levels;
    const TerminalRule& rule;
  };

  template <class Visit>
  void forEach(const Visit& visit) const {
    rules.forEachBlock([&](BlockTypeId type, LevelMask levels, const TerminalRule& rule) {
      if (types.contains(type)) visit(Item{type, levels, rule});
    });
  }

  const TerminalRules& rules;
  const BlockTypeTable& types;
};

// The members of LoggedRules, by reference.
struct RulesView {
  std::span<const double> amounts;
  BlockRules blocks;
  std::span<const TerminalRules::EntityRule> entities;
};

}  // namespace

TerminalRules rulesOf(const LoggedRules& logged, const BlockTypeTable& types) {
  TerminalRules rules;
  for (const double amount : logged.amounts)
    FRACTALRAY_CHECK(rules.addBudget(amount).ok());
  for (const LoggedRules::BlockRule& each : logged.blocks) {
    const std::optional<BlockTypeId> type = types.find(each.type);
    if (!type.has_value()) continue;
    FRACTALRAY_CHECK(rules.setBlock(*type, each.rule, each.levels).ok());
  }
  for (const TerminalRules::EntityRule& each : logged.entities)
    FRACTALRAY_CHECK(rules.setEntities(each.categories, each.rule, each.levels).ok());
  return rules;
}

namespace internal {

void appendRules(std::string& bytes, const TerminalRules& rules, const BlockTypeTable& types) {
  LogWriter writer(bytes, types, kDefaultChannel);
  const RulesView view{.amounts = std::span(rules.amounts()).first(rules.budgets()),
                       .blocks = {.rules = rules, .types = types},
                       .entities = rules.entityRules()};
  describeRules(writer, view);
}

absl::StatusOr<LoggedRules> parseRules(std::string_view bytes) {
  LogReader reader(bytes, "it");
  LoggedRules rules;
  describeRules(reader, rules);
  absl::Status status = reader.finish("its rules are");
  if (!status.ok()) return status;
  return rules;
}

}  // namespace internal
}  // namespace fractalray
