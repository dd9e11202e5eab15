// SPDX-License-Identifier: Apache-2.0
// The reach of viewers: the distances of chunks to them, and the chunks within their radii.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"

#include "../../core/frame.h"
#include "../../core/units.h"
#include "../../core/vec.h"
#include "../../levels/world.h"
#include "../stream_options.h"

namespace fractalray::internal {

// Distances are squares of multiples of 2^-16 chunk widths of the chunk's own level, from a viewer
// to the nearest point of the closed chunk, each axis rounded down: integers, so that all machines
// decide alike. Saturated at a distance of 2^14 chunk widths on each axis.
class ChunkReach {
 public:
  // Requires: options of the frame, as checkStreamOptions() accepts them.
  ChunkReach(const Frame& frame, const StreamOptions& options);

  // Sets the viewers, in units. Requires: they are in the frame.
  void setViewers(std::span<const Vec3i> viewers) {
    viewers_.assign(viewers.begin(), viewers.end());
  }
  const std::vector<Vec3i>& viewers() const { return viewers_; }

  bool isStreamed(int level) const { return load_[index(level)] >= 0; }
  // Returns the distance to the nearest viewer; the greatest one if there are none.
  std::int64_t distance(int level, const ChunkCoord& chunk) const;
  // Returns true for a distance at which a chunk of the level is kept.
  bool isKept(int level, std::int64_t distance) const { return distance <= keep_[index(level)]; }

  // Calls `visit(box)` for boxes, one for each viewer, that together contain every chunk of a level
  // within the load radius, and others.
  void forEachBox(int level, absl::FunctionRef<void(const ChunkBox&)> visit) const;
  // Returns the distance of a chunk that is within the load radius, and in the box of no viewer
  // before `viewer`; else nothing. So a chunk in several boxes is found once.
  std::optional<std::int64_t> firstFound(std::size_t viewer, int level,
                                         const ChunkCoord& chunk) const;

 private:
  static std::size_t index(int level) { return static_cast<std::size_t>(level); }
  std::int64_t distanceTo(const Vec3i& viewer, int level, const ChunkCoord& chunk) const;
  ChunkBox boxOf(const Vec3i& viewer, int level) const;

  Frame frame_;
  // Squares of the radii, -1 for levels that are not streamed; and the load radii themselves.
  std::array<std::int64_t, kMaxLevels> load_{};
  std::array<std::int64_t, kMaxLevels> keep_{};
  std::array<std::int64_t, kMaxLevels> load_radius_{};
  std::vector<Vec3i> viewers_;
};

}  // namespace fractalray::internal
