// SPDX-License-Identifier: Apache-2.0
#include "grid_world.h"

#include <vector>

#include "unwrap.h"

namespace fractalray::bench {

std::shared_ptr<World> makeGridWorld(const Grid& grid) {
  auto world = std::make_shared<World>();
  const BlockTypeId stone =
      unwrap(world->blockTypes().add({.name = "stone", .kind = BlockKind::kSolid}));
  const BlockTypeId plant =
      unwrap(world->blockTypes().add({.name = "plant", .kind = BlockKind::kPermeable}));
  std::vector<BlockTypeId> ids(kBlocksPerChunk);
  grid.forEachChunk([&](const ChunkCoord& at) {
    for (int index = 0; index < kBlocksPerChunk; ++index) {
      const BlockKind kind = grid.kind(blockOf(at, index));
      ids[static_cast<std::size_t>(index)] = kind == BlockKind::kSolid       ? stone
                                             : kind == BlockKind::kPermeable ? plant
                                                                             : kAir;
    }
    checkOk(world->loadChunk(0, at, unwrap(Chunk::copied(Chunk::Ids(ids), world->blockTypes()))));
  });
  return world;
}

}  // namespace fractalray::bench
