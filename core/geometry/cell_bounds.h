// SPDX-License-Identifier: Apache-2.0
// A box of the cells of a plain grid (raycast.h). Light: standard types only.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../grid_result.h"
#include "../vec.h"

namespace fractalray {

// A box of cells, from min to max, both included.
struct CellBounds {
  Vec3i min{};
  Vec3i max{};

  friend constexpr bool operator==(const CellBounds&, const CellBounds&) = default;
};

namespace internal {

// A box that holds every cell that a ray within kMaxGridDistance can reach.
inline constexpr CellBounds kAllCells = [] {
  constexpr std::int64_t kLimit = 4 * static_cast<std::int64_t>(kMaxGridDistance);
  return CellBounds{{-kLimit, -kLimit, -kLimit}, {kLimit, kLimit, kLimit}};
}();

// Returns true if min <= max on each axis, both within kMaxGridDistance of zero.
constexpr bool isValid(const CellBounds& bounds) {
  constexpr auto kLimit = static_cast<std::int64_t>(kMaxGridDistance);
  for (int axis = 0; axis < 3; ++axis) {
    if (bounds.min[axis] > bounds.max[axis]) return false;
    if (bounds.min[axis] < -kLimit || bounds.max[axis] > kLimit) return false;
  }
  return true;
}

// Returns more than the distance from `origin` to any point of the box, in cell widths.
inline double distanceToLeave(const Vec3d& origin, const CellBounds& bounds) {
  double sum = 1;
  for (int axis = 0; axis < 3; ++axis) {
    sum += std::max(std::abs(static_cast<double>(bounds.min[axis]) - origin[axis]),
                    std::abs(static_cast<double>(bounds.max[axis]) + 1 - origin[axis]));
  }
  return sum;
}

}  // namespace internal
}  // namespace fractalray
