// SPDX-License-Identifier: Apache-2.0
// A move of the frame: converts the levels, chunks and coordinates before it to those after it.
#pragma once

#include <cstdint>
#include <optional>

#include "frame.h"
#include "vec.h"

namespace fractalray {

// The map from the coordinates before a move to those after it. The frame keeps its number of
// levels; nothing in the world moves, only its coordinates change:
//
//   descend(d)    level l becomes l - 1, and level-1 chunk d becomes level-0 chunk (0, 0, 0)
//   climb(s)      level l becomes l + 1, and level-0 chunk (0, 0, 0) becomes level-1 chunk s
//   recenter(d)   level-0 chunk d becomes level-0 chunk (0, 0, 0)
//
// An engine uses it to convert its own coordinates: a camera, segments, indices of chunks. Window
// (query/window.h) makes the moves. A value; const use is safe from any thread. Each function costs
// O(1) and does not allocate.
class FrameMove {
 public:
  // Return a move to any chunk, also one outside the frame.
  static FrameMove descend(const Frame& frame, const ChunkCoord& chunk);
  static FrameMove recenter(const Frame& frame, const ChunkCoord& chunk);
  // Returns a climb. Requires: each component of `step` is 0 to 15.
  static FrameMove climb(const Frame& frame, const ChunkCoord& step);

  const Frame& frame() const { return frame_; }

  // Returns the number that is added to each level: -1 for a descent, 1 for a climb, else 0.
  int levels() const { return levels_; }
  // Returns the chunk of descend() and recenter(), the step of climb().
  const ChunkCoord& chunk() const { return chunk_; }
  // Returns the level that `level` becomes, which may be inactive.
  int levelAfter(int level) const { return level + levels_; }

  // Returns the offset that is added to the indices of the chunks of an active level; nothing if
  // all chunks of the level leave the frame, or the level becomes inactive. The offset is a
  // multiple of 16 chunks except on one level: level 1 of a descent, level 0 of the other moves.
  std::optional<Vec3i> chunkOffset(int level) const;
  // Return the index that a chunk or a block of `level` has after the move, on levelAfter(level);
  // nothing if its chunk is dropped: if that level is inactive, or the chunk leaves the frame.
  // Requires: the chunk is in the frame.
  std::optional<ChunkCoord> chunkAfter(int level, const ChunkCoord& chunk) const;
  std::optional<BlockCoord> blockAfter(int level, const BlockCoord& block) const;

  // Returns the coordinates, in units, that a point has after the move; nothing if it leaves the
  // frame. Exact, except that climb() rounds to the nearest unit, halves upwards. Requires: the
  // point is in the frame.
  std::optional<Vec3i> pointAfter(const Vec3i& point) const;
  // Returns a size, in units, after the move, rounded like a point. Requires: size is at least 0
  // and less than the width of a level-0 chunk.
  std::int64_t sizeAfter(std::int64_t size) const;

 private:
  FrameMove(const Frame& frame, int levels, const ChunkCoord& chunk, bool is_far)
      : frame_(frame), levels_(levels), chunk_(chunk), is_far_(is_far) {}

  // Returns true if a component of `chunk` is outside [-limit, limit].
  static bool isFar(const ChunkCoord& chunk, std::int64_t limit);
  // Returns what is added to the chunk indices of level 1 of a descent, of level 0 of the other
  // moves. Requires: !is_far_.
  Vec3i offset() const;

  Frame frame_;
  int levels_;
  ChunkCoord chunk_;
  bool is_far_;  // true if everything leaves the frame
};

}  // namespace fractalray
