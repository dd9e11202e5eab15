// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../arithmetic/int128.h"
#include "../geometry/grid_line.h"
#include "../units.h"
#include "number_text.h"
#include "ray_lines.h"

namespace fractalray::internal {
namespace {

// A component of this many bits still fits 63 bits after rounding.
constexpr int kMaxLog2 = 62;

struct FixedBounds {
  Vec3i min{};
  Vec3i max{};

  bool contains(const Vec3i& point) const {
    bool is_inside = true;
    for (int axis = 0; axis < 3; ++axis)
      is_inside = is_inside && point[axis] >= min[axis] && point[axis] <= max[axis];
    return is_inside;
  }
};

constexpr FixedBounds kFrameBounds{{-kMaxCoordinate, -kMaxCoordinate, -kMaxCoordinate},
                                   {kMaxCoordinate, kMaxCoordinate, kMaxCoordinate}};

absl::Status checkDirection(const Vec3d& direction) {
  for (int axis = 0; axis < 3; ++axis) {
    if (std::isfinite(direction[axis])) continue;
    return absl::InvalidArgumentError(absl::StrCat("the ray's direction.", axisName(axis), " is ",
                                                   direction[axis], "; it must be finite"));
  }
  if (direction != Vec3d{}) return absl::OkStatus();
  return absl::InvalidArgumentError("the ray's direction is zero; give it any other length");
}

absl::Status checkDistance(double distance) {
  if (distance >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("the ray's maximum distance is ",
                                                 numberText(distance),
                                                 "; it must be zero, positive or infinite"));
}

absl::Status checkBounds(const Bounds& bounds) {
  for (int axis = 0; axis < 3; ++axis) {
    const bool is_finite = std::isfinite(bounds.min[axis]) && std::isfinite(bounds.max[axis]);
    if (is_finite && bounds.min[axis] <= bounds.max[axis]) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("the ray's bounds run from ", numberText(bounds.min[axis]), " to ",
                     numberText(bounds.max[axis]), " on axis ", axisName(axis),
                     "; they must be finite and ordered"));
  }
  return absl::OkStatus();
}

// Returns the nearest integer, halves away from zero. Requires: below 2^63.
std::int64_t rounded(double value) {
  const auto towards_zero = static_cast<std::int64_t>(value);
  const double rest = value - static_cast<double>(towards_zero);
  return towards_zero + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
}

// Returns the units of an end of a box, cut to the farthest that a line in the frame reaches.
std::int64_t boundInUnits(double blocks) {
  return rounded(std::clamp(blocks, -0x1p46, 0x1p46) * static_cast<double>(kUnitsPerBlock));
}

FixedBounds unitsOf(const Bounds& bounds) {
  FixedBounds units;
  for (int axis = 0; axis < 3; ++axis) {
    units.min[axis] = boundInUnits(bounds.min[axis]);
    units.max[axis] = boundInUnits(bounds.max[axis]);
  }
  return units;
}

// Returns the units of a length; nothing if it is longer than any line in the frame.
std::optional<std::int64_t> lengthInUnits(double blocks) {
  if (blocks >= 0x1p47) return std::nullopt;
  return rounded(blocks * static_cast<double>(kUnitsPerBlock));
}

// The directions D(k) of a ray: its direction times 2^k, rounded.
class ScaledDirection {
 public:
  explicit ScaledDirection(const Vec3d& direction) : direction_(direction) {
    const double largest =
        std::max({std::abs(direction[0]), std::abs(direction[1]), std::abs(direction[2])});
    log2_ = exponentOf(largest);
  }

  // Returns D(k), whose largest component has that many bits, or one more if it is rounded up.
  Vec3i withLog2(int log2) const {
    Vec3i delta;
    for (int axis = 0; axis < 3; ++axis)
      delta[axis] = rounded(scaledByPower(direction_[axis], log2 - log2_));
    return delta;
  }

 private:
  Vec3d direction_;
  int log2_;  // of the largest component
};

// Returns log2, rounded down; -1 for 0.
int log2Of(std::int64_t value) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value))) - 1;
}

std::int64_t largestOf(const Vec3i& delta) {
  return std::max({std::abs(delta[0]), std::abs(delta[1]), std::abs(delta[2])});
}

