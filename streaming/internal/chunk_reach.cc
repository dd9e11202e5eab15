// SPDX-License-Identifier: Apache-2.0
#include "chunk_reach.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "../../core/check.h"
#include "anchor_follower.h"

namespace fractalray::internal {
namespace {

constexpr int kFractionBits = 16;  // of a chunk width
constexpr std::int64_t kChunk = std::int64_t{1} << kFractionBits;
// By more than the rounding of a root. Nothing else is lost: if a viewer moves by some fractions on
// an axis, the rounded gap on that axis changes by no more.
constexpr std::int64_t kRounding = 1;
// The most by which rounding a viewer to units may change a distance: a fraction is at least 16
// units wide, so that each axis changes by one at most.
constexpr std::int64_t kUnitRounding = 2;
constexpr std::int64_t kMostPerAxis = std::int64_t{1} << 30;  // three squares fit 63 bits

std::int64_t fixed(double chunks) {
  return std::llround(chunks * static_cast<double>(kChunk));
}

// Returns the square root of a distance, rounded to the nearest integer.
std::int64_t root(std::int64_t distance) {
  return std::llround(std::sqrt(static_cast<double>(distance)));
}

}  // namespace

ChunkReach::ChunkReach(const Frame& frame, const StreamOptions& options) : frame_(frame) {
  FRACTALRAY_DCHECK(checkStreamOptions(options, frame).ok(), checkStreamOptions(options, frame));
  load_.fill(-1);
  keep_.fill(-1);
  for (std::size_t level = 0; level < options.radii.size(); ++level) {
    if (!options.radii[level].has_value()) continue;
    load_radius_[level] = fixed(options.radii[level]->load);
    keep_radius_[level] = fixed(options.radii[level]->keep);
    load_[level] = load_radius_[level] * load_radius_[level];
    keep_[level] = keep_radius_[level] * keep_radius_[level];
  }
}

void ChunkReach::setViewers(std::span<const Vec3i> viewers) {
  for (std::size_t i = 0; i < viewers.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis)
      FRACTALRAY_DCHECK(std::abs(viewers[i][axis]) <= kMaxCoordinate, i, axis, viewers[i][axis]);
  }
  viewers_.assign(viewers.begin(), viewers.end());
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

std::int64_t ChunkReach::distanceToAny(const std::vector<Vec3i>& viewers, int level,
                                       const ChunkCoord& chunk) const {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const Vec3i& viewer : viewers)
    least = std::min(least, distanceTo(viewer, level, chunk));
  return least;
}

ChunkBox ChunkReach::boxOf(const Vec3i& viewer, int level) const {
  const int shift = frame_.chunkShift(level);
  // One fraction more: distances are rounded down.
  const std::int64_t radius = (load_radius_[index(level)] + kChunk + 1) << (shift - kFractionBits);
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

bool ChunkReach::isInEarlierBox(std::size_t viewer, int level, const ChunkCoord& chunk) const {
  for (std::size_t before = 0; before < viewer; ++before) {
    if (isInBox(boxOf(viewers_[before], level), chunk)) return true;
  }
  return false;
}

std::int64_t ChunkReach::distanceOfBoxes(int level) const {
  FRACTALRAY_DCHECK(isStreamed(level), level);
  const std::int64_t radius = load_radius_[index(level)] + kChunk;
  return radius * radius;
}

std::int64_t ChunkReach::fractionsUntilNotKept(int level, std::int64_t farthest) const {
  return keep_radius_[index(level)] - root(farthest) - kRounding;
}

SearchReach ChunkReach::untilNotKept(int level, std::int64_t farthest) const {
  return {viewers_, fractionsUntilNotKept(level, farthest)};
}

SearchReach ChunkReach::untilToLoad(int level, std::int64_t nearest) const {
  return {viewers_, root(nearest) - load_radius_[index(level)] - kRounding};
}

void ChunkReach::keepToo(SearchReach& reach, int level, const ChunkCoord& chunk) const noexcept {
  const std::int64_t distance = distanceToAny(reach.viewers, level, chunk);
  reach.fractions = std::min(reach.fractions, fractionsUntilNotKept(level, distance));
}

SearchReach ChunkReach::afterMove(const FrameMove& move, int level,
                                  SearchReach reach) const noexcept {
  const std::size_t from = index(level);
  const std::size_t to = index(move.levelAfter(level));
  if (load_[from] != load_[to] || keep_[from] != keep_[to]) reach.fractions = -1;
  if (move.levels() > 0) reach.fractions -= kUnitRounding;
  for (Vec3i& viewer : reach.viewers) {
    const std::optional<Vec3i> moved = move.pointAfter(viewer);
    if (!moved.has_value()) reach.fractions = -1;
    viewer = moved.value_or(viewer);
  }
  return reach;
}

bool ChunkReach::isWithin(int level, const SearchReach& reach) const {
  if (reach.fractions < 0 || reach.viewers.size() != viewers_.size()) return false;
  const int shift = frame_.chunkShift(level) - kFractionBits;
  for (std::size_t i = 0; i < viewers_.size(); ++i) {
    std::int64_t sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t moved = std::abs(viewers_[i][axis] - reach.viewers[i][axis]);
      const std::int64_t scaled = std::min((moved >> shift) + (moved == 0 ? 0 : 1), kMostPerAxis);
      sum += scaled * scaled;
    }
    if (sum > reach.fractions * reach.fractions) return false;
  }
  return true;
}

}  // namespace fractalray::internal
