// SPDX-License-Identifier: Apache-2.0
#include "shape_geometry.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "absl/numeric/int128.h"

#include "../../core/check.h"
#include "../../core/internal/geometry/wide_int.h"
#include "reflected_entry.h"

namespace fractalray::internal {
namespace {

absl::int128 dot(const Vec3i& a, const Vec3i& b) {
  return absl::int128(a[0]) * b[0] + absl::int128(a[1]) * b[1] + absl::int128(a[2]) * b[2];
}

// A line against a sphere: the points with a t^2 + 2 b t + c <= 0. Differences fit 62 bits, so each
// coefficient is within 3 * 2^124 < 2^126.
struct SphereEquation {
  absl::int128 a;
  absl::int128 b;
  absl::int128 c;

  SphereEquation(const Line& line, const FixedShape& sphere, const Vec3i& center)
      : a(dot(line.delta(), line.delta())) {
    const Vec3i m = line.from() - center;
    b = dot(m, line.delta());
    c = dot(m, m) - absl::int128(sphere.radius()) * sphere.radius();
  }

  bool startsInside() const { return c <= 0; }

  // Returns true if b^2 >= a c: doubles decide unless both sides are nearly equal.
  bool reaches() const {
    const double left = toDouble(b) * toDouble(b);
    const double right = toDouble(a) * toDouble(c);
    // Each side is good to 2^-51, relatively.
    const double doubt = (std::abs(left) + std::abs(right)) * 0x1p-48;
    if (left - right > doubt) return true;
    if (right - left > doubt) return false;
    return discriminantIsNonNegative(a, b, c);
  }
};

std::optional<HitTime> intersectSphere(const Line& line, const FixedShape& sphere,
                                       const Vec3i& center) {
  const SphereEquation equation(line, sphere, center);
  if (equation.startsInside()) return HitTime(Fraction::zero());
  if (equation.b >= 0) return std::nullopt;  // moves away, or not at all
  // Closest beyond the end: hit iff the end is inside, a + 2 b + c <= 0. Else iff the line comes
  // near enough.
  const bool ends_before_closest = equation.a + equation.b < 0;
  const bool is_hit = ends_before_closest ? equation.a + equation.b + equation.b + equation.c <= 0
                                          : equation.reaches();
  if (!is_hit) return std::nullopt;
  return HitTime::sphereEntry(equation.a, equation.b, equation.c);
}

// Returns the last t in [0, 1] in the sphere, each root written so that nothing cancels.
double sphereExit(const SphereEquation& equation) {
  if (equation.a == 0) return 1;
  const double root = discriminantRoot(equation.a, equation.b, equation.c);
  const double b = toDouble(equation.b);
  double exit = 0;
  if (b < 0) {
    exit = (-b + root) / toDouble(equation.a);
  } else if (b + root > 0) {
    exit = toDouble(-equation.c) / (b + root);
  }
  return std::clamp(exit, 0.0, 1.0);
}

double length(const Vec3d& v) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Returns the outward normal of a sphere at the point where the line comes in at `t`. A sphere of
// radius 0 has none of its own: its normal is opposite to the line's direction.
Vec3d sphereNormal(const Line& line, const Vec3i& center, double t) {
  Vec3d normal;
  for (int axis = 0; axis < 3; ++axis) {
    normal[axis] = static_cast<double>(line.from()[axis] - center[axis]) +
                   static_cast<double>(line.delta()[axis]) * t;
  }
  if (length(normal) < 1) {
    for (int axis = 0; axis < 3; ++axis)
      normal[axis] = -static_cast<double>(line.delta()[axis]);
  }
  return normal * (1 / length(normal));
}

}  // namespace

std::optional<HitTime> intersect(const Line& line, const FixedShape& shape, const Vec3i& center) {
  for (int axis = 0; axis < 3; ++axis) {
    FRACTALRAY_DCHECK(std::abs(center[axis]) <= kMaxCoordinate - shape.half_extents[axis], axis,
                      center[axis], shape.half_extents[axis]);
  }
  if (line.beginsLater()) [[unlikely]] {
    const std::optional<ShapeEntry> entry = enterReflected(line, shape, center);
    return entry.has_value() ? std::optional(entry->time) : std::nullopt;
  }
  if (shape.kind == FixedShape::Kind::kSphere) return intersectSphere(line, shape, center);
  const std::optional<TimeSpan> span =
      line.clip(center - shape.half_extents, center + shape.half_extents);
  if (!span.has_value()) return std::nullopt;
  // On a line that is a point the span starts at 0.
  return HitTime(span->from);
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
  if (shape.kind == FixedShape::Kind::kSphere) {
    const SphereEquation equation(line, shape, center);
    hit.start_inside =
        line.beginsLater() ? startsInside(line, shape, center, time) : equation.startsInside();
    hit.t_exit = std::max(hit.t, sphereExit(equation));
    if (!hit.start_inside) hit.normal = sphereNormal(line, center, hit.t);
    return hit;
  }
  const std::optional<TimeSpan> span =
      line.clip(center - shape.half_extents, center + shape.half_extents);
  FRACTALRAY_DCHECK(span.has_value(), hit.t);
  hit.t_exit = span->to.toDouble();
  const int axis =
      line.beginsLater() ? enterReflected(line, shape, center)->axis : span->entry_axis;
  hit.start_inside = axis < 0;
  if (!hit.start_inside) {
    hit.face = {static_cast<std::int8_t>(axis),
                static_cast<std::int8_t>(line.delta()[axis] > 0 ? -1 : 1)};
    hit.normal = hit.face.normal();
  }
  return hit;
}

bool overlapsBox(const FixedShape& shape, const Vec3i& center, const Vec3i& min, const Vec3i& max) {
  FRACTALRAY_DCHECK(shape.radius() < std::int64_t{1} << 62, shape.radius());
  Vec3i gap;  // from the centre to the nearest point of the box
  for (int axis = 0; axis < 3; ++axis) {
    gap[axis] = std::max({min[axis] - center[axis], center[axis] - max[axis], std::int64_t{0}});
    if (gap[axis] > shape.half_extents[axis]) return false;
  }
  if (shape.kind == FixedShape::Kind::kBox) return true;
  return dot(gap, gap) <= absl::int128(shape.radius()) * shape.radius();
}

}  // namespace fractalray::internal
