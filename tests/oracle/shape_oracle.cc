// SPDX-License-Identifier: Apache-2.0
#include "shape_oracle.h"

#include <algorithm>

#include "walk_oracle.h"

namespace fractalray::oracle {
namespace {

std::optional<Meeting> meetSphere(const FixedSegment& segment, const Integer& radius,
                                  const Vec3i& center) {
  // |m + t d|^2 = r^2 with m from the centre to the start: a t^2 + 2 b t + c = 0.
  Integer a = 0;
  Integer b = 0;
  Integer c = -radius * radius;
  for (int axis = 0; axis < 3; ++axis) {
    const Integer d = Integer(segment.to[axis]) - segment.from[axis];
    const Integer m = Integer(segment.from[axis]) - center[axis];
    a += d * d;
    b += m * d;
    c += m * m;
  }
  Meeting meeting;
  meeting.inside = c <= 0;
  meeting.t_exit = 1;
  if (a == 0) return meeting.inside ? std::optional(meeting) : std::nullopt;
  const Integer discriminant = b * b - a * c;
  if (discriminant < 0) return std::nullopt;
  const Rational middle = fraction(-b, a);
  const Rational half_squared = fraction(discriminant, a * a);
  const ExactTime entry{middle, half_squared};
  // The roots are middle -+ sqrt(half_squared); the larger one is -(the smaller of the mirrored
  // line).
  const ExactTime minus_exit{-middle, half_squared};
  if (minus_exit > ExactTime{0} || entry > ExactTime{1}) return std::nullopt;
  if (!meeting.inside) meeting.enter = entry;
  if (minus_exit > ExactTime{-1}) meeting.t_exit = toDoubleOfSum({middle, half_squared});
  return meeting;
}

int signOf(const Integer& value) {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

// Returns the intersection at exactly the time at which a reflected line begins, by its position
// then: nothing if that is outside of the shape, or the shape is on the other side of the mirror.
std::optional<Meeting> meetAtBegin(const FixedSegment& segment, const FixedShape& shape,
                                   const Vec3i& center, const Begin& begin) {
  Meeting meeting{.enter = {begin.t}, .inside = true};
  Rational squares = 0;  // the distance from the centre
  Rational inward = 0;   // negative if the line moves towards the centre
  for (int axis = 0; axis < 3; ++axis) {
    const Integer d = Integer(segment.to[axis]) - segment.from[axis];
    const Rational offset = begin.point[axis] - center[axis];
    const Rational half = Rational(Integer(shape.half_extents[axis]));
    squares += offset * offset;
    inward += offset * d;
    if (abs(offset) > half) return std::nullopt;
    const bool is_mirrored = begin.mirrored[static_cast<std::size_t>(axis)];
    // On the far face of the shape's bounding box: all of the shape is on the other side.
    if (is_mirrored && d != 0 && offset * signOf(d) == half) return std::nullopt;
    const bool enters = !is_mirrored && d != 0 && begin.t != 0 && offset * signOf(d) == -half;
    if (enters && meeting.entry_axis < 0) meeting.entry_axis = axis;
  }
  if (shape.kind == FixedShape::Kind::kBox) {
    meeting.inside = meeting.entry_axis < 0;
    return meeting;
  }
  meeting.entry_axis = -1;
  const Rational radius = Rational(Integer(shape.half_extents[0]));
  if (squares > radius * radius) return std::nullopt;
  meeting.inside = squares < radius * radius || inward > 0 || begin.t == 0;
  return meeting;
}

std::optional<Meeting> meetReflected(const FixedSegment& segment, const FixedShape& shape,
                                     const Vec3i& center) {
  const Begin begin = beginOf(segment);
  FixedSegment whole = segment;
  whole.begin = {};
  const std::optional<Meeting> of_whole = meetShape(whole, shape, center);
  if (!of_whole.has_value()) return std::nullopt;
  if (of_whole->enter > ExactTime{begin.t}) return of_whole;
  std::optional<Meeting> meeting = meetAtBegin(segment, shape, center, begin);
  if (meeting.has_value()) meeting->t_exit = std::max(of_whole->t_exit, toDouble(begin.t));
  return meeting;
}

}  // namespace

std::optional<BoxPart> partInBox(const FixedSegment& segment, const Vec3i& min, const Vec3i& max) {
  BoxPart part;
  for (int axis = 0; axis < 3; ++axis) {
    const Integer start = segment.from[axis];
    const Integer d = Integer(segment.to[axis]) - start;
    if (d == 0) {
      if (start < min[axis] || start > max[axis]) return std::nullopt;
      continue;
    }
    Rational enter = fraction(min[axis] - start, d);
    Rational exit = fraction(max[axis] - start, d);
    if (enter > exit) swap(enter, exit);
    if (enter > part.enter) {  // a later axis at the same t does not count: the lowest one does
      part.enter = enter;
      part.entry_axis = axis;
    }
    part.exit = std::min(part.exit, exit);
  }
  if (part.enter > part.exit) return std::nullopt;
  return part;
}

std::optional<Meeting> meetShape(const FixedSegment& segment, const FixedShape& shape,
                                 const Vec3i& center) {
  if (segment.begin.axes != 0) return meetReflected(segment, shape, center);
  if (shape.kind == FixedShape::Kind::kSphere) {
    return meetSphere(segment, shape.half_extents[0], center);
  }
  const std::optional<BoxPart> part =
      partInBox(segment, center - shape.half_extents, center + shape.half_extents);
  if (!part.has_value()) return std::nullopt;
  Meeting meeting;
  meeting.enter.p = part->enter;
  meeting.t_exit = toDouble(part->exit);
  meeting.inside = part->entry_axis < 0;
  meeting.entry_axis = part->entry_axis;
  return meeting;
}

bool meetsClosedBox(const FixedShape& shape, const Vec3i& center, const Vec3i& min,
                    const Vec3i& max) {
  Integer distance_squared = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const Integer below = Integer(min[axis]) - center[axis];
    const Integer above = Integer(center[axis]) - max[axis];
    const Integer distance = std::max(Integer(0), std::max(below, above));
    if (shape.kind == FixedShape::Kind::kBox && distance > shape.half_extents[axis]) return false;
    distance_squared += distance * distance;
  }
  const Integer radius = shape.half_extents[0];
  return shape.kind == FixedShape::Kind::kBox || distance_squared <= radius * radius;
}

std::optional<int> indexLevelOf(const Frame& frame, const FixedShape& shape) {
  std::int64_t radius = 0;
  for (int axis = 0; axis < 3; ++axis)
    radius = std::max(radius, shape.half_extents[axis]);
  for (int level = frame.levels() - 1; level >= 0; --level) {
    if (radius < frame.chunkWidth(level)) return level;
  }
  return std::nullopt;
}

std::vector<ChunkCoord> overlappedChunks(const Frame& frame, int level, const FixedShape& shape,
                                         const Vec3i& center) {
  const std::int64_t width = frame.chunkWidth(level);
  ChunkCoord first;
  ChunkCoord last;
  for (int axis = 0; axis < 3; ++axis) {  // a chunk too many on both sides
    const Integer half = shape.half_extents[axis];
    first[axis] = toInt64(floorOf(fraction(center[axis] - half, width))) - 1;
    last[axis] = toInt64(floorOf(fraction(center[axis] + half, width))) + 1;
  }
  std::vector<ChunkCoord> chunks;
  for (std::int64_t x = first[0]; x <= last[0]; ++x) {
    for (std::int64_t y = first[1]; y <= last[1]; ++y) {
      for (std::int64_t z = first[2]; z <= last[2]; ++z) {
        const Vec3i min{x * width, y * width, z * width};
        const Vec3i max{min[0] + width, min[1] + width, min[2] + width};
        if (meetsClosedBox(shape, center, min, max)) chunks.push_back({x, y, z});
      }
    }
  }
  return chunks;
}

}  // namespace fractalray::oracle
