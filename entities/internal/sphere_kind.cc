// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "absl/numeric/int128.h"

#include "../../core/check.h"
#include "../../core/internal/geometry/wide_int.h"
#include "shape_geometry.h"
#include "shape_kinds.h"

namespace fractalray::internal {
namespace {

using SphereKind = ShapeKind<FixedShape::Kind::kSphere>;

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

std::optional<HitTime> SphereKind::intersect(const Line& line, const FixedShape& sphere,
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

std::optional<ShapeEntry> SphereKind::enterReflected(const Line& line, const FixedShape& sphere,
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

void SphereKind::complete(const Line& line, const FixedShape& sphere, const Vec3i& center,
                          const HitTime& time, HitGeometry& hit) {
  const SphereEquation equation(line, sphere, center);
  hit.start_inside =
      line.beginsLater() ? startsInside(line, sphere, center, time) : equation.startsInside();
  hit.t_exit = std::max(hit.t, sphereExit(equation));
  if (!hit.start_inside) hit.normal = sphereNormal(line, center, hit.t);
}

bool SphereKind::overlapsGap(const FixedShape& sphere, const Vec3i& gap) {
  return dot(gap, gap) <= absl::int128(sphere.radius()) * sphere.radius();
}

}  // namespace fractalray::internal
