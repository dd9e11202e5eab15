// SPDX-License-Identifier: Apache-2.0
#include "reflected_entry.h"

#include <cstdint>

#include "../../core/check.h"
#include "reflected_crossing.h"
#include "shape_kinds.h"

namespace fractalray::internal {
namespace {

// Returns the plane of a shape's bounding box by which the line leaves it on an axis.
std::int64_t farPlane(const Line& line, const FixedShape& shape, const Vec3i& center, int axis) {
  const std::int64_t half = shape.half_extents[axis];
  return line.delta()[axis] > 0 ? center[axis] + half : center[axis] - half;
}

// Returns true if the shape lies wholly on the other side of a plane that the line was reflected
// in.
bool isOnOtherSide(const Line& line, const FixedShape& shape, const Vec3i& center) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!line.isReflected(axis) || line.delta()[axis] == 0) continue;
    if (crossingTime(line, axis, farPlane(line, shape, center, axis)) <= line.begin()) return true;
  }
  return false;
}

}  // namespace

std::optional<ShapeEntry> enterReflected(const Line& line, const FixedShape& shape,
                                         const Vec3i& center) {
  FRACTALRAY_DCHECK(line.beginsLater());
  if (isOnOtherSide(line, shape, center)) return std::nullopt;
  return withKind(shape.kind, [&](auto kind) { return kind.enterReflected(line, shape, center); });
}

}  // namespace fractalray::internal
