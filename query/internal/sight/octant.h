// SPDX-License-Identifier: Apache-2.0
// One of the eight octants of directions from an eye, mirrored so that all components are positive.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "boost/container/static_vector.hpp"

#include "../../../core/check.h"
#include "../../../core/fixed_box.h"
#include "../../../core/internal/geometry/zone.h"
#include "../../sight.h"

namespace fractalray::internal {

// The shadows of the parts of an occluder that lie before the target, the box that the eye may see.
using Shadows = boost::container::static_vector<Zone, 3>;

// The directions of an octant in which an eye may see a box. Its coordinates are those relative to
// the eye, mirrored; boxes are cut at the planes of the eye. A value type.
class Octant {
 public:
  Octant() = default;
  // `lower` has a bit for each axis along which the octant runs down. Requires: the eye is not in
  // the box, which has points beyond it on each axis.
  Octant(const SightQuery& query, unsigned lower) : eye_(query.eye), lower_(lower) {
    const std::optional<UnitBox> part = clipped(query.box);
    FRACTALRAY_DCHECK(part.has_value());
    target_ = *part;
  }

  // Returns the part of the box in the octant.
  const UnitBox& target() const { return target_; }

  // Returns a box in the coordinates of the octant, and back.
  UnitBox mirrored(const FixedBox& box) const {
    UnitBox relative;
    for (int axis = 0; axis < 3; ++axis) {
      const bool is_lower = isLower(axis);
      relative.min[axis] = is_lower ? eye_[axis] - box.max[axis] : box.min[axis] - eye_[axis];
      relative.max[axis] = is_lower ? eye_[axis] - box.min[axis] : box.max[axis] - eye_[axis];
    }
    return relative;
  }
  // Returns the part of a box in the octant; nothing if no line into its interior is in the octant.
  std::optional<UnitBox> clipped(const FixedBox& box) const {
    UnitBox part = mirrored(box);
    for (int axis = 0; axis < 3; ++axis) {
      if (part.max[axis] <= 0) return std::nullopt;
      part.min[axis] = std::max(part.min[axis], std::int64_t{0});
    }
    return part;
  }
  // Returns true if the octant runs down along an axis.
  bool isLower(int axis) const { return ((lower_ >> axis) & 1) != 0; }

  // Returns the directions in which a line comes to the interior of an occluder before it comes to
  // the box. A point of a line is before the box if it is short of the box's near face on some
  // axis; so one part of the occluder counts for each axis, and the whole of it if it is before the
  // box on one axis. Requires: min < max on every axis of the occluder.
  Shadows shadowsOf(const FixedBox& occluder) const;

 private:
  Vec3i eye_{};
  UnitBox target_{};
  unsigned lower_ = 0;
};

}  // namespace fractalray::internal
