// SPDX-License-Identifier: Apache-2.0
// The exact distance of closed shapes: numbers sqrt(q) - r with whole q and r, compared as such.
#pragma once

#include <compare>
#include <cstdint>

#include "absl/numeric/int128.h"

#include "../../core/check.h"
#include "../../core/vec.h"
#include "../shape.h"
#include "shape_kinds.h"

namespace fractalray::internal {

// Returns true if a - b fits 64 bits.
inline bool isDifferenceInRange(std::int64_t a, std::int64_t b) {
  const absl::int128 difference = absl::int128(a) - b;
  return difference == static_cast<std::int64_t>(difference);
}

// Returns the squared distance of two closed boxes, in units; 0 if they touch. Requires: their
// corners are less than 2^63 units apart on each axis.
inline absl::int128 squaredGap(const Vec3i& min, const Vec3i& max, const Vec3i& other_min,
                               const Vec3i& other_max) {
  absl::int128 square = 0;
  for (int axis = 0; axis < 3; ++axis) {
    FRACTALRAY_DCHECK(min[axis] <= max[axis] && other_min[axis] <= other_max[axis], axis);
    FRACTALRAY_DCHECK(isDifferenceInRange(min[axis], other_max[axis]), axis, min[axis],
                      other_max[axis]);
    FRACTALRAY_DCHECK(isDifferenceInRange(other_min[axis], max[axis]), axis, other_min[axis],
                      max[axis]);
    const std::int64_t below = min[axis] - other_max[axis];
    const std::int64_t above = other_min[axis] - max[axis];
    const std::int64_t gap = below > above ? below : above;
    if (gap > 0) square += absl::int128(gap) * gap;
  }
  return square;
}

// The distance max(0, sqrt(q) - r), in units, of a closed shape from a closed box. A value type.
class ShapeDistance {
 public:
  // Computes the distance from the closed box [min, max], which may be a point. Requires: all
  // within kMaxCoordinate.
  ShapeDistance(const FixedShape& shape, const Vec3i& center, const Vec3i& min, const Vec3i& max)
      : radius_(withKind(shape.kind, [&](auto kind) { return kind.roundness(shape); })),
        square_(radius_ > 0 ? squaredGap(min, max, center, center)
                            : squaredGap(min, max, center - shape.half_extents,
                                         center + shape.half_extents)) {}

  // Returns true if the distance is at most `units`: touching counts.
  bool isWithin(std::int64_t units) const {
    const absl::int128 reach = absl::int128(units) + radius_;
    return square_ <= reach * reach;
  }

  // Returns the distance within 2^-50, relatively; 0 if the shapes touch, and only then.
  double toDouble() const;

  // Compares by value, exactly; without a filter in doubles.
  friend std::strong_ordering operator<=>(const ShapeDistance& x, const ShapeDistance& y);
  friend bool operator==(const ShapeDistance& x, const ShapeDistance& y) { return (x <=> y) == 0; }

 private:
  std::int64_t radius_;  // r, 0 for boxes
  absl::int128 square_;  // q, below 2^126
};

}  // namespace fractalray::internal
