// SPDX-License-Identifier: Apache-2.0
// One of the eight octants of directions from an eye, mirrored so that all components are positive.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "../../../core/fixed_box.h"
#include "../../../core/internal/geometry/zone.h"
#include "../../sight.h"

namespace fractalray::internal {

// The shadows of the parts of an occluder that lie before the target, the box that the eye may see.
struct Shadows {
  std::array<Zone, 3> zones;
  int count = 0;

  const Zone* begin() const { return zones.data(); }
  const Zone* end() const { return zones.data() + count; }
};

// The directions of an octant in which an eye may see a box. Its coordinates are those relative to
// the eye, mirrored; boxes are cut at the planes of the eye. A value type.
class Octant {
 public:
  Octant() = default;
  // Requires: the eye is not in the box. `lower` has a bit for each axis along which the octant
  // runs down.
  Octant(const SightQuery& query, unsigned lower) : eye_(query.eye), lower_(lower) {
    const std::optional<UnitBox> part = clipped(query.box);
    is_used_ = part.has_value();
    if (is_used_) target_ = *part;
  }

  // Returns false if none of its directions, but for some without solid angle, enters the box.
  bool isUsed() const { return is_used_; }
  // Returns the part of the box in the octant. Requires: isUsed().
  const UnitBox& target() const { return target_; }

  // Returns a box in the coordinates of the octant, and back.
  UnitBox mirrored(const FixedBox& box) const;
  // Returns the part of a box in the octant; nothing if no line into its interior is in the octant.
  std::optional<UnitBox> clipped(const FixedBox& box) const;
  // Returns true if the octant runs down along an axis.
  bool isLower(int axis) const { return ((lower_ >> axis) & 1) != 0; }

  // Returns the directions in which a line comes to the interior of an occluder before it comes to
  // the box. A point of a line is before the box if it is short of the box's near face on some
  // axis; so one part of the occluder counts for each axis, and the whole of it if it is before the
  // box on one axis. Requires: isUsed(), and min < max on every axis of the occluder.
  Shadows shadowsOf(const FixedBox& occluder) const;

 private:
  Vec3i eye_{};
  UnitBox target_{};
  unsigned lower_ = 0;
  bool is_used_ = false;
};

}  // namespace fractalray::internal
