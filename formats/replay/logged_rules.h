// SPDX-License-Identifier: Apache-2.0
// Keeps terminal rules as a query log has them: by the names of block types, so that they can be
// set again on another table. docs/query-log.md describes the bytes.
#pragma once

#include <string>
#include <vector>

#include "../../core/level_mask.h"
#include "../../levels/block_type.h"
#include "../../query/terminal_rules.h"

namespace fractalray {

struct LoggedRules {
  struct BlockRule {
    std::string type;
    LevelMask levels;
    TerminalRule rule;
  };
  std::vector<double> amounts;
  std::vector<BlockRule> blocks;
  std::vector<TerminalRules::EntityRule> entities;
};

// Returns the rules on a table of types; leaves out those of types that the table lacks, as no
// block of such a type can be hit. Requires: the rules are as QueryLogReader gives them.
TerminalRules rulesOf(const LoggedRules& logged, const BlockTypeTable& types);

}  // namespace fractalray
