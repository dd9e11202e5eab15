// SPDX-License-Identifier: Apache-2.0
#include "surroundings.h"

#include <set>
#include <utility>

#include "../../core/check.h"

namespace fractalray {
namespace {

using internal::QueryContext;

BlockCoord blockAt(const Vec3i& cell) {
  return {cell[0], cell[1], cell[2]};
}

// Returns the type of the block if the shot can hit it, else kAir.
BlockTypeId typeAt(const QueryContext& context, int level, const BlockCoord& block) {
  const Chunk* const chunk = context.world.chunk(level, chunkOf(block));
  if (chunk == nullptr) return kAir;
  const int index = indexInChunk(block);
  return context.kindOf(level, *chunk, index) == BlockKind::kEmpty ? kAir : chunk->block(index);
}

bool isExposed(const QueryContext& context, int level, const BlockCoord& block) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {-1, 1}) {
      BlockCoord next = block;
      next[axis] += side;
      if (typeAt(context, level, next) == kAir) return true;
    }
  }
  return false;
}

// Calls `visit` for the 26 cells around one.
template <class Visit>
void forEachNeighbour(const Vec3i& cell, const Visit& visit) {
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z)
        visit(cell + Vec3i{x, y, z});
    }
  }
}

}  // namespace

std::vector<NearBlock> blocksAround(const QueryContext& context, int level,
                                    std::span<const Vec3i> cells, int margin,
                                    std::size_t max_blocks) {
  FRACTALRAY_DCHECK(margin >= 0, margin);
  std::set<Vec3i> seen(cells.begin(), cells.end());
  std::set<Vec3i> ring = seen;
  std::vector<NearBlock> blocks;
  for (int distance = 1; distance <= margin; ++distance) {
    std::set<Vec3i> next;
    for (const Vec3i& cell : ring) {
      forEachNeighbour(cell, [&](const Vec3i& neighbour) {
        if (seen.insert(neighbour).second) next.insert(neighbour);
      });
    }
    for (const Vec3i& cell : next) {
      const BlockCoord block = blockAt(cell);
      const BlockTypeId type = typeAt(context, level, block);
      if (type == kAir || !isExposed(context, level, block)) continue;
      if (blocks.size() == max_blocks) return blocks;
      blocks.push_back({block, type});
    }
    ring = std::move(next);
  }
  return blocks;
}

}  // namespace fractalray
