// SPDX-License-Identifier: Apache-2.0
#include "octant.h"

#include <algorithm>
#include <cstddef>

#include "../../../core/check.h"

namespace fractalray::internal {

UnitBox Octant::mirrored(const FixedBox& box) const {
  UnitBox relative{.min = box.min - eye_, .max = box.max - eye_};
  for (int axis = 0; axis < 3; ++axis) {
    if (!isLower(axis)) continue;
    const std::int64_t min = relative.min[axis];
    relative.min[axis] = -relative.max[axis];
    relative.max[axis] = -min;
  }
  return relative;
}

std::optional<UnitBox> Octant::clipped(const FixedBox& box) const {
  UnitBox part = mirrored(box);
  for (int axis = 0; axis < 3; ++axis) {
    if (part.max[axis] <= 0) return std::nullopt;
    part.min[axis] = std::max(part.min[axis], std::int64_t{0});
  }
  return part;
}

Shadows Octant::shadowsOf(const FixedBox& occluder) const {
  FRACTALRAY_DCHECK(is_used_);
  Shadows shadows;
  const auto add = [&](const UnitBox& part) {
    shadows.zones[static_cast<std::size_t>(shadows.count++)] = shadowOf(part);
  };
  const std::optional<UnitBox> whole = clipped(occluder);
  if (!whole.has_value()) return shadows;
  for (int axis = 0; axis < 3; ++axis) {
    if (whole->max[axis] > target_.min[axis]) continue;
    add(*whole);
    return shadows;
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (whole->min[axis] >= target_.min[axis]) continue;
    UnitBox part = *whole;
    part.max[axis] = target_.min[axis];
    add(part);
  }
  return shadows;
}

}  // namespace fractalray::internal
