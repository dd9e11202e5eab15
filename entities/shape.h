// SPDX-License-Identifier: Apache-2.0
// The shapes of entities.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
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

// The properties of a kind of shape that texts, files and other languages need.
struct ShapeInfo {
  std::string_view name;   // "sphere" or "box"
  bool has_faces = false;  // true if a hit of it has a face
};
constexpr const ShapeInfo& shapeInfo(FixedShape::Kind kind);

// Rounds to units. INVALID_ARGUMENT for a negative or non-finite size, OUT_OF_RANGE beyond 2^61
// units.
absl::StatusOr<FixedShape> toUnits(const Shape& shape);
Shape toBlocks(const FixedShape& shape);

namespace internal {

// By kind, in the order of the alternatives of Shape.
inline constexpr std::array<ShapeInfo, std::variant_size_v<Shape>> kShapeInfos = {
    {{.name = "sphere"}, {.name = "box", .has_faces = true}}};

}  // namespace internal

constexpr const ShapeInfo& shapeInfo(FixedShape::Kind kind) {
  return internal::kShapeInfos[static_cast<std::size_t>(kind)];
}

}  // namespace fractalray
