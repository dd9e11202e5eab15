// SPDX-License-Identifier: Apache-2.0
#include "segment.h"

#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace fractalray {
namespace {

constexpr std::int64_t kFrameEndBlocks = kMaxCoordinate / kUnitsPerBlock;
constexpr auto kFrameEnd = static_cast<double>(kFrameEndBlocks);

// `direction` with length 1. Scaled by its largest component first, so that neither the squares of
// huge components overflow nor those of tiny ones vanish.
absl::StatusOr<Vec3d> normalized(const Vec3d& direction) {
  double largest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!std::isfinite(direction[axis])) {
      return absl::InvalidArgumentError("the ray's direction is not finite");
    }
    largest = std::max(largest, std::abs(direction[axis]));
  }
  if (largest == 0) {
    return absl::InvalidArgumentError("the ray's direction is zero; give it any other length");
  }
  const Vec3d scaled{direction[0] / largest, direction[1] / largest, direction[2] / largest};
  const double length =
      std::sqrt(scaled[0] * scaled[0] + scaled[1] * scaled[1] + scaled[2] * scaled[2]);
  return Vec3d{scaled[0] / length, scaled[1] / length, scaled[2] / length};
}

absl::Status checkBounds(const Bounds& bounds) {
  for (int axis = 0; axis < 3; ++axis) {
    const bool finite = std::isfinite(bounds.min[axis]) && std::isfinite(bounds.max[axis]);
    if (!finite || bounds.min[axis] > bounds.max[axis]) {
      return absl::InvalidArgumentError(absl::StrCat("the ray's bounds run from ", bounds.min[axis],
                                                     " to ", bounds.max[axis], " on axis ", axis,
                                                     "; they must be finite and ordered"));
    }
  }
  return absl::OkStatus();
}

// The distance along the unit vector `direction` at which the ray leaves the box; 0 from outside.
double distanceToLeave(const Vec3d& origin, const Vec3d& direction, const Bounds& bounds) {
  double distance = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    if (origin[axis] < bounds.min[axis] || origin[axis] > bounds.max[axis]) return 0;
    if (direction[axis] == 0) continue;
    const double plane = direction[axis] > 0 ? bounds.max[axis] : bounds.min[axis];
    distance = std::min(distance, (plane - origin[axis]) / direction[axis]);
  }
  return distance;
}

}  // namespace

absl::StatusOr<FixedSegment> toUnits(const Segment& segment) {
  const absl::StatusOr<Vec3i> from = unitsFromBlocks(segment.from, "the segment's from");
  if (!from.ok()) return from.status();
  const absl::StatusOr<Vec3i> to = unitsFromBlocks(segment.to, "the segment's to");
  if (!to.ok()) return to.status();
  return FixedSegment{*from, *to};
}

double FixedSegment::lengthBlocks() const {
  const Vec3d d = blocksFromUnits(delta());
  return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

Vec3d FixedSegment::pointAt(double t) const {
  const Vec3d start = blocksFromUnits(from);
  const Vec3d d = blocksFromUnits(delta());
  return {start[0] + d[0] * t, start[1] + d[1] * t, start[2] + d[2] * t};
}

Segment toBlocks(const FixedSegment& segment) {
  return {blocksFromUnits(segment.from), blocksFromUnits(segment.to)};
}

absl::StatusOr<FixedSegment> toSegment(const Ray& ray, const std::optional<Bounds>& bounds) {
  const absl::StatusOr<Vec3i> from = unitsFromBlocks(ray.origin, "the ray's origin");
  if (!from.ok()) return from.status();
  const absl::StatusOr<Vec3d> direction = normalized(ray.direction);
  if (!direction.ok()) return direction.status();
  if (std::isnan(ray.max_distance) || ray.max_distance < 0) {
    return absl::InvalidArgumentError(absl::StrCat("the ray's maximum distance is ",
                                                   ray.max_distance,
                                                   "; it must be zero, positive or infinite"));
  }
  constexpr Bounds kFrame{{-kFrameEnd, -kFrameEnd, -kFrameEnd}, {kFrameEnd, kFrameEnd, kFrameEnd}};
  if (bounds.has_value()) {
    absl::Status status = checkBounds(*bounds);
    if (!status.ok()) return status;
  }
  double length = std::min(ray.max_distance, distanceToLeave(ray.origin, *direction, kFrame));
  if (bounds.has_value()) {
    length = std::min(length, distanceToLeave(ray.origin, *direction, *bounds));
  }
  Vec3d end;
  for (int axis = 0; axis < 3; ++axis) {
    // The last rounding may step over the frame's end; it is cut back to it.
    end[axis] = std::clamp(ray.origin[axis] + (*direction)[axis] * length, -kFrameEnd, kFrameEnd);
  }
  const absl::StatusOr<Vec3i> to = unitsFromBlocks(end, "the ray's end");
  if (!to.ok()) return to.status();
  return FixedSegment{*from, *to};
}

}  // namespace fractalray
