// SPDX-License-Identifier: Apache-2.0
// Rays: lines that keep their direction whatever their length.
#pragma once

#include <limits>
#include <optional>

#include "absl/status/statusor.h"

#include "segment.h"
#include "vec.h"

namespace fractalray {

// A closed axis-aligned box of positions, in finest-block widths.
struct Bounds {
  Vec3d min{};
  Vec3d max{};
};

// A line from `origin` along `direction` (of any length but zero) up to `max_distance`, and no
// farther than `bounds` if they are given. In finest-block widths; infinite by default.
struct Ray {
  Vec3d origin{};
  Vec3d direction{};
  double max_distance = std::numeric_limits<double>::infinity();
  std::optional<Bounds> bounds{};
};

// Returns the line of a ray in units: A + t D for t from 0 to its end time. D is the direction
// times a power of two, each component rounded to the nearest integer, so directions of whole
// numbers, as 2 : 1 : 0, are kept exactly and cross corners in exact ties. The power is the
// smallest for which both of these hold:
//
//   - some component of D is at least 2^33;
//   - D is at least as long as the maximum distance, or ends outside of the bounds.
//
// If A + D would then leave the frame, the power is instead the largest for which it does not: so
// an infinite ray reaches at least half way to the frame's border.
//
// The end time T, a multiple of 2^-60, is rounded down: an object at exactly the maximum distance
// may be missed, so add some slack. A ray for which T or D would be 0 (of no length, or from
// outside of its bounds) is the segment of length zero at its origin, and hits everything that
// contains that point. The line does not depend on the loaded chunks.
//
// Errors: INVALID_ARGUMENT for a zero or non-finite direction, a negative or NaN distance, and
// bounds that are not finite and ordered (they may reach beyond the frame); errors of
// toUnits() for the origin. Cost: a root and a division more than toUnits(Segment), if the
// distance is at most 2^20 and there are no bounds; several times as much for other rays.
absl::StatusOr<FixedSegment> toFixedSegment(const Ray& ray);

}  // namespace fractalray
