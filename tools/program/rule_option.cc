// SPDX-License-Identifier: Apache-2.0
#include "rule_option.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "../../core/level_mask.h"
#include "../../core/printable.h"
#include "../../formats/json_document.h"
#include "../../formats/suggestion.h"
#include "../../query/fields.h"
#include "arguments.h"

namespace fractalray {
namespace {

absl::Status refuse(const std::string& option, const std::string& text, const std::string& reason) {
  return absl::InvalidArgumentError(absl::StrCat(
      option, ": ", Json(text).dump(-1, ' ', true, Json::error_handler_t::replace), ": ", reason));
}

// Splits NAME=VALUE in two; returns nothing if it is not of that form.
std::optional<std::pair<std::string, std::string>> split(const std::string& text) {
  // A name may contain '=', an amount does not.
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) return std::nullopt;
  return std::pair(text.substr(0, at), text.substr(at + 1));
}

absl::StatusOr<Json> asLevels(const std::string& value) {
  const absl::StatusOr<LevelMask> levels = parseLevelMask(value);
  if (!levels.ok()) return levels.status();
  Json list = Json::array();
  for (int level = 0; level < kMaxLevels; ++level) {
    if (levels->contains(level)) list.push_back(level);
  }
  return list;
}

// Returns the value as JSON if it is some; text that is not is refused when the member is read.
Json asValue(const std::string& value) {
  Json parsed = Json::parse(value, nullptr, false);
  return parsed.is_discarded() ? Json(value) : parsed;
}

// Calls visit(name, member) for each member of a rule that has a cost.
template <class Visit>
void forEachCost(const Visit& visit) {
  const TerminalRule usual;
  forEachField(
      [&]<class Member>(std::string_view name, const Member& member) {
        if constexpr (std::is_arithmetic_v<Member>) visit(name, member);
      },
      usual);
}

// Returns the names of all flags of a rule, or of its numbers.
template <class Type>
std::vector<std::string> namesOf() {
  std::vector<std::string> names;
  forEachCost([&]<class Member>(std::string_view name, const Member& /*usual*/) {
    if (std::is_same_v<Member, Type>) names.emplace_back(name);
  });
  return names;
}

bool isAmong(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Returns a part of a rule as the member that a scenario has for it.
absl::StatusOr<Json> valueOf(const std::string& name, const std::string& value) {
  if (isAmong({"type", "budget", "response"}, name)) return Json(value);
  if (name == "levels") return asLevels(value);
  if (name == "categories" || isAmong(namesOf<bool>(), name)) return asValue(value);
  if (isAmong(namesOf<double>(), name)) {
    const absl::StatusOr<std::vector<double>> number = parseNumbers(value, name, 1, 1);
    if (!number.ok()) return number.status();
    return Json(number->front());
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no \"", name, "\"; a rule has type or categories, and levels, response, budget, ",
      absl::StrJoin(namesOf<double>(), ", "), ", ", absl::StrJoin(namesOf<bool>(), ", ")));
}

absl::StatusOr<Json> asJson(const std::string& rule) {
  Json json = Json::object();
  std::istringstream words(rule);
  std::string word;
  while (words >> word) {
    const auto parts = split(word);
    if (!parts.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("\"", word,
                       "\" is not NAME=VALUE; write a rule like type=default:glass budget=panes "
                       "per_hit=1"));
    }
    if (json.contains(parts->first)) {
      return absl::InvalidArgumentError(
          absl::StrCat(parts->first, " is given twice; give it once"));
    }
    absl::StatusOr<Json> value = valueOf(parts->first, parts->second);
    if (!value.ok()) return value.status();
    json[parts->first] = *std::move(value);
  }
  if (json.contains("type") == json.contains("categories")) {
    return absl::InvalidArgumentError(
        "a rule has either a type, like type=default:glass, or categories, like categories=6");
  }
  return json;
}

absl::Status addBudget(const std::string& text, NamedRules& rules) {
  const auto parts = split(text);
  if (!parts.has_value()) return refuse("--budget", text, "write NAME=AMOUNT, like panes=2");
  if (std::find(rules.budgets.begin(), rules.budgets.end(), parts->first) != rules.budgets.end()) {
    return refuse("--budget", text, "there is a budget of that name already");
  }
  const absl::StatusOr<std::vector<double>> amount =
      parseNumbers(parts->second, "the amount", 1, 1);
  if (!amount.ok()) return refuse("--budget", text, std::string(amount.status().message()));
  const absl::StatusOr<BudgetId> budget = rules.rules.addBudget(amount->front());
  if (!budget.ok()) return refuse("--budget", text, std::string(budget.status().message()));
  rules.budgets.push_back(parts->first);
  return absl::OkStatus();
}

std::vector<std::string> typeNames(const BlockTypeTable& types) {
  std::vector<std::string> names;
  names.reserve(types.size());
  for (std::size_t i = 0; i < types.size(); ++i)
    names.push_back(types.name(static_cast<BlockTypeId>(i)));
  return names;
}

absl::Status addRule(const std::string& text, const BlockTypeTable& types, NamedRules& rules) {
  const absl::StatusOr<Json> json = asJson(text);
  if (!json.ok()) return refuse("--rule", text, std::string(json.status().message()));
  absl::Status error;
  const JsonReader reader(*json, error);
  if (json->contains("type")) {
    const std::string type = (*json)["type"];
    if (!types.find(type).has_value()) {
      return refuse("--rule", text,
                    absl::StrCat("there is no block type ", quotedText(type),
                                 alternatives(type, typeNames(types))));
    }
    readBlockRule(
        reader, [&](std::string_view name) { return types.find(name); }, rules);
  } else {
    readEntityRule(reader, rules);
  }
  return error.ok() ? error : refuse("--rule", text, std::string(error.message()));
}

}  // namespace

void addRuleOptions(CommandOptions& options, RuleArguments& arguments) {
  options.add("--budget NAME=AMOUNT", arguments.budgets,
              "An amount from which rules pay, like panes=2; may be repeated");
  options.add(
      "--rule RULE", arguments.rules,
      absl::StrCat(
          "The effect of a type of permeable blocks, or of entities, on the shot: NAME=VALUE pairs "
          "in one argument. First type=NAME or categories=BITS, and levels=LIST unless it is for "
          "all levels; then response=continue, response=stop, or budget=NAME with ",
          absl::StrJoin(namesOf<double>(), "=COST or "), "=COST, and perhaps ",
          absl::StrJoin(namesOf<bool>(), "=true or "),
          "=true. May be repeated; of a type the last rule applies. See docs/queries/rules.md"));
}

absl::StatusOr<std::shared_ptr<const NamedRules>> readRules(const RuleArguments& arguments,
                                                            const BlockTypeTable& types) {
  if (!arguments.wanted()) return std::shared_ptr<const NamedRules>();
  auto rules = std::make_shared<NamedRules>();
  for (const std::string& budget : arguments.budgets) {
    absl::Status status = addBudget(budget, *rules);
    if (!status.ok()) return status;
  }
  for (const std::string& rule : arguments.rules) {
    absl::Status status = addRule(rule, types, *rules);
    if (!status.ok()) return status;
  }
  return std::shared_ptr<const NamedRules>(std::move(rules));
}

}  // namespace fractalray
