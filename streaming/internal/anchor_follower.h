// SPDX-License-Identifier: Apache-2.0
// The position of a window's frame below the root, and how it has moved since it was last asked
// for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "../../core/frame.h"
#include "../../core/vec.h"
#include "../../levels/chunk_path.h"
#include "../../levels/world.h"
#include "../../query/window.h"
#include "../stream_options.h"

namespace fractalray::internal {

// Returns the chunk at an offset, in chunks, from another.
inline ChunkCoord chunkAt(const ChunkCoord& chunk, const Vec3i& offset) {
  return {chunk[0] + offset[0], chunk[1] + offset[1], chunk[2] + offset[2]};
}

// The map from the chunks of one frame to those of another, which any moves of a window lead to.
class FrameShift {
 public:
  // Cost: O(steps of the paths).
  FrameShift(const Frame& frame, const ChunkPath& before, const ChunkPath& after);

  // Returns the number of a level after the moves, which may be inactive.
  int levelAfter(int level) const { return level + steps_before_; }
  // Returns the offset that is added to the indices of the chunks of a level, saturated; nothing if
  // the level is inactive after the moves.
  std::optional<Vec3i> chunkOffset(int level) const;
  // Returns the chunk after the moves; nothing if its level is inactive then, or it is outside of
  // the frame.
  std::optional<ChunkOfLevel> chunkAfter(int level, const ChunkCoord& chunk) const;

 private:
  Frame frame_;
  int steps_before_;  // that the anchor before has more than the one after; saturated
  int depth_;         // the levels by which the deeper anchor is below the one before
  Vec3i offset_{};    // between the anchors, in chunks of the deeper one; saturated
};

// Remembers the anchor of a window. Copies share it.
class AnchorFollower {
 public:
  explicit AnchorFollower(const Window& window);

  // Returns true if the window has moved since.
  bool hasMoved(const Window& window) const { return moves_ != window.moves(); }
  // Returns the map from the frame remembered to the present one.
  FrameShift shift(const Window& window) const;

  const std::shared_ptr<const ChunkPath>& anchor() const { return anchor_; }
  // Returns the chunks of a level that are in the root and in the frame, inclusive.
  ChunkBox box(int level) const;

 private:
  std::shared_ptr<const ChunkPath> anchor_;
  std::uint64_t moves_;
  ChunkBox box_;  // of level 0
};

// Returns true if a chunk is in a box.
inline bool isInBox(const ChunkBox& box, const ChunkCoord& chunk) {
  bool is_inside = true;
  for (int axis = 0; axis < 3; ++axis)
    is_inside = is_inside && chunk[axis] >= box.min[axis] && chunk[axis] <= box.max[axis];
  return is_inside;
}

}  // namespace fractalray::internal
