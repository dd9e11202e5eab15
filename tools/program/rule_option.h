// SPDX-License-Identifier: Apache-2.0
// The options of the commands that shoot: --budget and --rule, terminal rules on the command line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "../../formats/named_rules.h"
#include "command_line.h"

namespace fractalray {

struct RuleArguments {
  std::vector<std::string> budgets;  // "panes=2"
  std::vector<std::string> rules;    // "type=default:glass budget=panes per_hit=1"

  bool wanted() const { return !budgets.empty() || !rules.empty(); }
};

// Adds the two options; `arguments` are filled in when the command line is parsed.
void addRuleOptions(CommandOptions& options, RuleArguments& arguments);

// Returns the requested rules, of block types of this table; null if there are none.
// INVALID_ARGUMENT with the option and the value.
absl::StatusOr<std::shared_ptr<const NamedRules>> readRules(const RuleArguments& arguments,
                                                            const BlockTypeTable& types);

}  // namespace fractalray
