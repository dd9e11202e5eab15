// SPDX-License-Identifier: Apache-2.0
// A move of the frame: what the levels, chunks and coordinates of a world are afterwards.
#pragma once

#include <cstdint>
#include <optional>

#include "frame.h"
#include "vec.h"

namespace fractalray {

// The map from the coordinates before a move to those after it. The frame keeps its number of
// levels; nothing in the world moves, only what it is called:
//
//   descend(d)    level l is l - 1, and the level-1 chunk d is the level-0 chunk (0, 0, 0)
//   climb(s)      level l is l + 1, and the level-0 chunk (0, 0, 0) is the level-1 chunk s
//   recenter(d)   the level-0 chunk d is (0, 0, 0)
//
// An engine converts with it what it keeps itself: a camera, segments, places of chunks. Window
// (query/window.h) makes the moves. A value; const use is safe from any thread. Costs O(1), and
// allocates nothing.
class FrameMove {
 public:
  // Any chunk may be given, also one outside of the frame.
  static FrameMove descend(const Frame& frame, const ChunkCoord& chunk);
  static FrameMove recenter(const Frame& frame, const ChunkCoord& chunk);
  // Requires: 0 to 15 on each axis.
  static FrameMove climb(const Frame& frame, const ChunkCoord& step);

  const Frame& frame() const { return frame_; }

  // Returns by how much level numbers grow: -1, 0 or 1; and the level that `level` is afterwards,
  // which may not be active.
  int levels() const { return levels_; }
  int levelAfter(int level) const { return level + levels_; }

  // Returns what is added to the index of a chunk of an active level; nothing if all chunks of the
  // level leave the frame, or the level is not active afterwards. Whole areas of 16 chunks, but for
  // one level: level 1 of a descent, level 0 of the others.
  std::optional<Vec3i> chunkOffset(int level) const;
  // Return the index of a chunk or a block afterwards, on levelAfter(level); nothing if its chunk
  // is dropped: if that level is not active, or it leaves the frame. Requires: it is in the frame.
  std::optional<ChunkCoord> chunkAfter(int level, const ChunkCoord& chunk) const;
  std::optional<BlockCoord> blockAfter(int level, const BlockCoord& block) const;

  // Returns a point in units afterwards, nothing if it leaves the frame: exactly, but for climb(),
  // which rounds to the nearest unit, halves upwards. Requires: it is in the frame.
  std::optional<Vec3i> pointAfter(const Vec3i& point) const;
  // Returns a size in units afterwards, rounded like a point. Requires: 0 <= size < C(0).
  std::int64_t sizeAfter(std::int64_t size) const;

 private:
  FrameMove(const Frame& frame, int levels, const ChunkCoord& offset, bool is_far)
      : frame_(frame), levels_(levels), offset_(offset), is_far_(is_far) {}

  // Returns true if an index of `chunk` is beyond `limit`, on either side.
  static bool isFar(const ChunkCoord& chunk, std::int64_t limit);

  Frame frame_;
  int levels_;
  // What is added to the chunk indices of level 1 of a descent, of level 0 of the others.
  ChunkCoord offset_;
  bool is_far_;  // true if nothing that is in the frame stays there
};

}  // namespace fractalray
