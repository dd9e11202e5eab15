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

// The block type of that name, nothing where there is none.
using TypeFinder = absl::FunctionRef<std::optional<BlockTypeId>(std::string_view name)>;

// The parts of rules, each added to `rules`; what is wrong goes to the reader's status, with the
// path and the value. docs/scenario-format.md tells the members.
//
// An object of budgets, name -> amount.
void readBudgets(const JsonReader& value, NamedRules& rules);
// {"type": "glass", "levels": [1], "budget": "panes", "per_hit": 1} or
// {"type": "leaves", "response": "stop"}, for blocks; with "categories" in place of "type" for
// entities.
void readBlockRule(const JsonReader& value, TypeFinder find, NamedRules& rules);
void readEntityRule(const JsonReader& value, NamedRules& rules);

// {"budgets": {...}, "blocks": [...], "entities": [...]}, each of which may be left out.
NamedRules readNamedRules(const JsonReader& value, std::string_view name, TypeFinder find);

// What a shot starts with: the amounts of the rules but for those named in the object.
Budgets readStart(const JsonReader& value, const NamedRules& rules);

// An amount for each budget of the rules, as a JSON object in the order of names.
std::string budgetsJson(const NamedRules& rules, const Budgets& amounts);

}  // namespace fractalray
