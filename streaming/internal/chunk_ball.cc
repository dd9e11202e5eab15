// SPDX-License-Identifier: Apache-2.0
#include "chunk_ball.h"

#include <cmath>

#include "../../core/check.h"
#include "viewer_tree.h"

namespace fractalray::internal {
namespace {

// By more than the rounding of two roots.
constexpr std::int64_t kRounding = 1;

// Returns the square root of a distance, rounded to the nearest integer.
std::int64_t root(std::int64_t distance) {
  return std::llround(std::sqrt(static_cast<double>(distance)));
}

}  // namespace

ChunkBall::ChunkBall(int chunk_shift, const Vec3i& viewer, std::int64_t radius)
    : shift_(chunk_shift), viewer_(viewer), radius_(radius) {
  FRACTALRAY_DCHECK(
      radius >= 0 && radius <= kChunkFractions * static_cast<std::int64_t>(StreamRadii::kMax),
      radius);
  for (int axis = 0; axis < 3; ++axis) {
    const ChunkRow row = rowUpTo(axis, radius);
    box_.min[axis] = row.min;
    box_.max[axis] = row.max;
  }
  for (int axis = 1; axis < 3; ++axis) {
    auto& squares = axis == 1 ? squares_y_ : squares_z_;
    for (std::int64_t chunk = box_.min[axis] - 1; chunk <= box_.max[axis] + 1; ++chunk)
      squares[static_cast<std::size_t>(chunk - box_.min[axis] + 1)] = squareOf(axis, chunk);
  }
}

std::int64_t ChunkBall::squareOf(int axis, std::int64_t chunk) const {
  const std::int64_t min = chunk * (std::int64_t{1} << shift_);
  const std::int64_t max = min + (std::int64_t{1} << shift_);
  const std::int64_t gap = std::max({std::int64_t{0}, min - viewer_[axis], viewer_[axis] - max});
  const std::int64_t scaled = gap >> (shift_ - kFractionBits);
  return scaled * scaled;
}

ChunkRow ChunkBall::rowUpTo(int axis, std::int64_t distance) const {
  // The greatest gap that is rounded down to the distance.
  const std::int64_t gap = ((distance + 1) << (shift_ - kFractionBits)) - 1;
  return {.min = -((gap - viewer_[axis]) >> shift_) - 1, .max = (viewer_[axis] + gap) >> shift_};
}

ChunkRow ChunkBall::row(std::int64_t y, std::int64_t z) const {
  ChunkRow row{.y = y, .z = z};
  if (y < box_.min[1] || y > box_.max[1] || z < box_.min[2] || z > box_.max[2]) return row;
  const std::int64_t rest = radius_ * radius_ - squareOf(y, z);
  if (rest < 0) return row;
  // Exact: a number below 2^52 and its root differ from the next ones by more than is rounded.
  const auto distance = static_cast<std::int64_t>(std::sqrt(static_cast<double>(rest)));
  row = rowUpTo(0, distance);
  row.y = y;
  row.z = z;
  return row;
}

std::int64_t ChunkBall::slack() const {
  std::int64_t farthest_inside = 0;
  std::int64_t nearest_outside = ViewerTree::kNone;
  for (std::int64_t z = box_.min[2] - 1; z <= box_.max[2] + 1; ++z) {
    for (std::int64_t y = box_.min[1] - 1; y <= box_.max[1] + 1; ++y) {
      const std::int64_t square = squareOf(y, z);
      const ChunkRow here = row(y, z);
      if (here.min > here.max) {
        nearest_outside = std::min(nearest_outside, square);
        continue;
      }
      farthest_inside = std::max(
          {farthest_inside, square + squareOf(0, here.min), square + squareOf(0, here.max)});
      nearest_outside = std::min({nearest_outside, square + squareOf(0, here.min - 1),
                                  square + squareOf(0, here.max + 1)});
    }
  }
  return std::min(radius_ - root(farthest_inside), root(nearest_outside) - radius_) - kRounding;
}

}  // namespace fractalray::internal
