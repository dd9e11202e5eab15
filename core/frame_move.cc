// SPDX-License-Identifier: Apache-2.0
#include "frame_move.h"

#include <cstdlib>

#include "check.h"
#include "units.h"

namespace fractalray {

bool FrameMove::isFar(const ChunkCoord& chunk, std::int64_t limit) {
  for (int axis = 0; axis < 3; ++axis) {
    if (chunk[axis] < -limit || chunk[axis] > limit) return true;
  }
  return false;
}

FrameMove FrameMove::descend(const Frame& frame, const ChunkCoord& chunk) {
  // With N level-0 chunks on each side of the origin, level-1 indices are within 16 N, and those
  // that stay are within N of `chunk`: beyond 17 N nothing stays.
  const bool is_far = isFar(chunk, 32 * (kMaxCoordinate >> frame.chunkShift(0)));
  return {frame, -1, chunk, is_far};
}

FrameMove FrameMove::recenter(const Frame& frame, const ChunkCoord& chunk) {
  const bool is_far = isFar(chunk, 2 * (kMaxCoordinate >> frame.chunkShift(0)));
  return {frame, 0, chunk, is_far};
}

FrameMove FrameMove::climb(const Frame& frame, const ChunkCoord& step) {
  for (int axis = 0; axis < 3; ++axis)
    FRACTALRAY_DCHECK(step[axis] >= 0 && step[axis] < kChunkSize, axis, step[axis]);
  return {frame, 1, step, false};
}

Vec3i FrameMove::offset() const {
  const Vec3i chunk{chunk_[0], chunk_[1], chunk_[2]};
  return levels_ > 0 ? chunk : chunk * -1;
}

std::optional<Vec3i> FrameMove::chunkOffset(int level) const {
  FRACTALRAY_DCHECK(frame_.isActive(level), level);
  if (is_far_ || !frame_.isActive(levelAfter(level))) return std::nullopt;
  // Below 2^44: level l has at most 2^41 chunks on one side of the origin.
  const int shift = 4 * (levels_ < 0 ? level - 1 : level);
  return offset() * (std::int64_t{1} << shift);
}

std::optional<ChunkCoord> FrameMove::chunkAfter(int level, const ChunkCoord& chunk) const {
  const std::optional<Vec3i> offset = chunkOffset(level);
  FRACTALRAY_DCHECK(frame_.contains(level, chunk), level, chunk[0], chunk[1], chunk[2]);
  if (!offset.has_value()) return std::nullopt;
  const ChunkCoord after{chunk[0] + (*offset)[0], chunk[1] + (*offset)[1], chunk[2] + (*offset)[2]};
  if (!frame_.contains(levelAfter(level), after)) return std::nullopt;
  return after;
}

std::optional<BlockCoord> FrameMove::blockAfter(int level, const BlockCoord& block) const {
  const std::optional<ChunkCoord> chunk = chunkAfter(level, chunkOf(block));
  if (!chunk.has_value()) return std::nullopt;
  return blockOf(*chunk, indexInChunk(block));
}

std::optional<Vec3i> FrameMove::pointAfter(const Vec3i& point) const {
  for (int axis = 0; axis < 3; ++axis)
    FRACTALRAY_DCHECK(std::abs(point[axis]) <= kMaxCoordinate, axis, point[axis]);
  if (is_far_) return std::nullopt;
  // C(1), also of a frame without a level 1, or C(0). The offset is at most 2^62 units, so that the
  // sum fits.
  const std::int64_t width = frame_.chunkWidth(0) >> (levels_ < 0 ? 4 : 0);
  const std::int64_t limit = levels_ < 0 ? kMaxCoordinate / 16 : kMaxCoordinate;
  const Vec3i by = offset() * width;
  Vec3i after;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t moved = point[axis] + by[axis];
    if (levels_ <= 0 && (moved < -limit || moved > limit)) return std::nullopt;
    after[axis] = levels_ < 0 ? moved * 16 : levels_ > 0 ? (moved + 8) >> 4 : moved;
  }
  return after;
}

std::int64_t FrameMove::sizeAfter(std::int64_t size) const {
  FRACTALRAY_DCHECK(size >= 0 && size < frame_.chunkWidth(0), size);
  if (levels_ == 0) return size;
  return levels_ < 0 ? size * 16 : (size + 8) >> 4;
}

}  // namespace fractalray
