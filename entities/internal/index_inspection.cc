// SPDX-License-Identifier: Apache-2.0
#include "index_inspection.h"

#include <algorithm>
#include <cstdint>

#include "../../core/internal/access.h"
#include "entity_chunks.h"
#include "entity_store.h"

namespace fractalray::internal {
namespace {

// Returns the chunk that holds another one, `levels` levels coarser.
ChunkCoord ancestor(const ChunkCoord& chunk, int levels) {
  const int shift = 4 * levels;
  return {chunk[0] >> shift, chunk[1] >> shift, chunk[2] >> shift};
}

// Returns the coarsest level in whose grid entities of an index level may be.
int coarsestGrid(const EntityStore& store, int index_level) {
  return store.hasCoarserGrids() ? 0 : index_level;
}

// Returns true if an entity touches a chunk of its index level.
bool touches(const Entity& entity, const ChunkCoord& chunk, const Frame& frame) {
  const EntityChunks chunks =
      overlappedChunks(entity.shape, entity.position, frame.chunkShift(entity.index_level));
  return std::find(chunks.begin(), chunks.end(), chunk) != chunks.end();
}

}  // namespace

std::vector<EntityHandle> inChunk(const EntityIndex& index, int index_level,
                                  const ChunkCoord& chunk) {
  const EntityStore& store = Access::store(index);
  std::vector<EntityHandle> handles;
  if (!store.frame().isActive(index_level)) return handles;
  for (int level = coarsestGrid(store, index_level); level <= index_level; ++level) {
    const EntityGrid& grid = store.grid(level);
    const PageList* const pages = grid.chunk(ancestor(chunk, index_level - level));
    if (pages == nullptr) continue;
    for (std::uint32_t i = 0; i < pages->count; ++i) {
      const EntityHandle handle = store.handle(grid.pool().slot(grid.pool().entryOf(*pages, i)));
      if (store.hasCoarserGrids()) {
        const Entity& entity = *store.find(handle);
        const bool is_here = entity.index_level == index_level &&
                             (level == index_level || touches(entity, chunk, store.frame()));
        if (!is_here) continue;
      }
      handles.push_back(handle);
    }
  }
  return handles;
}

std::optional<int> emptyCubeLog2(const EntityIndex& index, int index_level,
                                 const ChunkCoord& chunk) {
  const EntityStore& store = Access::store(index);
  std::optional<int> empty = store.grid(index_level).emptyCubeLog2(chunk);
  if (!store.hasCoarserGrids()) return empty;
  if (!inChunk(index, index_level, chunk).empty()) return std::nullopt;
  for (int level = 0; level < index_level && empty.has_value(); ++level) {
    const int levels = index_level - level;
    const std::optional<int> around = store.grid(level).emptyCubeLog2(ancestor(chunk, levels));
    empty = around.has_value() ? std::min(*empty, *around + 4 * levels) : 0;
  }
  return empty.value_or(0);
}

LevelMask indexLevels(const EntityIndex& index, LevelMask own_levels) {
  const EntityStore& store = Access::store(index);
  if (!store.hasCoarserGrids()) return store.gridLevels(own_levels);
  LevelMask levels;
  for (const EntityHandle handle : index.all()) {
    const Entity& entity = *store.find(handle);
    if (own_levels.contains(entity.level)) levels.add(entity.index_level);
  }
  return levels;
}

}  // namespace fractalray::internal
