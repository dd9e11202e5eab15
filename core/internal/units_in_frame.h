// SPDX-License-Identifier: Apache-2.0
// The rounding of a point to units where no error has to be worded.
#pragma once

#include <cmath>

#include "../units.h"
#include "../vec.h"

namespace fractalray::internal {

// The frame's half width, kMaxCoordinate, in finest-block widths.
inline constexpr double kFrameEndBlocks = 0x1p45;

// Rounds a point to the nearest units, as toUnits() does. Returns false, and leaves `units`
// as it is, unless each component is finite and at most `limit` blocks from 0. Requires: `limit`
// is at most kFrameEndBlocks.
inline bool roundedWithin(double limit, const Vec3d& blocks, Vec3i& units) {
  // Written so that NaN fails.
  const bool is_inside =
      std::abs(blocks[0]) <= limit && std::abs(blocks[1]) <= limit && std::abs(blocks[2]) <= limit;
  if (!is_inside) return false;
  for (int axis = 0; axis < 3; ++axis)
    units[axis] = roundedUnits(blocks[axis]);
  return true;
}

}  // namespace fractalray::internal
