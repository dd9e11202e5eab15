// SPDX-License-Identifier: Apache-2.0
#include "shape.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../core/internal/number_text.h"
#include "../core/units.h"

namespace fractalray {

std::int64_t FixedShape::radius() const {
  return std::max({half_extents[0], half_extents[1], half_extents[2]});
}

absl::StatusOr<FixedShape> toUnits(const Shape& shape) {
  FixedShape units;
  Vec3d half_extents;
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    half_extents = {sphere->radius, sphere->radius, sphere->radius};
  } else {
    units.kind = FixedShape::Kind::kBox;
    half_extents = std::get<Box>(shape).half_extents;
  }
  const char* const what =
      units.kind == FixedShape::Kind::kSphere ? "the sphere's radius" : "the box's half extent";
  for (int axis = 0; axis < 3; ++axis) {
    if (half_extents[axis] < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          what, " is ", internal::numberText(half_extents[axis]), "; it must not be negative"));
    }
    const absl::StatusOr<std::int64_t> extent = toUnits(half_extents[axis], what);
    if (!extent.ok()) return extent.status();
    units.half_extents[axis] = *extent;
  }
  return units;
}

Shape toBlocks(const FixedShape& shape) {
  if (shape.kind == FixedShape::Kind::kSphere) return Sphere{toBlocks(shape.radius())};
  return Box{toBlocks(shape.half_extents)};
}

}  // namespace fractalray
