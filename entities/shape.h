// SPDX-License-Identifier: Apache-2.0
// The shapes of entities, and exactly when a line meets one.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "absl/status/statusor.h"

#include "../core/hit_geometry.h"
#include "../core/internal/geometry/hit_time.h"
#include "../core/internal/geometry/line.h"
#include "../core/vec.h"

namespace fractalray {

// Shapes as an engine gives them, in finest-block widths.
struct Sphere {
  double radius = 0.5;
};
struct Box {
  Vec3d half_extents{0.5, 0.5, 0.5};
};
using Shape = std::variant<Sphere, Box>;

// A closed shape around a centre, in units.
struct FixedShape {
  enum class Kind : std::uint8_t { kSphere, kBox };

  Kind kind = Kind::kSphere;
  Vec3i half_extents{};  // of the shape's bounding box: a sphere's radius on every axis

  // The sphere's radius or the box's largest half extent.
  std::int64_t radius() const;

  friend bool operator==(const FixedShape&, const FixedShape&) = default;
};

// Rounds to units. INVALID_ARGUMENT for a negative or non-finite size, OUT_OF_RANGE beyond 2^61
// units.
absl::StatusOr<FixedShape> toUnits(const Shape& shape);
Shape toBlocks(const FixedShape& shape);

// The smallest t in [0, 1] at which the line is in the closed shape around `center`; touching at
// one point counts, and 0 where it starts inside. Nothing where it misses. Exact: a filter in
// doubles decides the clear cases of spheres, wide integers the rest. Requires: centre and reach
// within kMaxCoordinate. Does not allocate.
std::optional<HitTime> meet(const Line& line, const FixedShape& shape, const Vec3i& center);

// Where and how the line meets the shape, rounded. Requires: meet() gave `time`.
HitGeometry hitGeometry(const Line& line, const FixedShape& shape, const Vec3i& center,
                        const HitTime& time);

// Whether the closed shape around `center` meets the closed box [min, max], exactly.
// Requires: the shape's radius and its distance to the box are below 2^62 units.
bool overlapsBox(const FixedShape& shape, const Vec3i& center, const Vec3i& min, const Vec3i& max);

}  // namespace fractalray
