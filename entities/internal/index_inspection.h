// SPDX-License-Identifier: Apache-2.0
// Shows in which chunks an entity index stores its entities: for tools and tests.
#pragma once

#include <optional>
#include <vector>

#include "../../core/level_mask.h"
#include "../../core/vec.h"
#include "../entity.h"
#include "../entity_index.h"

namespace fractalray::internal {

// Returns the entities in a chunk of an index level, in no particular order.
std::vector<EntityHandle> inChunk(const EntityIndex& index, int index_level,
                                  const ChunkCoord& chunk);
// Returns log2 of the width, in chunks, of an aligned cube around `chunk` with no entity of that
// index level; nothing if the chunk holds one. Requires: an active level.
std::optional<int> emptyCubeLog2(const EntityIndex& index, int index_level,
                                 const ChunkCoord& chunk);
// Returns the index levels that store any entity whose own level is in the mask. Cost: O(1), or
// O(entities) after a descent of the frame.
LevelMask indexLevels(const EntityIndex& index, LevelMask own_levels);

}  // namespace fractalray::internal
