// SPDX-License-Identifier: Apache-2.0
// The blocks that a point belongs to, for points that follow each other closely.
#pragma once

#include <array>
#include <cstddef>

#include "../../../core/frame.h"
#include "../../../core/internal/access.h"
#include "../../../core/level_mask.h"
#include "../../../core/vec.h"
#include "../../../levels/internal/world_content.h"
#include "../../../levels/world.h"
#include "../../query_filter.h"
#include "block_acceptance.h"

namespace fractalray::internal {

// Finds the blocks at points, on all levels of a mask, that pass the members of a filter for
// blocks. As in a shot, expanded blocks defer; but a block with a shape fills its cube. Keeps the
// chunks of the last point: another point in them costs no look-up. Belongs to one thread; the
// world must not change, and the filter must outlive it.
class PointBlocks {
 public:
  PointBlocks(const World& world, LevelMask levels, const QueryFilter& filter)
      : world_(world), levels_(levels.activeIn(world.frame())), filter_(filter) {}

  // Calls visit(level, block, type) for the blocks at a point in units, the finer level first,
  // until it returns false. Returns false if no level has a loaded chunk there. Requires: no
  // coordinate is beyond 2^62.
  template <class Visit>
  bool forEachAt(const Vec3i& point, const Visit& visit) {
    bool is_known = false;
    for (int level = world_.frame().levels() - 1; level >= 0; --level) {
      if (!levels_.contains(level)) continue;
      const BlockCoord block = world_.frame().blockAt(point, level);
      const Chunk* const chunk = chunkAt(level, chunkOf(block));
      if (chunk == nullptr) continue;
      is_known = true;
      const int index = indexInChunk(block);
      if (!filter_.blocks || !chunk->isOccupied(index)) continue;
      if (levels_.contains(level + 1) && chunk->hasLoadedChild(index)) continue;
      const BlockTypeId type = chunk->occupiedBlock(index);
      const BlockKind kind = acceptedKind(filter_, world_.blockTypes(), type);
      if (kind == BlockKind::kEmpty || !acceptsBlock(filter_, level, block, type, kind)) continue;
      if (!visit(level, block, type)) break;
    }
    return is_known;
  }

 private:
  struct LastChunk {
    bool is_set = false;
    ChunkCoord at{};
    const Chunk* chunk = nullptr;  // null if it is not loaded
  };

  const Chunk* chunkAt(int level, const ChunkCoord& at) {
    LastChunk& last = last_[static_cast<std::size_t>(level)];
    if (!last.is_set || last.at != at) {
      last = {.is_set = true, .at = at, .chunk = Access::content(world_).level(level).find(at)};
    }
    return last.chunk;
  }

  const World& world_;
  LevelMask levels_;
  const QueryFilter& filter_;
  std::array<LastChunk, kMaxLevels> last_{};
};

}  // namespace fractalray::internal
