// SPDX-License-Identifier: Apache-2.0
#include "chunk_reach.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "anchor_follower.h"

namespace fractalray::internal {
namespace {

constexpr int kFractionBits = 16;                             // of a chunk width
constexpr std::int64_t kMostPerAxis = std::int64_t{1} << 30;  // three squares fit 63 bits

std::int64_t fixed(double chunks) {
  return std::llround(chunks * (1 << kFractionBits));
}

}  // namespace

ChunkReach::ChunkReach(const Frame& frame, const StreamOptions& options) : frame_(frame) {
  load_.fill(-1);
  keep_.fill(-1);
  for (std::size_t level = 0; level < options.radii.size(); ++level) {
    if (!options.radii[level].has_value()) continue;
    load_radius_[level] = fixed(options.radii[level]->load);
    const std::int64_t keep = fixed(options.radii[level]->keep);
    load_[level] = load_radius_[level] * load_radius_[level];
    keep_[level] = keep * keep;
  }
}

std::int64_t ChunkReach::distanceTo(const Vec3i& viewer, int level, const ChunkCoord& chunk) const {
  const int shift = frame_.chunkShift(level);
  std::int64_t sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t min = chunk[axis] * (std::int64_t{1} << shift);
    const std::int64_t max = min + (std::int64_t{1} << shift);
    const std::int64_t gap = std::max({std::int64_t{0}, min - viewer[axis], viewer[axis] - max});
    const std::int64_t scaled = std::min(gap >> (shift - kFractionBits), kMostPerAxis);
    sum += scaled * scaled;
  }
  return sum;
}

std::int64_t ChunkReach::distance(int level, const ChunkCoord& chunk) const {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const Vec3i& viewer : viewers_)
    least = std::min(least, distanceTo(viewer, level, chunk));
  return least;
}

ChunkBox ChunkReach::boxOf(const Vec3i& viewer, int level) const {
  const int shift = frame_.chunkShift(level);
  // One fraction more: distances are rounded down.
  const std::int64_t radius = (load_radius_[index(level)] + 1) << (shift - kFractionBits);
  ChunkBox box;
  for (int axis = 0; axis < 3; ++axis) {
    box.min[axis] = (viewer[axis] - radius) >> shift;
    box.max[axis] = (viewer[axis] + radius) >> shift;
  }
  return box;
}

void ChunkReach::forEachBox(int level, absl::FunctionRef<void(const ChunkBox&)> visit) const {
  for (const Vec3i& viewer : viewers_)
    visit(boxOf(viewer, level));
}

std::optional<std::int64_t> ChunkReach::firstFound(std::size_t viewer, int level,
                                                   const ChunkCoord& chunk) const {
  for (std::size_t before = 0; before < viewer; ++before) {
    if (isInBox(boxOf(viewers_[before], level), chunk)) return std::nullopt;
  }
  const std::int64_t least = distance(level, chunk);
  if (least > load_[index(level)]) return std::nullopt;
  return least;
}

}  // namespace fractalray::internal
