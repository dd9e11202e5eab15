// SPDX-License-Identifier: Apache-2.0
// The frame: the number of active levels, and with it the widths of the blocks and chunks of each
// level.
#pragma once

#include <compare>
#include <cstdint>

#include "check.h"
#include "units.h"
#include "vec.h"

namespace fractalray {

// The geometry shared by a world and its entity index. Level 0 is the coarsest, levels() - 1 the
// finest; a block of a level is as wide as a chunk of the next finer one. A value type; const use
// is safe from any thread.
class Frame {
 public:
  // Requires: 1 <= levels <= kMaxLevels.
  explicit constexpr Frame(int levels) : levels_(levels) {
    FRACTALRAY_CHECK(levels >= 1 && levels <= kMaxLevels, levels);
  }

  constexpr int levels() const { return levels_; }
  constexpr bool isActive(int level) const { return level >= 0 && level < levels_; }

  // Return log2 of the width of a block and of a chunk of `level`, in units.
  constexpr int blockShift(int level) const { return 16 + 4 * (levels_ - 1 - level); }
  constexpr int chunkShift(int level) const { return blockShift(level) + 4; }
  // Return the width W(level) of a block of `level`, and the width C(level) of a chunk, in units.
  constexpr std::int64_t blockWidth(int level) const {
    return std::int64_t{1} << blockShift(level);
  }
  constexpr std::int64_t chunkWidth(int level) const {
    return std::int64_t{1} << chunkShift(level);
  }

  // Returns the block and the chunk of `level` that a point in units belongs to: floor per axis.
  constexpr BlockCoord blockAt(const Vec3i& point, int level) const {
    return shifted<BlockCoord>(point, blockShift(level));
  }
  constexpr ChunkCoord chunkAt(const Vec3i& point, int level) const {
    return shifted<ChunkCoord>(point, chunkShift(level));
  }

  // Returns true if the whole chunk lies within kMaxCoordinate of the origin on each axis.
  constexpr bool contains(int level, const ChunkCoord& chunk) const {
    const std::int64_t limit = kMaxCoordinate >> chunkShift(level);
    for (int axis = 0; axis < 3; ++axis) {
      if (chunk[axis] < -limit || chunk[axis] >= limit) return false;
    }
    return true;
  }

  friend constexpr bool operator==(const Frame&, const Frame&) = default;

 private:
  template <class Coord>
  static constexpr Coord shifted(const Vec3i& point, int shift) {
    return {point[0] >> shift, point[1] >> shift, point[2] >> shift};
  }

  int levels_;
};

// A chunk by its level and index, loaded or not. Ordered by level, then by index.
struct ChunkOfLevel {
  int level = 0;
  ChunkCoord chunk{};

  friend constexpr auto operator<=>(const ChunkOfLevel&, const ChunkOfLevel&) = default;
};

// Returns the chunk that a block lies in and the block's index within it (x + 16 y + 256 z), and
// back.
constexpr ChunkCoord chunkOf(const BlockCoord& block) {
  return {block[0] >> 4, block[1] >> 4, block[2] >> 4};
}
constexpr int indexInChunk(const BlockCoord& block) {
  return static_cast<int>((block[0] & 15) | ((block[1] & 15) << 4) | ((block[2] & 15) << 8));
}
constexpr BlockCoord blockOf(const ChunkCoord& chunk, int index) {
  return {chunk[0] * kChunkSize + (index & 15), chunk[1] * kChunkSize + ((index >> 4) & 15),
          chunk[2] * kChunkSize + (index >> 8)};
}
// Returns the block that expands into a chunk: a chunk of level l fills the same space as the block
// of level l - 1 with the same index.
constexpr BlockCoord parentBlock(const ChunkCoord& chunk) {
  return {chunk[0], chunk[1], chunk[2]};
}
constexpr ChunkCoord childChunk(const BlockCoord& block) {
  return {block[0], block[1], block[2]};
}

}  // namespace fractalray
