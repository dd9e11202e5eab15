// SPDX-License-Identifier: Apache-2.0
// The reach of viewers: the distances of chunks to them, and the chunks within their radii.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../core/check.h"
#include "../../core/frame.h"
#include "../../core/units.h"
#include "../../core/vec.h"
#include "../../levels/world.h"
#include "../stream_options.h"
#include "chunk_ball.h"
#include "viewer_tree.h"

namespace fractalray::internal {

// Distances are those of ViewerTree, in fractions of a chunk width of the chunk's own level.
class ChunkReach {
 public:
  // Requires: options of the frame, as checkStreamOptions() accepts them.
  ChunkReach(const Frame& frame, const StreamOptions& options);

  // Sets the viewers, in units; changes nothing if memory runs out. Requires: they are in the
  // frame. Cost: O(n log n).
  void setViewers(std::span<const Vec3i> viewers);
  const std::vector<Vec3i>& viewers() const { return viewers_; }

  bool isStreamed(int level) const { return load_[index(level)] >= 0; }
  // Returns the distance to the nearest viewer; ViewerTree::kNone if there are none.
  std::int64_t distance(int level, const ChunkCoord& chunk) const {
    return tree_.distance(unitsOf(level, {chunk, chunk}), fractionShift(level));
  }
  // Returns true for a distance at which a chunk of the level is loaded.
  bool isToLoad(int level, std::int64_t distance) const { return distance <= load_[index(level)]; }
  // Return true if a chunk is at such a distance, or where it is kept; if a chunk of a box may be
  // at such a distance.
  bool isKept(int level, const ChunkCoord& chunk) const {
    return isWithin(level, {chunk, chunk}, keep_[index(level)]);
  }
  bool isToLoad(int level, const ChunkBox& box) const {
    return isWithin(level, box, load_[index(level)]);
  }

  // Return the chunks that a viewer loads, and those that it keeps. Requires: the level is
  // streamed.
  ChunkBall loadBall(int level, const Vec3i& viewer) const {
    FRACTALRAY_DCHECK(isStreamed(level), level);
    return {frame_.chunkShift(level), viewer, load_radius_[index(level)]};
  }
  ChunkBall keepBall(int level, const Vec3i& viewer) const {
    FRACTALRAY_DCHECK(isStreamed(level), level);
    return {frame_.chunkShift(level), viewer, keep_radius_[index(level)]};
  }
  bool hasSameRadii(int level, int other) const {
    return load_[index(level)] == load_[index(other)] && keep_[index(level)] == keep_[index(other)];
  }
  // Returns the units of a fraction of a chunk width, as a power of two.
  int fractionShift(int level) const { return frame_.chunkShift(level) - kFractionBits; }

 private:
  static std::size_t index(int level) { return static_cast<std::size_t>(level); }
  UnitBox unitsOf(int level, const ChunkBox& box) const;
  bool isWithin(int level, const ChunkBox& box, std::int64_t distance) const {
    return tree_.isWithin(unitsOf(level, box), fractionShift(level), distance);
  }

  Frame frame_;
  // Squares of the radii, -1 for levels that are not streamed; and the radii themselves.
  std::array<std::int64_t, kMaxLevels> load_{};
  std::array<std::int64_t, kMaxLevels> keep_{};
  std::array<std::int64_t, kMaxLevels> load_radius_{};
  std::array<std::int64_t, kMaxLevels> keep_radius_{};
  std::vector<Vec3i> viewers_;
  ViewerTree tree_;
};

}  // namespace fractalray::internal
