// SPDX-License-Identifier: Apache-2.0
#include "block_pass_plain.h"

#include <algorithm>
#include <optional>

#include "../../../core/internal/access.h"
#include "../../../core/internal/geometry/line_walk.h"
#include "../../../core/internal/tree64/sparse_cell_set.h"
#include "../../../levels/internal/world_content.h"
#include "coverage.h"

namespace fractalray::internal {

void skipCube(GridWalk<3>& walk, const Vec3i& chunk, int log2, std::int64_t cells) {
  Vec3i min;
  Vec3i max;
  for (int axis = 0; axis < 3; ++axis) {
    min[axis] = cubeMin(chunk[axis], log2) * cells;
    max[axis] = (cubeMax(chunk[axis], log2) + 1) * cells - 1;
  }
  walk.skipInside(min, max);
}

void collectBlocksPlain(CandidateCollector& collector, int level) {
  const QueryContext& context = collector.context;
  const std::optional<TimeSpan> inside = clipToBounds(context.world, level, context.line);
  if (!inside.has_value()) return;
  GridWalk<3> walk =
      walkAlong(context.line, context.world.frame().blockShift(level), context.options.corner);
  Fraction start = inside->from;
  // A shape may be hit from the start on, although its cell was entered before.
  if (collector.start() != nullptr && !context.hasShapes()) {
    start = std::max(start, collector.start()->lowerBound());
  }
  if (start > walk.cell().t) {
    walk.skipBefore(start);
    if (!walk.next()) return;
  }
  const HitTime end = std::min(collector.limit().time, HitTime(inside->to));
  const Level& chunks = Access::content(context.world).level(level);
  std::optional<ChunkCoord> at;
  const Chunk* chunk = nullptr;  // the chunk at `at`, kept from cell to cell
  do {
    const GridCell<3>& cell = walk.cell();
    if (HitTime(cell.t) > end) return;
    const BlockCoord block{cell.cell[0], cell.cell[1], cell.cell[2]};
    if (at != chunkOf(block)) {
      at = chunkOf(block);
      chunk = chunks.find(*at);
      if (chunk != nullptr) ++collector.stats.chunks;
    }
    if (chunk != nullptr) {
      if (!collector.spend(collector.stats.cells)) return;
      const int index = indexInChunk(block);
      if (context.isPresent(level, *chunk, index) &&
          collector.addBlock(level, chunk->block(index), block, cell)) {
        return;
      }
    } else {
      if (!collector.spend(collector.stats.skips)) return;
      const Vec3i cube{(*at)[0], (*at)[1], (*at)[2]};
      if (!walk.atCorner()) skipCube(walk, cube, *chunks.emptyCubeLog2(*at), kChunkSize);
    }
  } while (walk.next());
}

}  // namespace fractalray::internal
