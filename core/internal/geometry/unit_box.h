// SPDX-License-Identifier: Apache-2.0
// The name of boxes in units within the library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "../../fixed_box.h"  // IWYU pragma: export

namespace fractalray::internal {

using UnitBox = FixedBox;

// Returns true if a point is in the closed box; in its interior; if it has an interior.
constexpr bool contains(const FixedBox& box, const Vec3i& point) {
  for (int axis = 0; axis < 3; ++axis) {
    if (point[axis] < box.min[axis] || point[axis] > box.max[axis]) return false;
  }
  return true;
}
constexpr bool containsInside(const FixedBox& box, const Vec3i& point) {
  for (int axis = 0; axis < 3; ++axis) {
    if (point[axis] <= box.min[axis] || point[axis] >= box.max[axis]) return false;
  }
  return true;
}
// Returns true if a point is in the interior of a union of boxes: if each of the eight octants
// around it begins in one of them. So a union may be cut into other boxes.
constexpr bool containsInside(std::span<const FixedBox> boxes, const Vec3i& point) {
  for (unsigned octant = 0; octant < 8; ++octant) {
    const auto begins_in = [&](const FixedBox& box) {
      bool begins = true;
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t at = point[axis];
        const bool is_up = ((octant >> axis) & 1U) != 0;
        begins = begins && (is_up ? at >= box.min[axis] && at < box.max[axis]
                                  : at > box.min[axis] && at <= box.max[axis]);
      }
      return begins;
    };
    if (!std::any_of(boxes.begin(), boxes.end(), begins_in)) return false;
  }
  return true;
}
constexpr bool hasInterior(const FixedBox& box) {
  return box.min[0] < box.max[0] && box.min[1] < box.max[1] && box.min[2] < box.max[2];
}

// Returns the smallest box that has a box and a point.
constexpr FixedBox hullOf(const FixedBox& box, const Vec3i& point) {
  FixedBox hull = box;
  for (int axis = 0; axis < 3; ++axis) {
    hull.min[axis] = std::min(hull.min[axis], point[axis]);
    hull.max[axis] = std::max(hull.max[axis], point[axis]);
  }
  return hull;
}

}  // namespace fractalray::internal
