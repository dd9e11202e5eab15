// SPDX-License-Identifier: Apache-2.0
#include "sight_scope.h"

#include <algorithm>

#include "../../../core/internal/access.h"
#include "../../../core/internal/geometry/unit_box.h"
#include "../../../levels/internal/shape_crossing.h"
#include "../../../levels/internal/world_content.h"
#include "../search/block_acceptance.h"

namespace fractalray::internal {
namespace {

QueryOptions lineOptions(const SightOptions& options) {
  QueryOptions lines;
  lines.filter.blocks = options.filter.blocks;
  lines.filter.channel = options.filter.channel;
  lines.filter.entities = false;
  if (options.filter.block_filter) {
    // Sees no geometry, as in the walks: an occluder is one for all lines, or for none.
    lines.filter.block_filter = [&options](const BlockHit& hit) {
      const BlockKind kind = hit.terminal ? BlockKind::kSolid : BlockKind::kPermeable;
      return acceptsBlock(options.filter, hit.level, hit.block, hit.type, kind);
    };
  }
  lines.corner = CornerPolicy::kBoth;
  return lines;
}

}  // namespace

SightScope::SightScope(const ServiceState& service, const SightQuery& sight_query, LevelMask mask,
                       const SightOptions& sight_options)
    : state(service),
      world(service.world),
      query(sight_query),
      options(sight_options),
      levels(mask.activeIn(service.world.frame())),
      hull(hullOf(sight_query.box, sight_query.eye)),
      lines(lineOptions(sight_options)) {}

bool SightScope::isLeftOut(std::span<const FixedBox> boxes) const {
  return options.filter.skip_start_inside &&
         std::any_of(boxes.begin(), boxes.end(),
                     [&](const FixedBox& box) { return containsInside(box, query.eye); });
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
    const int shift = world.frame().blockShift(at.level);
    for (const ShapeBox& box : types.boxes(shape))
      occluder.boxes.push_back(placedBox(box, block, shift));
  }
  return !isLeftOut(occluder.boxes);
}

bool SightScope::isSolidCube(const BlockAt& at) const {
  const Chunk* const chunk = world.chunk(at.level, chunkOf(at.block));
  if (chunk == nullptr) return false;
  const int index = indexInChunk(at.block);
  if (!isOccluder(at.level, *chunk, index, at.block)) return false;
  if (world.blockTypes().shape(chunk->block(index), options.filter.channel) != kWholeCube)
    return false;
  // Growth asks for many blocks, and few callers leave the block around the eye out.
  if (!options.filter.skip_start_inside) return true;
  const FixedBox cube = cubeOf(at);
  return !isLeftOut({&cube, 1});
}

FixedBox SightScope::cubeOf(const BlockAt& at) const {
  const std::int64_t width = world.frame().blockWidth(at.level);
  const Vec3i min = Vec3i{at.block[0], at.block[1], at.block[2]} * width;
  return {.min = min, .max = min + Vec3i{width, width, width}};
}

bool SightScope::isHullLoaded() const {
  for (int level = 0; level < world.frame().levels(); ++level) {
    if (!levels.contains(level)) continue;
    const ChunkBounds& bounds = Access::content(world).level(level).bounds();
    if (bounds.empty() || !bounds.isFull()) continue;
    const int shift = world.frame().chunkShift(level);
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
