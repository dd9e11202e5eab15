// SPDX-License-Identifier: Apache-2.0
// The shapes of entities.
#pragma once

#include <cstdint>
#include <variant>

#include "absl/status/statusor.h"

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

  // Returns the sphere's radius or the box's largest half extent.
  std::int64_t radius() const;

  friend bool operator==(const FixedShape&, const FixedShape&) = default;
};

// Rounds to units. INVALID_ARGUMENT for a negative or non-finite size, OUT_OF_RANGE beyond 2^61
// units.
absl::StatusOr<FixedShape> toUnits(const Shape& shape);
Shape toBlocks(const FixedShape& shape);

}  // namespace fractalray
