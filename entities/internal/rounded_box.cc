// SPDX-License-Identifier: Apache-2.0
#include "rounded_box.h"

#include <algorithm>

#include "../../core/check.h"
#include "entity_chunks.h"
#include "shape_geometry.h"

namespace fractalray::internal {
namespace {

// Returns the least corner of a chunk, and the extent from there to the greatest.
Vec3i cornerOf(const ChunkCoord& chunk, int chunk_shift) {
  const std::int64_t width = std::int64_t{1} << chunk_shift;
  return {chunk[0] * width, chunk[1] * width, chunk[2] * width};
}
Vec3i diagonal(int chunk_shift) {
  const std::int64_t width = std::int64_t{1} << chunk_shift;
  return {width, width, width};
}

// Returns the squared distance of a chunk from the reach's box.
absl::int128 squaredGapTo(const ChunkCoord& chunk, const RoundedBox& reach, int chunk_shift) {
  const Vec3i min = cornerOf(chunk, chunk_shift);
  return squaredGap(min, min + diagonal(chunk_shift), reach.min, reach.max);
}

}  // namespace

bool isReportingChunk(const ChunkCoord& chunk, const Entity& entity, const RoundedBox& reach,
                      int chunk_shift) {
  const ChunkRange range = chunkRange(entity.shape, entity.position, chunk_shift);
  FRACTALRAY_DCHECK(range.contains(chunk), chunk[0], chunk[1], chunk[2]);
  if (range.isOne()) return true;
  // The nearest chunk on each axis: a box is in it, and nearly every sphere.
  ChunkCoord nearest;
  for (int axis = 0; axis < 3; ++axis)
    nearest[axis] = std::clamp(reach.min[axis] >> chunk_shift, range.first[axis], range.last[axis]);
  if (chunk == nearest) return true;
  const Vec3i min = cornerOf(nearest, chunk_shift);
  if (overlapsBox(entity.shape, entity.position, min, min + diagonal(chunk_shift))) return false;
  // A sphere that misses that chunk at its corner: the first of the nearest chunks that contain it.
  const EntityChunks chunks = overlappedChunks(entity.shape, entity.position, chunk_shift);
  const absl::int128 gap = squaredGapTo(chunk, reach, chunk_shift);
  return std::all_of(chunks.begin(), chunks.end(), [&](const ChunkCoord& other) {
    const absl::int128 other_gap = squaredGapTo(other, reach, chunk_shift);
    return other_gap > gap || (other_gap == gap && chunk <= other);
  });
}

}  // namespace fractalray::internal
