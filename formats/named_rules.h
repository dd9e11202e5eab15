// SPDX-License-Identifier: Apache-2.0
// Terminal rules whose budgets have names, as scenario files and command lines give them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"

#include "../levels/block_type.h"
#include "../query/terminal_rules.h"
#include "json.h"

namespace fractalray {

struct NamedRules {
  std::string name;  // of the rules in their file; empty for those of a command line
  TerminalRules rules;
  std::vector<std::string> budgets;  // by number
};

// Returns the block type of that name, nullopt if there is none.
using TypeFinder = absl::FunctionRef<std::optional<BlockTypeId>(std::string_view name)>;

// Read the parts of rules and add each to `rules`; errors go to the reader's status, with the path
// and the value. docs/scenario-format.md describes the members.
//
// Reads an object of budgets, name -> amount.
void readBudgets(const JsonReader& value, NamedRules& rules);
// Reads {"type": "glass", "levels": [1], "budget": "panes", "per_hit": 1} or {"type": "leaves",
// "response": "stop"}, for blocks; "categories" instead of "type" for entities.
void readBlockRule(const JsonReader& value, TypeFinder find, NamedRules& rules);
void readEntityRule(const JsonReader& value, NamedRules& rules);

// Appends what a rule does as members of an object that has some already: the inverse.
void appendRule(std::string& out, const TerminalRule& rule, const NamedRules& rules);

// Reads {"budgets": {...}, "blocks": [...], "entities": [...]}, each of which may be left out.
NamedRules readNamedRules(const JsonReader& value, std::string_view name, TypeFinder find);

// Returns the budgets that a shot starts with: the amounts of the rules, replaced by those named in
// the object.
Budgets readStart(const JsonReader& value, const NamedRules& rules);

// Returns an amount for each budget of the rules, as a JSON object in the order of names.
std::string budgetsJson(const NamedRules& rules, const Budgets& amounts);

}  // namespace fractalray
