// SPDX-License-Identifier: Apache-2.0
#include "named_rules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "internal/json_fields.h"

namespace fractalray {
namespace {

std::string quoted(const std::string& name) {
  std::string text;
  appendJsonString(text, name);
  return text;
}

// Returns the number of the budget of that name; fails and returns nullopt if there is none.
std::optional<std::size_t> findBudget(const JsonReader& value, const std::string& name,
                                      const NamedRules& rules) {
  const auto found = std::find(rules.budgets.begin(), rules.budgets.end(), name);
  if (found != rules.budgets.end()) {
    return static_cast<std::size_t>(found - rules.budgets.begin());
  }
  value.fail(absl::StrCat("there is no budget ", quoted(name), "; ",
                          rules.budgets.empty()
                              ? "declare it in budgets"
                              : absl::StrCat("there are ", absl::StrJoin(rules.budgets, ", "))));
  return std::nullopt;
}

TerminalRule::Kind readResponse(const JsonReader& value) {
  static constexpr std::array<std::pair<std::string_view, TerminalRule::Kind>, 2> kResponses = {
      {{"continue", TerminalRule::Kind::kContinue}, {"stop", TerminalRule::Kind::kStop}}};
  return value.choice(kResponses);
}

// Says whether JSON has a member of rules as it is: not the kind, which follows from the others,
// nor the budget, which has a name.
template <class Member>
constexpr bool isOfCosts() {
  return isPlain<Member>() && !HasWords<Member>;
}

TerminalRule readCost(const JsonReader& value, const JsonReader& budget, const NamedRules& rules) {
  TerminalRule rule{.kind = TerminalRule::Kind::kCost};
  const auto number = findBudget(budget, budget.text(), rules);
  rule.budget = static_cast<BudgetId>(number.value_or(0));
  if (!value.find("per_hit").has_value() && !value.find("per_block").has_value()) {
    value.fail("a budget without a cost; give per_hit, per_block or both");
  }
  forEachField(
      [&]<class Member>(std::string_view name, Member& member) {
        if constexpr (isOfCosts<Member>()) internal::readMember(value, name, member);
      },
      rule);
  return rule;
}

// Reads what a rule does, for blocks and entities alike.
TerminalRule readRule(const JsonReader& value, const NamedRules& rules) {
  const auto response = value.find("response");
  const auto budget = value.find("budget");
  if (response.has_value() == budget.has_value()) {
    value.fail(R"(a rule has either a response, "continue" or "stop", or a budget that it costs)");
    return {};
  }
  if (budget.has_value()) return readCost(value, *budget, rules);
  TerminalRule rule;
  forEachField(
      [&]<class Member>(std::string_view name, const Member&) {
        if constexpr (!isOfCosts<Member>()) return;
        if (const auto cost = value.find(name)) {
          cost->fail("a response costs nothing; name a budget");
        }
      },
      rule);
  rule.kind = readResponse(*response);
  return rule;
}

LevelMask readRuleLevels(const JsonReader& value) {
  const auto list = value.find("levels");
  if (!list.has_value()) return LevelMask::all();
  LevelMask levels;
  list->forEachElement([&](const JsonReader& element) {
    levels.add(static_cast<int>(element.integer(0, kMaxLevels - 1)));
  });
  if (levels.empty()) list->fail("a rule for no level; name one, or leave levels out for all");
  return levels;
}

}  // namespace

void readBudgets(const JsonReader& value, NamedRules& rules) {
  value.forEachMember([&](const std::string& name, const JsonReader& amount) {
    const double number = amount.number();
    if (!amount.ok()) return;
    const absl::StatusOr<BudgetId> budget = rules.rules.addBudget(number);
    amount.failIfError(budget.status());
    if (budget.ok()) rules.budgets.push_back(name);
  });
}

void readBlockRule(const JsonReader& value, TypeFinder find, NamedRules& rules) {
  const JsonReader name = value.member("type");
  const std::optional<BlockTypeId> type = find(name.text());
  if (!type.has_value()) {
    name.fail(absl::StrCat("there is no block type ", quoted(name.text()),
                           "; declare it in block_types"));
  }
  const LevelMask levels = readRuleLevels(value);
  const TerminalRule rule = readRule(value, rules);
  value.refuseOthers();
  if (value.ok()) value.failIfError(rules.rules.setBlock(*type, rule, levels));
}

void readEntityRule(const JsonReader& value, NamedRules& rules) {
  const JsonReader categories = value.member("categories");
  const std::uint64_t bits = categories.unsignedInteger();
  const LevelMask levels = readRuleLevels(value);
  const TerminalRule rule = readRule(value, rules);
  value.refuseOthers();
  if (value.ok()) value.failIfError(rules.rules.setEntities(bits, rule, levels));
}

NamedRules readNamedRules(const JsonReader& value, std::string_view name, TypeFinder find) {
  NamedRules rules;
  rules.name = std::string(name);
  if (const auto budgets = value.find("budgets")) readBudgets(*budgets, rules);
  if (const auto blocks = value.find("blocks")) {
    blocks->forEachElement([&](const JsonReader& rule) { readBlockRule(rule, find, rules); });
  }
  if (const auto entities = value.find("entities")) {
    entities->forEachElement([&](const JsonReader& rule) { readEntityRule(rule, rules); });
  }
  value.refuseOthers();
  return rules;
}

void appendRule(std::string& out, const TerminalRule& rule, const NamedRules& rules) {
  if (rule.kind != TerminalRule::Kind::kCost) {
    absl::StrAppend(&out, R"(, "response": )", quoted(std::string(wordOf(rule.kind))));
    return;
  }
  absl::StrAppend(&out,
                  ", \"budget\": ", quoted(rules.budgets[static_cast<std::size_t>(rule.budget)]));
  static constexpr TerminalRule kUsual;
  forEachField(
      [&]<class Member>(std::string_view name, const Member& member, const Member& usual) {
        const bool is_always_written = name == "per_hit" || name == "per_block";
        if constexpr (isOfCosts<Member>()) {
          if (is_always_written || member != usual) internal::appendMember(out, name, member);
        }
      },
      rule, kUsual);
}

Budgets readStart(const JsonReader& value, const NamedRules& rules) {
  Budgets start = rules.rules.amounts();
  value.forEachMember([&](const std::string& name, const JsonReader& amount) {
    const std::optional<std::size_t> budget = findBudget(amount, name, rules);
    const double number = amount.number();
    if (number < 0) amount.fail(absl::StrCat("a budget of ", number, "; it must not be negative"));
    if (budget.has_value()) start[*budget] = number;
  });
  return start;
}

std::string budgetsJson(const NamedRules& rules, const Budgets& amounts) {
  std::map<std::string, double> by_name;
  for (std::size_t i = 0; i < rules.budgets.size(); ++i)
    by_name.emplace(rules.budgets[i], amounts[i]);
  std::string out = "{";
  for (const auto& [name, amount] : by_name) {
    absl::StrAppend(&out, out.size() == 1 ? "" : ",", quoted(name), ":");
    appendJsonNumber(out, amount);
  }
  return out + "}";
}

}  // namespace fractalray
