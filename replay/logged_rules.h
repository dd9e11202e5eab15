// SPDX-License-Identifier: Apache-2.0
// Terminal rules as a query log has them: by the names of block types, so that they can be set
// again on another table. docs/query-log.md tells the bytes.
#pragma once

#include <string>
#include <vector>

#include "../core/level_mask.h"
#include "../formats/internal/byte_reader.h"
#include "../levels/block_type.h"
#include "../query/terminal_rules.h"

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

// The rules on a table of types; those of types that it lacks are left out, nothing of them can be
// hit. Requires: the rules are as readRules() gives them.
TerminalRules rulesOf(const LoggedRules& logged, const BlockTypeTable& types);

namespace internal {

// Appends the rules' bytes; those of types that are not in the table are left out.
void appendRules(std::string& bytes, const TerminalRules& rules, const BlockTypeTable& types);
// The rules that appendRules wrote. What is wrong goes to `error` where nothing is there yet; that
// the bytes end too early is told by the reader.
LoggedRules readRules(ByteReader& bytes, std::string& error);

// The levels of a mask, as bits. What is wrong goes to `error`, as above.
LevelMask readLevelBits(ByteReader& bytes, std::string& error);

}  // namespace internal
}  // namespace fractalray
