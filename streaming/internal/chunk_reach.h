// SPDX-License-Identifier: Apache-2.0
// The reach of viewers: the distances of chunks to them, and the chunks within their radii.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"

#include "../../core/frame.h"
#include "../../core/frame_move.h"
#include "../../core/units.h"
#include "../../core/vec.h"
#include "../../levels/world.h"
#include "../stream_options.h"

namespace fractalray::internal {

// The viewers of a search, and how far each may move without a change of its outcome.
struct SearchReach {
  std::vector<Vec3i> viewers;
  std::int64_t fractions = -1;  // of a chunk width of the level (ChunkReach); -1 to search again
};

// Distances are squares of multiples of 2^-16 chunk widths ("fractions") of the chunk's own level,
// from a viewer to the nearest point of the closed chunk, each axis rounded down: integers, so that
// all machines decide alike. Saturated at a distance of 2^14 chunk widths on each axis.
class ChunkReach {
 public:
  // Requires: options of the frame, as checkStreamOptions() accepts them.
  ChunkReach(const Frame& frame, const StreamOptions& options);

  // Sets the viewers, in units. Requires: they are in the frame.
  void setViewers(std::span<const Vec3i> viewers);
  const std::vector<Vec3i>& viewers() const { return viewers_; }

  bool isStreamed(int level) const { return load_[index(level)] >= 0; }
  // Returns the distance to the nearest viewer; the greatest one if there are none.
  std::int64_t distance(int level, const ChunkCoord& chunk) const {
    return distanceToAny(viewers_, level, chunk);
  }
  // Returns true for a distance at which a chunk of the level is kept; at which it is loaded.
  bool isKept(int level, std::int64_t distance) const { return distance <= keep_[index(level)]; }
  bool isToLoad(int level, std::int64_t distance) const { return distance <= load_[index(level)]; }

  // Calls `visit(box)` for boxes, one for each viewer, that together contain every chunk of a level
  // within the load radius and one chunk width more, and others.
  void forEachBox(int level, absl::FunctionRef<void(const ChunkBox&)> visit) const;
  // Returns true for a chunk that is in the box of a viewer before `viewer`: it has been found.
  bool isInEarlierBox(std::size_t viewer, int level, const ChunkCoord& chunk) const;
  // Returns the distance of what is in no box, or a lesser one. Requires: the level is streamed.
  std::int64_t distanceOfBoxes(int level) const;

  // Return how far viewers may move: so that chunks up to the distance `farthest` are kept; so that
  // none of those not to be loaded, the nearest of which has the distance `nearest`, is to be
  // loaded.
  SearchReach untilNotKept(int level, std::int64_t farthest) const;
  SearchReach untilToLoad(int level, std::int64_t nearest) const;
  // Shortens what untilNotKept() has returned so that one more chunk is kept.
  void keepToo(SearchReach& reach, int level, const ChunkCoord& chunk) const noexcept;
  // Returns a reach for `level`, before a move of the frame, as one for the level that it becomes:
  // one to search again, if that level has other radii or a viewer leaves the frame.
  SearchReach afterMove(const FrameMove& move, int level, SearchReach reach) const noexcept;
  // Returns true if there are as many viewers as then, and none has moved farther.
  bool isWithin(int level, const SearchReach& reach) const;

 private:
  static std::size_t index(int level) { return static_cast<std::size_t>(level); }
  std::int64_t distanceTo(const Vec3i& viewer, int level, const ChunkCoord& chunk) const;
  std::int64_t distanceToAny(const std::vector<Vec3i>& viewers, int level,
                             const ChunkCoord& chunk) const;
  std::int64_t fractionsUntilNotKept(int level, std::int64_t farthest) const;
  ChunkBox boxOf(const Vec3i& viewer, int level) const;

  Frame frame_;
  // Squares of the radii, -1 for levels that are not streamed; and the radii themselves.
  std::array<std::int64_t, kMaxLevels> load_{};
  std::array<std::int64_t, kMaxLevels> keep_{};
  std::array<std::int64_t, kMaxLevels> load_radius_{};
  std::array<std::int64_t, kMaxLevels> keep_radius_{};
  std::vector<Vec3i> viewers_;
};

}  // namespace fractalray::internal
