// SPDX-License-Identifier: Apache-2.0
#include "octant.h"

#include <cstdint>
#include <optional>

namespace fractalray::internal {

Shadows Octant::shadowsOf(const FixedBox& occluder) const {
  Shadows shadows;
  const std::optional<UnitBox> whole = clipped(occluder);
  if (!whole.has_value()) return shadows;
  for (int axis = 0; axis < 3; ++axis) {
    if (whole->max[axis] > target_.min[axis]) continue;
    shadows.push_back(shadowOf(*whole));
    return shadows;
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (whole->min[axis] >= target_.min[axis]) continue;
    UnitBox part = *whole;
    part.max[axis] = target_.min[axis];
    shadows.push_back(shadowOf(part));
  }
  return shadows;
}

}  // namespace fractalray::internal
