// SPDX-License-Identifier: Apache-2.0
// All that distinguishes a kind of shape from the others. A kind without a specialisation of
// ShapeKind does not compile, and one that withKind() misses is a warning of the compiler.
#pragma once

#include <cstdint>
#include <optional>

#include "../../core/hit_geometry.h"
#include "../../core/internal/geometry/hit_time.h"
#include "../../core/internal/geometry/line.h"
#include "../../core/vec.h"
#include "../shape.h"
#include "reflected_entry.h"

namespace fractalray::internal {

// The functions of each kind, for a closed shape of that kind around `center`:
//
//   intersect(line, shape, center)       as intersect() does, of lines that are not reflected
//   enterReflected(line, shape, center)  as enterReflected() does, of shapes that lie at least
//                                        partly on the line's side of the planes of reflection
//   complete(line, shape, center, time, hit)
//                                        sets all of `hit` that depends on the shape; its time,
//                                        point and distance are set
//   overlapsGap(shape, gap)              returns true if the shape reaches a box, `gap` away from
//                                        its centre on each axis and within its half extents
//   circumradius(shape)                  the radius of the sphere around the centre that encloses
//                                        it, in units
//   roundness(shape)                     the radius by which a point (if not 0) or a box (if 0) is
//                                        to be grown to give the shape: r in ShapeDistance
template <FixedShape::Kind kKind>
struct ShapeKind;

template <>
struct ShapeKind<FixedShape::Kind::kSphere> {
  static std::optional<HitTime> intersect(const Line& line, const FixedShape& sphere,
                                          const Vec3i& center);
  static std::optional<ShapeEntry> enterReflected(const Line& line, const FixedShape& sphere,
                                                  const Vec3i& center);
  static void complete(const Line& line, const FixedShape& sphere, const Vec3i& center,
                       const HitTime& time, HitGeometry& hit);
  static bool overlapsGap(const FixedShape& sphere, const Vec3i& gap);
  static double circumradius(const FixedShape& sphere) {
    return static_cast<double>(sphere.radius());
  }
  static std::int64_t roundness(const FixedShape& sphere) { return sphere.radius(); }
};

template <>
struct ShapeKind<FixedShape::Kind::kBox> {
  static std::optional<HitTime> intersect(const Line& line, const FixedShape& box,
                                          const Vec3i& center);
  static std::optional<ShapeEntry> enterReflected(const Line& line, const FixedShape& box,
                                                  const Vec3i& center);
  static void complete(const Line& line, const FixedShape& box, const Vec3i& center,
                       const HitTime& time, HitGeometry& hit);
  static bool overlapsGap(const FixedShape& /*box*/, const Vec3i& /*gap*/) { return true; }
  static double circumradius(const FixedShape& box);
  static std::int64_t roundness(const FixedShape& /*box*/) { return 0; }
};

// Calls visit(ShapeKind<kind>()), and returns what it returns.
template <class Visit>
constexpr decltype(auto) withKind(FixedShape::Kind kind, const Visit& visit) {
  switch (kind) {
    case FixedShape::Kind::kSphere:
      return visit(ShapeKind<FixedShape::Kind::kSphere>());
    case FixedShape::Kind::kBox:
      break;
  }
  return visit(ShapeKind<FixedShape::Kind::kBox>());
}

}  // namespace fractalray::internal