// Returns the least S with S^2 >= D.D. Requires: components within 2^62, so that S < 2^63.
std::int64_t lengthRoundedUp(const Vec3i& delta) {
  const Int128 square =
      Int128(delta[0]) * delta[0] + Int128(delta[1]) * delta[1] + Int128(delta[2]) * delta[2];
  auto length = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square)));
  if (length == 0) return square > 0 ? 1 : 0;
  // The root of the rounded square is off by up to 2^10 units; a step of Newton's leaves one or
  // two.
  const auto off = static_cast<double>(square - Int128(length) * length);
  length += static_cast<std::int64_t>(off / (2 * static_cast<double>(length)));
  while (Int128(length) * length < square)
    ++length;
  while (Int128(length - 1) * (length - 1) >= square)
    --length;
  return length;
}

bool endsIn(const FixedBounds& bounds, const Vec3i& from, const Vec3i& delta) {
  bool is_inside = true;
  for (int axis = 0; axis < 3; ++axis) {
    const Int128 end = Int128(from[axis]) + delta[axis];
    is_inside = is_inside && end >= bounds.min[axis] && end <= bounds.max[axis];
  }
  return is_inside;
}

// Returns 2^60 n / d, rounded down, at most 2^60. Requires: n >= 0 and d > 0, both within 2^63.
std::int64_t endTime(Int128 n, Int128 d) {
  if (n >= d) return kWholeLine;
  return static_cast<std::int64_t>(n * kWholeLine / d);
}

// The extent that a ray asks for, in units.
struct Wanted {
  Vec3i from;
  std::optional<std::int64_t> distance;
  std::optional<FixedBounds> bounds;

  bool isReachedBy(const Vec3i& delta) const {
    return (distance.has_value() && lengthRoundedUp(delta) >= *distance) ||
           (bounds.has_value() && !endsIn(*bounds, from, delta));
  }
};

// Returns D, the shortest direction that reaches the wanted extent, or the longest that ends in the
// frame.
Vec3i chooseDirection(const ScaledDirection& direction, const Wanted& wanted) {
  // One with a bit less may be rounded up to 2^33.
  int log2 = kMinDirectionLog2 - 1;
  if (largestOf(direction.withLog2(log2)) < std::int64_t{1} << kMinDirectionLog2) ++log2;
  // Without bounds only the length counts: one with two bits less than the distance is too short.
  if (!wanted.bounds.has_value()) {
    log2 = std::max(log2, wanted.distance.has_value() ? log2Of(*wanted.distance) - 2 : kMaxLog2);
  }
  Vec3i delta = direction.withLog2(log2);
  while (log2 < kMaxLog2 && !wanted.isReachedBy(delta))
    delta = direction.withLog2(++log2);
  while (!endsIn(kFrameBounds, wanted.from, delta))
    delta = direction.withLog2(--log2);
  return delta;
}

std::int64_t chooseEndTime(const Vec3i& delta, const Wanted& wanted) {
  std::int64_t end = kWholeLine;
  if (wanted.distance.has_value()) end = endTime(*wanted.distance, lengthRoundedUp(delta));
  if (!wanted.bounds.has_value()) return end;
  for (int axis = 0; axis < 3; ++axis) {
    if (delta[axis] == 0) continue;
    const Int128 distance = delta[axis] > 0 ? Int128(wanted.bounds->max[axis]) - wanted.from[axis]
                                            : Int128(wanted.from[axis]) - wanted.bounds->min[axis];
    end = std::min(end, endTime(distance, Int128(std::abs(delta[axis]))));
  }
  return end;
}

}  // namespace

absl::StatusOr<FixedSegment> lineOfAnyRay(const Ray& ray) {
  absl::Status status = checkDirection(ray.direction);
  if (status.ok()) status = checkDistance(ray.max_distance);
  if (status.ok() && ray.bounds.has_value()) status = checkBounds(*ray.bounds);
  if (!status.ok()) return status;
  const absl::StatusOr<Vec3i> from = toUnits(ray.origin, "the ray's origin");
  if (!from.ok()) return from.status();
  const FixedSegment point{.from = *from, .to = *from};
  Wanted wanted{.from = *from, .distance = lengthInUnits(ray.max_distance), .bounds = {}};
  if (ray.bounds.has_value()) {
    wanted.bounds = unitsOf(*ray.bounds);
    if (!wanted.bounds->contains(*from)) return point;
  }
  const Vec3i delta = chooseDirection(ScaledDirection(ray.direction), wanted);
  if (delta == Vec3i{}) return point;
  const std::int64_t end = chooseEndTime(delta, wanted);
  if (end == 0) return point;
  return FixedSegment{.from = *from, .to = *from + delta, .end_time = end};
}

}  // namespace fractalray::internal
