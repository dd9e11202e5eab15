// SPDX-License-Identifier: Apache-2.0
#include "logged_rules.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"

#include "../../core/check.h"
#include "../internal/little_endian.h"
#include "internal/log_fields.h"
#include "internal/log_format.h"

namespace fractalray {
namespace {

void fail(std::string& error, std::string what) {
  if (error.empty()) error = std::move(what);
}

// Says whether addBudget and the rules accept an amount or a cost.
bool isAmount(double amount) {
  return std::isfinite(amount) && amount >= 0;
}

double readAmount(ByteReader& bytes, std::string& error) {
  const auto amount = std::bit_cast<double>(bytes.little<std::uint64_t>());
  if (isAmount(amount)) return amount;
  fail(error, absl::StrCat("it has rules with an amount of ", amount));
  return 0;
}

void appendRule(std::string& bytes, LevelMask levels, const TerminalRule& rule) {
  appendLittle(bytes, levels.bits());
  internal::appendFields(bytes, rule);
}

TerminalRule readRule(ByteReader& bytes, std::size_t budgets, std::string& error) {
  TerminalRule rule;
  internal::readFields(bytes, "member of a rule", rule, error);
  // Costs of other rules have no meaning, and may be any number.
  if (rule.kind != TerminalRule::Kind::kCost) return rule;
  for (const double cost : {rule.per_hit, rule.per_block}) {
    if (!isAmount(cost)) fail(error, absl::StrCat("it has a rule with a cost of ", cost));
  }
  if (std::size_t{static_cast<std::uint8_t>(rule.budget)} >= budgets) {
    fail(error, absl::StrCat("it has a rule with budget ",
                             int{static_cast<std::uint8_t>(rule.budget)}, " of ", budgets));
  }
  return rule;
}

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
  appendLittle(bytes, static_cast<std::uint8_t>(rules.budgets()));
  for (std::size_t i = 0; i < rules.budgets(); ++i)
    appendLittle(bytes, rules.amounts()[i]);
  const std::size_t count_at = bytes.size();
  std::uint32_t blocks = 0;
  appendLittle(bytes, blocks);
  rules.forEachBlock([&](BlockTypeId type, LevelMask levels, const TerminalRule& rule) {
    if (!types.contains(type)) return;
    const std::string_view name = types.name(type);
    appendLittle(bytes, static_cast<std::uint32_t>(name.size()));
    bytes += name;
    appendRule(bytes, levels, rule);
    ++blocks;
  });
  putLittle(bytes, count_at, blocks);
  appendLittle(bytes, static_cast<std::uint32_t>(rules.entityRules().size()));
  for (const TerminalRules::EntityRule& each : rules.entityRules()) {
    appendLittle(bytes, each.categories);
    appendRule(bytes, each.levels, each.rule);
  }
}

LoggedRules readRules(ByteReader& bytes, std::string& error) {
  LoggedRules rules;
  const auto ok = [&] { return bytes.ok() && error.empty(); };
  const std::uint8_t budgets = bytes.u8();
  if (budgets > kMaxBudgets) fail(error, absl::StrCat("it has rules with ", budgets, " budgets"));
  for (int i = 0; i < budgets && ok(); ++i)
    rules.amounts.push_back(readAmount(bytes, error));
  for (auto count = bytes.little<std::uint32_t>(); count > 0 && ok(); --count) {
    LoggedRules::BlockRule& block = rules.blocks.emplace_back();
    block.type = readName(bytes, "block type", error);
    block.levels = readLevelBits(bytes, error);
    block.rule = readRule(bytes, budgets, error);
    if (block.levels.empty()) fail(error, "it has a rule for no level");
  }
  for (auto count = bytes.little<std::uint32_t>(); count > 0 && ok(); --count) {
    TerminalRules::EntityRule& entity = rules.entities.emplace_back();
    entity.categories = bytes.little<std::uint64_t>();
    entity.levels = readLevelBits(bytes, error);
    entity.rule = readRule(bytes, budgets, error);
    if (entity.levels.empty()) fail(error, "it has a rule for no level");
    if (entity.categories == 0) fail(error, "it has a rule for entities of no category");
  }
  return rules;
}

LevelMask readLevelBits(ByteReader& bytes, std::string& error) {
  const auto bits = bytes.little<std::uint32_t>();
  if (bits > LevelMask::all().bits()) fail(error, "its mask has levels that there are not");
  LevelMask levels;
  for (int level = 0; level < kMaxLevels; ++level) {
    if (((bits >> level) & 1) != 0) levels.add(level);
  }
  return levels;
}

}  // namespace internal
}  // namespace fractalray
