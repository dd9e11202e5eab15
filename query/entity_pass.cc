// SPDX-License-Identifier: Apache-2.0
#include "fractalray/query/entity_pass.h"

#include "fractalray/core/grid_walk.h"
#include "fractalray/query/plain_pass.h"

namespace fractalray::internal {

void gatherEntitiesOf(Gathering& gathering, int index_level) {
  const Scene& scene = gathering.scene;
  const std::int64_t width = scene.world.frame().chunkWidth(index_level);
  // Which corner cells are visited does not matter: a shape that is met there is in every chunk
  // there.
  GridWalk<3> walk(scene.line.from(), scene.line.segment().to, {width, width, width},
                   CornerPolicy::kNeither);
  do {
    const GridCell<3>& cell = walk.cell();
    if (HitTime(cell.t) > gathering.clip()) return;
    const ChunkCoord chunk{cell.cell[0], cell.cell[1], cell.cell[2]};
    if (const auto empty = scene.entities.emptyCubeLog2(index_level, chunk)) {
      if (!gathering.spend(gathering.stats.skips)) return;
      skipCube(walk, cell.cell, *empty, 1);
      continue;
    }
    if (!gathering.spend(gathering.stats.index_cells)) return;
    for (const EntityHandle handle : scene.entities.inChunk(index_level, chunk)) {
      gathering.meetEntity(handle);
    }
  } while (walk.next());
}

}  // namespace fractalray::internal
