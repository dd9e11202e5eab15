// SPDX-License-Identifier: Apache-2.0
// Segments, as an engine has them (doubles) and as everything is decided on them (units), and rays.
#pragma once

#include <limits>
#include <optional>

#include "absl/status/statusor.h"

#include "units.h"
#include "vec.h"

namespace fractalray {

// From one point to another, in finest-block widths.
struct Segment {
  Vec3d from{};
  Vec3d to{};
};

// The same in units; each coordinate within kMaxCoordinate of the origin.
struct FixedSegment {
  Vec3i from{};
  Vec3i to{};

  constexpr Vec3i delta() const { return to - from; }
  // The length, and the point at a time from 0 (`from`) to 1 (`to`), in finest-block widths,
  // rounded.
  double lengthBlocks() const;
  Vec3d pointAt(double t) const;

  friend constexpr bool operator==(const FixedSegment&, const FixedSegment&) = default;
};

// Rounds both ends to the nearest unit. INVALID_ARGUMENT for NaN and infinity, OUT_OF_RANGE for an
// end outside of the frame; the message names the component.
absl::StatusOr<FixedSegment> toUnits(const Segment& segment);
Segment toBlocks(const FixedSegment& segment);

// A closed axis-aligned box of positions, in finest-block widths.
struct Bounds {
  Vec3d min{};
  Vec3d max{};
};

// A half line, possibly cut: from `origin` along `direction` (any length but zero) up to
// `max_distance`, in finest-block widths; infinite by default.
struct Ray {
  Vec3d origin{};
  Vec3d direction{};
  double max_distance = std::numeric_limits<double>::infinity();
};

// The segment that a ray stands for: from its origin to origin + direction * L / |direction|,
// computed in doubles and rounded to units, with L the smaller of the maximum distance and the
// distance at which the ray leaves `bounds` (by default the frame; 0 where the origin is outside of
// them). It never depends on what is loaded. INVALID_ARGUMENT for a zero or non-finite direction, a
// negative or NaN distance, or bounds that are not finite and ordered; errors of toUnits for the
// origin.
absl::StatusOr<FixedSegment> toSegment(const Ray& ray,
                                       const std::optional<Bounds>& bounds = std::nullopt);

// The segment that a query along any of these lines runs on. Errors as above.
inline absl::StatusOr<FixedSegment> toFixedSegment(const FixedSegment& segment) {
  return segment;
}
inline absl::StatusOr<FixedSegment> toFixedSegment(const Segment& segment) {
  return toUnits(segment);
}
inline absl::StatusOr<FixedSegment> toFixedSegment(const Ray& ray) {
  return toSegment(ray);
}

}  // namespace fractalray
