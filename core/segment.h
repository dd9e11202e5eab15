// SPDX-License-Identifier: Apache-2.0
// Segments, as an engine has them (doubles) and in units, on which every decision is made.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"

#include "units.h"
#include "vec.h"

namespace fractalray {

// A line from one point to another, in finest-block widths.
struct Segment {
  Vec3d from{};
  Vec3d to{};
};

// FixedSegment::end_time of a whole segment. End times are counted in units of 2^-60.
inline constexpr std::int64_t kWholeLine = std::int64_t{1} << 60;

// The start of a reflected line (docs/queries/reflect.md), given by the plane in which it was
// reflected: the line begins at the time at which it crosses that plane.
struct LineBegin {
  // The coordinate of that plane, in units. If the line was reflected in several planes at once,
  // the coordinate of the plane that is perpendicular to the lowest axis.
  std::int64_t plane = 0;
  // Bit i is set if it was reflected in a plane perpendicular to axis i. 0 if it begins at `from`.
  std::uint8_t axes = 0;

  friend constexpr bool operator==(const LineBegin&, const LineBegin&) = default;
};

// A line in units; each coordinate is within kMaxCoordinate of the origin. The line of a ray may
// end before `to`, and a line that was reflected begins after `from`: its points are
// from + t (to - from) for t from the time of `begin` to end_time * 2^-60.
struct FixedSegment {
  Vec3i from{};
  Vec3i to{};
  std::int64_t end_time = kWholeLine;  // 1 to kWholeLine
  LineBegin begin{};

  constexpr Vec3i delta() const { return to - from; }
  // Returns the length, and the point at a time from 0 (`from`) to 1 (`to`), in finest-block
  // widths, rounded.
  double lengthBlocks() const;
  Vec3d pointAt(double t) const;
  // Returns the time at which it begins, rounded: 0 if it was not reflected. Requires: it crosses
  // the plane of `begin`.
  double beginsAt() const;

  friend constexpr bool operator==(const FixedSegment&, const FixedSegment&) = default;
};

// Rounds both ends to the nearest unit. INVALID_ARGUMENT for NaN and infinity, OUT_OF_RANGE for an
// end outside of the frame; the message names the component.
absl::StatusOr<FixedSegment> toUnits(const Segment& segment);
Segment toBlocks(const FixedSegment& segment);

// Returns the line in units along which a query runs. ray.h has an overload for rays. Errors as
// above.
inline absl::StatusOr<FixedSegment> toFixedSegment(const FixedSegment& segment) {
  return segment;
}
inline absl::StatusOr<FixedSegment> toFixedSegment(const Segment& segment) {
  return toUnits(segment);
}

}  // namespace fractalray
