// SPDX-License-Identifier: Apache-2.0
// The blocks around an eye that it sees any part of: ores, chests, whatever a filter selects.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../levels/block_type.h"
#include "block_search.h"
#include "query_filter.h"
#include "query_stats.h"
#include "sight.h"

namespace fractalray {

// Two filters: `targets` and `types` select the blocks to find, `sight` those that hide them.
struct VisibleBlocksOptions {
  // The types to find; empty for all. It outlives the query.
  std::span<const BlockTypeId> types{};
  // The blocks to find, of these types: the members that blocksInSphere() uses, `blocks`,
  // `channel`, `solid_only` and `block_filter`. The channel need not be that of `sight`.
  QueryFilter targets{};
  // The occluders, as for visible(), but max_steps is for the whole query (VisibleBlocks), and
  // report_certificate is ignored.
  SightOptions sight{};
};

// The work of a query for visible blocks. Only that of `sight` counts in max_steps.
struct VisibleBlocksStats {
  BlockSearchStats search;
  // Blocks of the targets that are hidden since all their faces towards the eye are covered, and
  // those whose sight was asked.
  std::uint64_t covered = 0;
  std::uint64_t asked = 0;
  SightStats sight;
};

// The blocks that are not hidden, by their answers, each list in the order of blocksInSphere(): the
// nearest first. Filling one again does not allocate once its memory is large enough.
struct VisibleBlocks {
  SceneVersion version;
  std::vector<FoundBlock> visible;
  // Sight::kUnknown: seen only through space where nothing is loaded. Ask again when it is.
  std::vector<FoundBlock> unknown;
  // Not decided, since max_steps has run out: the farthest blocks, hidden ones among them but for
  // covered ones. Send them (nothing appears late) or do not (nothing leaks).
  std::vector<FoundBlock> undecided;
  VisibleBlocksStats stats;
};

}  // namespace fractalray
