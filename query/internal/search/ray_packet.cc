// SPDX-License-Identifier: Apache-2.0
#include "ray_packet.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../../../core/check.h"
#include "../../../core/internal/geometry/float_lanes.h"

namespace fractalray::internal {
namespace {

// The most by which the slope of a ray differs from that of the first ray, on each axis across.
constexpr float kMostSlope = 0.25F;
// Lengths are at least this part of that on the main axis, so that an inverse is finite, also times
// any coordinate (2^65 * 2^62). A ray that does not move on an axis never comes to a plane ahead.
constexpr float kLeastPart = 0x1p-65F;

int longestAxis(const std::array<float, 3>& length) {
  const int of_xy = length[1] > length[0] ? 1 : 0;
  return length[2] > length[static_cast<std::size_t>(of_xy)] ? 2 : of_xy;
}

float greatestOf(FloatLanes::Vector v) {
  return std::max({v[0], v[1], v[2], v[3]});
}

}  // namespace

void RayPacket::begin(const FixedSegment& ray) {
  std::array<float, 3> length;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t delta = ray.to[axis] - ray.from[axis];
    sign_[axis] = delta >> 63;
    length[static_cast<std::size_t>(axis)] =
        static_cast<float>((delta ^ sign_[axis]) - sign_[axis]);
  }
  main_axis_ = longestAxis(length);
  FRACTALRAY_DCHECK(length[static_cast<std::size_t>(main_axis_)] > 0);
  for (std::size_t axis = 0; axis < 3; ++axis)
    first_slope_[axis] = length[axis] / length[static_cast<std::size_t>(main_axis_)];
  size_ = 0;
  append(ray, length);
}

bool RayPacket::add(const FixedSegment& ray) {
  if (size_ == kMost || ray.from != eye()) return false;
  std::array<float, 3> length;
  std::int64_t off = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t units = ((ray.to[axis] - ray.from[axis]) ^ sign_[axis]) - sign_[axis];
    // A length of 0 is not mirrored.
    off |= units + sign_[axis];
    length[static_cast<std::size_t>(axis)] = static_cast<float>(units);
  }
  if (off < 0) return false;
  // Both sides are times the length on the main axis.
  const float main_length = length[static_cast<std::size_t>(main_axis_)];
  const float most = kMostSlope * main_length;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (std::abs(length[axis] - first_slope_[axis] * main_length) > most) return false;
  }
  if (main_length == 0) return false;
  append(ray, length);
  return true;
}

void RayPacket::append(const FixedSegment& ray, const std::array<float, 3>& length) {
  rays_[size_] = &ray;
  for (std::size_t axis = 0; axis < 3; ++axis)
    inverse_[axis][size_] = length[axis];
  ends_[size_] = length[static_cast<std::size_t>(main_axis_)];
  if (ray.end_time != kWholeLine) ends_[size_] *= static_cast<float>(ray.end_time) * 0x1p-60F;
  ++size_;
}

void RayPacket::finish() {
  constexpr std::size_t kInVector = 8;
  const std::size_t lanes = (size_ + kInVector - 1) & ~(kInVector - 1);
  for (PerRay& length : inverse_)
    std::fill(length.begin() + static_cast<std::ptrdiff_t>(size_),
              length.begin() + static_cast<std::ptrdiff_t>(lanes), length[size_ - 1]);
  std::fill(ends_.begin() + static_cast<std::ptrdiff_t>(size_),
            ends_.begin() + static_cast<std::ptrdiff_t>(lanes), ends_[size_ - 1]);
  const auto main = static_cast<std::size_t>(main_axis_);
  for (const std::size_t axis : {(main + 1) % 3, (main + 2) % 3, main}) {
    using Vector = FloatLanes::Vector;
    Vector longest = FloatLanes::all(0);
    Vector least = FloatLanes::all(0x1p127F);
    Vector greatest = FloatLanes::all(0);
    for (std::size_t lane = 0; lane < lanes; lane += FloatLanes::kCount) {
      const Vector on_main = FloatLanes::load(&inverse_[main][lane]);
      const Vector length = FloatLanes::load(&inverse_[axis][lane]);
      const Vector inverse =
          on_main / FloatLanes::max(length, on_main * FloatLanes::all(kLeastPart));
      longest = FloatLanes::max(longest, FloatLanes::load(&ends_[lane]) / inverse);
      FloatLanes::store(inverse, &inverse_[axis][lane]);
      least = FloatLanes::min(least, inverse);
      greatest = FloatLanes::max(greatest, inverse);
    }
    least_[axis] = std::min({least[0], least[1], least[2], least[3]});
    greatest_[axis] = greatestOf(greatest);
    // Rounds up.
    longest_[static_cast<int>(axis)] =
        static_cast<std::int64_t>(greatestOf(longest) * (1 + 0x1p-20F)) + 1;
  }
}

bool RayPacket::isDense() const {
  // The number of blocks side by side in the hull at this distance, and the most per ray for which
  // packets were measured to be faster.
  constexpr float kBlocksAhead = 50;
  constexpr float kMostBlocksPerRay = 1.25F;
  float blocks = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
    blocks *= 1 + kBlocksAhead * (1 / least_[axis] - 1 / greatest_[axis]);
  return blocks <= kMostBlocksPerRay * static_cast<float>(size_);
}

}  // namespace fractalray::internal
