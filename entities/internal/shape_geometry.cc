// SPDX-License-Identifier: Apache-2.0
#include "shape_geometry.h"

#include <algorithm>
#include <cstdlib>

#include "../../core/check.h"
#include "reflected_entry.h"
#include "shape_kinds.h"

namespace fractalray::internal {

std::optional<HitTime> intersect(const Line& line, const FixedShape& shape, const Vec3i& center) {
  for (int axis = 0; axis < 3; ++axis) {
    FRACTALRAY_DCHECK(std::abs(center[axis]) <= kMaxCoordinate - shape.half_extents[axis], axis,
                      center[axis], shape.half_extents[axis]);
  }
  if (line.beginsLater()) [[unlikely]] {
    const std::optional<ShapeEntry> entry = enterReflected(line, shape, center);
    return entry.has_value() ? std::optional(entry->time) : std::nullopt;
  }
  return withKind(shape.kind, [&](auto kind) { return kind.intersect(line, shape, center); });
}

bool startsInside(const Line& line, const FixedShape& shape, const Vec3i& center,
                  const HitTime& time) {
  if (!line.beginsLater()) return time == HitTime();
  const std::optional<ShapeEntry> entry = enterReflected(line, shape, center);
  FRACTALRAY_DCHECK(entry.has_value(), time.toDouble());
  return entry->starts_inside;
}

HitGeometry hitGeometry(const Line& line, const FixedShape& shape, const Vec3i& center,
                        const HitTime& time) {
  HitGeometry hit;
  hit.t = time.toDouble();
  hit.point = line.pointAt(hit.t);
  hit.distance = hit.t * line.lengthBlocks();
  withKind(shape.kind, [&](auto kind) { kind.complete(line, shape, center, time, hit); });
  return hit;
}

bool overlapsBox(const FixedShape& shape, const Vec3i& center, const Vec3i& min, const Vec3i& max) {
  FRACTALRAY_DCHECK(shape.radius() < std::int64_t{1} << 62, shape.radius());
  Vec3i gap;  // from the centre to the nearest point of the box
  for (int axis = 0; axis < 3; ++axis) {
    gap[axis] = std::max({min[axis] - center[axis], center[axis] - max[axis], std::int64_t{0}});
    if (gap[axis] > shape.half_extents[axis]) return false;
  }
  return withKind(shape.kind, [&](auto kind) { return kind.overlapsGap(shape, gap); });
}

}  // namespace fractalray::internal
