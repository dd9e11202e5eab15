// SPDX-License-Identifier: Apache-2.0
#include "entity_page.h"

#include <bit>
#include <cmath>

#include "shape_kinds.h"

namespace fractalray::internal {
namespace {

// The most that rounding may add to the distance of a centre as the filter computes it, in page
// units: less than 2 for its two coordinates, 1 for the product with the slope, 0.4 for the slope
// itself, 1.1 for the line's offset, 1 for the product of the radius.
constexpr std::int64_t kRadiusPad = 6;
// 1 in the numbers of Projection.
constexpr double kOne = 32768;

constexpr double powerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

// Rounds halves away from zero.
std::int32_t rounded(double value) {
  return static_cast<std::int32_t>(value + std::copysign(0.5, value));
}

Projection::Vector all(std::int32_t value) {
  const auto v = static_cast<std::int16_t>(value);
  return Projection::Vector{v, v, v, v, v, v, v, v};
}

// Returns -1 on a mirrored axis, else 1. Without a branch, since the directions of lines are hard
// to predict.
int signOf(const PathMask& path, int axis) {
  return 1 - 2 * static_cast<int>(path.isMirrored(axis));
}

}  // namespace

std::int16_t pageRadius(const FixedShape& shape, int chunk_shift) {
  const double radius = withKind(shape.kind, [&](auto kind) { return kind.circumradius(shape); });
  // At most sqrt(3) chunks.
  const double in_page_units = radius * powerOfTwo(kPageUnitsLog2 - chunk_shift);
  return static_cast<std::int16_t>(static_cast<std::int64_t>(in_page_units) + 1 + kRadiusPad);
}

PageLineFilter::PageLineFilter(const PathMask& path, int chunk_shift)
    : scale_(powerOfTwo(kPageUnitsLog2 + 8 - chunk_shift)),
      half_(std::int64_t{1} << (chunk_shift - 1)) {
  constexpr std::int32_t kChunk = 1 << (kPageUnitsLog2 + 8);
  const Vec3i& length = path.length();
  for (std::size_t axis = 1; axis < 3; ++axis) {
    if (length[static_cast<int>(axis)] > length[static_cast<int>(along_)]) along_ = axis;
  }
  across_ = {along_ == 0 ? std::size_t{1} : 0, along_ == 2 ? std::size_t{1} : 2};
  const auto longest = static_cast<double>(length[static_cast<int>(along_)]);
  const double inverse = longest > 0 ? 1 / longest : 0;
  const double along_sign = signOf(path, static_cast<int>(along_)) * kOne;
  // Offsets are differences of numbers of up to this size, each good to 2^-51 of itself.
  const double farthest = 2 * (longest + 8 * static_cast<double>(half_));
  const auto slack = static_cast<std::int32_t>(farthest * scale_ * 0x1p-58) + 1;
  for (std::size_t side = 0; side < 2; ++side) {
    const int axis = static_cast<int>(across_[side]);
    const double ratio = static_cast<double>(length[axis]) * inverse;
    const int sign = signOf(path, axis);
    ratio_[side] = sign * ratio;
    sign_[side] = sign;
    const std::int32_t along_step = rounded(sign * ratio * kChunk);
    const std::int32_t across_step = -sign * kChunk;
    for (std::size_t chunks = 1; chunks < 4; ++chunks) {
      steps_[along_][chunks][side] = static_cast<std::int32_t>(chunks) * along_step;
      steps_[across_[side]][chunks][side] = static_cast<std::int32_t>(chunks) * across_step;
    }
    const std::int32_t slope = rounded(sign * along_sign * ratio);
    // A sphere of radius r, seen along the line in this plane, is r sqrt(1 + slope^2) to each side.
    const double spread = std::sqrt(1 + ratio * ratio) - 1;
    projections_[side] = {.slope = all(std::min(slope, 32767)),
                          .spread = all(static_cast<std::int32_t>(spread * kOne) + 1),
                          .slack = all(slack)};
  }
}

}  // namespace fractalray::internal
