// SPDX-License-Identifier: Apache-2.0
#include "scenario_rules.h"

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../json_document.h"

namespace fractalray {

void ScenarioRules::read(const JsonReader& rules, TypeFinder find) {
  rules.forEachMember([&](const std::string& name, const JsonReader& value) {
    rules_.emplace(name, std::make_shared<const NamedRules>(readNamedRules(value, name, find)));
  });
}

void ScenarioRules::note(const JsonReader& shot, std::size_t query) {
  const auto budgets = shot.find("budgets");
  const auto name = shot.find("rules");
  if (!name.has_value()) {
    if (budgets.has_value()) budgets->fail("budgets without rules; name the rules too");
    return;
  }
  Noted& noted = noted_.emplace_back();
  noted.query = query;
  noted.path = shot.path();
  noted.name = name->text();
  if (!budgets.has_value()) return;
  const std::size_t count = budgets->value().size();
  if (count > kMaxBudgets) {
    return budgets->fail(
        absl::StrCat("amounts of ", count, " budgets; rules have at most ", kMaxBudgets));
  }
  auto& amounts = noted.budgets.emplace();
  budgets->forEachMember([&](const std::string& budget, const JsonReader& amount) {
    amounts.emplace_back(budget, amount.number());
  });
}

void ScenarioRules::resolve(absl::Status& error, Visit visit) const {
  for (const Noted& noted : noted_) {
    const auto found = rules_.find(noted.name);
    if (found == rules_.end()) {
      const Json none;
      return JsonReader(none, error, absl::StrCat(noted.path, ".rules"))
          .fail(absl::StrCat("no such rules, ", quotedText(noted.name), "; declare them in rules"));
    }
    std::optional<Budgets> start;
    if (noted.budgets.has_value()) {
      JsonDocument amounts(Json::object());
      for (const auto& [budget, amount] : *noted.budgets)
        amounts.root()[budget] = amount;
      start = readStart(JsonReader(amounts.root(), error, absl::StrCat(noted.path, ".budgets")),
                        *found->second);
    }
    visit(noted.query, found->second, start);
  }
}

}  // namespace fractalray
