// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "../../core/check.h"
#include "reflected_crossing.h"
#include "shape_kinds.h"

namespace fractalray::internal {
namespace {

using BoxKind = ShapeKind<FixedShape::Kind::kBox>;

// Returns the plane of a box by which the line comes into it on an axis.
std::int64_t nearPlane(const Line& line, const FixedShape& shape, const Vec3i& center, int axis) {
  const std::int64_t half = shape.half_extents[axis];
  return line.delta()[axis] > 0 ? center[axis] - half : center[axis] + half;
}
// The axis on which the line comes into the box at exactly begin(); -1 if it starts inside.
// Requires: the box has the point at begin().
int entryAxisAtBegin(const Line& line, const FixedShape& box, const Vec3i& center) {
  const Fraction begin = line.begin();
  if (begin == Fraction::zero()) return -1;
  for (int axis = 0; axis < 3; ++axis) {
    if (line.isReflected(axis) || line.delta()[axis] == 0) continue;
    if (crossingTime(line, axis, nearPlane(line, box, center, axis)) == begin) return axis;
  }
  return -1;
}

}  // namespace

std::optional<HitTime> BoxKind::intersect(const Line& line, const FixedShape& box,
                                          const Vec3i& center) {
  const std::optional<TimeSpan> span =
      line.clip(center - box.half_extents, center + box.half_extents);
  if (!span.has_value()) return std::nullopt;
  // On a line that is a point the span starts at 0.
  return HitTime(span->from);
}

std::optional<ShapeEntry> BoxKind::enterReflected(const Line& line, const FixedShape& box,
                                                  const Vec3i& center) {
  const std::optional<TimeSpan> span =
      line.clip(center - box.half_extents, center + box.half_extents);
  const Fraction begin = line.begin();
  if (!span.has_value() || span->to < begin) return std::nullopt;
  if (span->from > begin) {
    return ShapeEntry{.time = HitTime(span->from), .axis = span->entry_axis};
  }
  const int axis = entryAxisAtBegin(line, box, center);
  return ShapeEntry{.time = HitTime(begin), .starts_inside = axis < 0, .axis = axis};
}

void BoxKind::complete(const Line& line, const FixedShape& box, const Vec3i& center,
                       const HitTime& /*time*/, HitGeometry& hit) {
  const std::optional<TimeSpan> span =
      line.clip(center - box.half_extents, center + box.half_extents);
  FRACTALRAY_DCHECK(span.has_value(), hit.t);
  hit.t_exit = span->to.toDouble();
  const int axis =
      line.beginsLater() ? internal::enterReflected(line, box, center)->axis : span->entry_axis;
  hit.start_inside = axis < 0;
  if (hit.start_inside) return;
  hit.face = {static_cast<std::int8_t>(axis),
              static_cast<std::int8_t>(line.delta()[axis] > 0 ? -1 : 1)};
  hit.normal = hit.face.normal();
}

double BoxKind::circumradius(const FixedShape& box) {
  double square = 0;
  for (const std::int64_t half : box.half_extents.values)
    square += static_cast<double>(half) * static_cast<double>(half);
  return std::sqrt(square);
}

}  // namespace fractalray::internal
