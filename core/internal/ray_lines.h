// SPDX-License-Identifier: Apache-2.0
// The two ways to convert a ray to its line in units: one for the rays that engines cast, and one
// for all. toFixedSegment() tries the first.
#pragma once

#include "absl/status/statusor.h"

#include "../ray.h"
#include "../segment.h"

namespace fractalray::internal {

// The least log2 of the largest component of a line's direction, in units.
inline constexpr int kMinDirectionLog2 = 33;
// The greatest distance of a short ray, in finest-block widths.
inline constexpr double kShortRay = 0x1p20;

// Sets `line` to the line of a ray that is short: no longer than kShortRay, without bounds, from
// an origin within half of the frame, and with a direction of a length from 2^-500 to 2^500.
// Returns false for any other ray, errors included; `line` is then as it was. Cost: a root and a
// division in doubles, which the rest hides in part; no wide integers.
bool lineOfShortRay(const Ray& ray, FixedSegment& line);

// Returns the line of any ray, or its error, as toFixedSegment() does. Cost: several times that of
// a short one.
absl::StatusOr<FixedSegment> lineOfAnyRay(const Ray& ray);

}  // namespace fractalray::internal
