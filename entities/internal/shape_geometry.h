// SPDX-License-Identifier: Apache-2.0
// Exact intersection of lines with shapes: the time, and the geometry of the hit.
#pragma once

#include <optional>

#include "../../core/hit_geometry.h"
#include "../../core/internal/geometry/hit_time.h"
#include "../../core/internal/geometry/line.h"
#include "../../core/vec.h"
#include "../shape.h"

namespace fractalray::internal {

// Returns the smallest t in [0, 1] at which the line is in the closed shape around `center`;
// touching at one point counts, and 0 if it starts inside. Nothing if it misses. See
// enterReflected() for reflected lines. Exact: a filter in doubles decides the clear cases of
// spheres, wide integers the rest. Requires: centre and reach within kMaxCoordinate. Does not
// allocate.
std::optional<HitTime> intersect(const Line& line, const FixedShape& shape, const Vec3i& center);

// Returns true if the line starts inside the shape. Requires: intersect() gave `time`.
bool startsInside(const Line& line, const FixedShape& shape, const Vec3i& center,
                  const HitTime& time);

// Returns where and how the line hits the shape, rounded. Requires: intersect() gave `time`.
HitGeometry hitGeometry(const Line& line, const FixedShape& shape, const Vec3i& center,
                        const HitTime& time);

// Returns true if the closed shape around `center` intersects the closed box [min, max], exactly.
// Requires: the shape's radius and its distance to the box are below 2^62 units.
bool overlapsBox(const FixedShape& shape, const Vec3i& center, const Vec3i& min, const Vec3i& max);

}  // namespace fractalray::internal
