// SPDX-License-Identifier: Apache-2.0
#include "sight_scope.h"

#include "../../../core/internal/access.h"
#include "../../../core/internal/geometry/unit_box.h"
#include "../../../levels/internal/shape_crossing.h"
#include "../../../levels/internal/world_content.h"
#include "../search/block_acceptance.h"

namespace fractalray::internal {

SightScope::SightScope(const ServiceState& service, const SightQuery& sight_query, LevelMask mask,
                       const SightOptions& sight_options)
    : state(service),
      world(service.world),
      frame(service.world.frame()),
      query(sight_query),
      options(sight_options),
      levels(mask.activeIn(frame)),
      hull(hullOf(sight_query.box, sight_query.eye)) {}

bool SightScope::isLeftOut(std::span<const FixedBox> boxes) const {
  return options.filter.skip_start_inside && containsInside(boxes, query.eye);
}

bool SightScope::isOccluder(int level, const Chunk& chunk, int index,
                            const BlockCoord& block) const {
  if (!options.filter.blocks || !chunk.isOccupied(index)) return false;
  if (chunk.hasLoadedChild(index) && levels.contains(level + 1)) return false;
  const BlockTypeId type = chunk.block(index);
  const BlockKind kind = acceptedKind(options.filter, world.blockTypes(), type);
  return kind == BlockKind::kSolid && acceptsBlock(options.filter, level, block, type, kind);
}

bool SightScope::setBlock(const BlockAt& at, BlockTypeId type, Occluder& occluder) const {
  occluder.begin();
  occluder.block = at;
  const BlockTypeTable& types = world.blockTypes();
  const ShapeId shape = types.shape(type, options.filter.channel);
  if (shape == kWholeCube) {
    occluder.cube = at;
    occluder.boxes.push_back(cubeOf(at));
  } else {
    const Vec3i block{at.block[0], at.block[1], at.block[2]};
    const int shift = frame.blockShift(at.level);
    for (const ShapeBox& box : types.boxes(shape))
      occluder.boxes.push_back(placedBox(box, block, shift));
  }
  return !isLeftOut(occluder.boxes);
}

bool SightScope::areSolidCubes(int level, const BlockCoord& first, const BlockCoord& last) const {
  const Chunk* chunk = nullptr;
  ChunkCoord of_chunk{};
  for (std::int64_t z = first[2]; z <= last[2]; ++z) {
    for (std::int64_t y = first[1]; y <= last[1]; ++y) {
      for (std::int64_t x = first[0]; x <= last[0]; ++x) {
        const BlockCoord block{x, y, z};
        const ChunkCoord at = chunkOf(block);
        if (chunk == nullptr || at != of_chunk) chunk = world.chunk(level, at);
        of_chunk = at;
        if (chunk == nullptr || !isSolidCube(level, *chunk, block)) return false;
      }
    }
  }
  return true;
}

bool SightScope::isSolidCube(int level, const Chunk& chunk, const BlockCoord& block) const {
  const int index = indexInChunk(block);
  if (!isOccluder(level, chunk, index, block)) return false;
  if (world.blockTypes().shape(chunk.block(index), options.filter.channel) != kWholeCube)
    return false;
  // Growth asks for many blocks, and few callers leave the block around the eye out.
  if (!options.filter.skip_start_inside) return true;
  const FixedBox cube = cubeOf({level, block});
  return !isLeftOut({&cube, 1});
}

bool SightScope::isHullLoaded() const {
  for (int level = 0; level < frame.levels(); ++level) {
    if (!levels.contains(level)) continue;
    const ChunkBounds& bounds = Access::content(world).level(level).bounds();
    if (bounds.empty() || !bounds.isFull()) continue;
    const int shift = frame.chunkShift(level);
    bool is_inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      is_inside = is_inside && hull.min[axis] >= bounds.min()[axis] << shift &&
                  hull.max[axis] <= (bounds.max()[axis] + 1) << shift;
    }
    if (is_inside) return true;
  }
  return false;
}

}  // namespace fractalray::internal
