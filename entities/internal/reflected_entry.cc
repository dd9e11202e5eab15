// SPDX-License-Identifier: Apache-2.0
#include "reflected_entry.h"

#include <cstdint>

#include "../../core/check.h"
#include "shape_geometry.h"

namespace fractalray::internal {
namespace {

// When the line, however long, crosses the plane `coordinate` of an axis that it moves along.
Fraction crossingTime(const Line& line, int axis, std::int64_t coordinate) {
  const std::int64_t d = line.delta()[axis];
  const std::int64_t way = coordinate - line.from()[axis];
  return d > 0 ? Fraction{way, d} : Fraction{-way, -d};
}

// The planes of a shape's bounding box by which the line comes into it and leaves it on an axis.
std::int64_t nearPlane(const Line& line, const FixedShape& shape, const Vec3i& center, int axis) {
  const std::int64_t half = shape.half_extents[axis];
  return line.delta()[axis] > 0 ? center[axis] - half : center[axis] + half;
}
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

std::optional<ShapeEntry> enterBox(const Line& line, const FixedShape& box, const Vec3i& center) {
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

std::optional<ShapeEntry> enterSphere(const Line& line, const FixedShape& sphere,
                                      const Vec3i& center) {
  const Vec3i from = line.from();
  const Vec3i to = line.segment().to;
  const std::optional<HitTime> entry = intersect(Line({.from = from, .to = to}), sphere, center);
  if (!entry.has_value()) return std::nullopt;
  const Fraction begin = line.begin();
  if (*entry > HitTime(begin)) return ShapeEntry{.time = *entry};
  // It leaves the sphere when the opposite line comes into it.
  const std::optional<HitTime> exit = intersect(Line({.from = to, .to = from}), sphere, center);
  FRACTALRAY_DCHECK(exit.has_value(), entry->toDouble());
  const HitTime left{Fraction{begin.denominator - begin.numerator, begin.denominator}};
  if (*exit > left) return std::nullopt;
  const bool comes_in = *entry == HitTime(begin) && begin != Fraction::zero();
  return ShapeEntry{.time = HitTime(begin), .starts_inside = !comes_in};
}

}  // namespace

std::optional<ShapeEntry> enterReflected(const Line& line, const FixedShape& shape,
                                         const Vec3i& center) {
  FRACTALRAY_DCHECK(line.beginsLater());
  if (isOnOtherSide(line, shape, center)) return std::nullopt;
  return shape.kind == FixedShape::Kind::kSphere ? enterSphere(line, shape, center)
                                                 : enterBox(line, shape, center);
}

}  // namespace fractalray::internal
