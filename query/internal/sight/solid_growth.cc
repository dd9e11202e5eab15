// SPDX-License-Identifier: Apache-2.0
#include "solid_growth.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace fractalray::internal {
namespace {

// The most blocks of a box along an axis: most shadows of players' boxes need no more.
constexpr std::int64_t kMostBlocks = 8;

class Growth {
 public:
  Growth(const SightScope& scope, const OpenZones& zones, int octant, const BlockAt& at)
      : scope_(scope),
        octant_(zones.octant(octant)),
        level_(at.level),
        open_(zones.boundsOf(octant)),
        min_(at.block),
        max_(at.block) {}

  FixedBox grown() {
    while (growOnce()) {
    }
    return box();
  }

 private:
  FixedBox box() const {
    return {.min = scope_.cubeOf({level_, min_}).min, .max = scope_.cubeOf({level_, max_}).max};
  }

  // Grows the box by a layer on a side that does not cover all open directions yet: away from the
  // eye on the axis of the far face, or towards the eye on that of the near one.
  bool growOnce() {
    const UnitBox grown = octant_.mirrored(box());
    for (int pair = 0; pair < Zone::kPairs; ++pair) {
      const auto k = static_cast<std::size_t>(pair);
      const int over = Zone::kOver[k];
      const int under = Zone::kUnder[k];
      const auto far = static_cast<double>(grown.max[over]);
      const auto near = static_cast<double>(grown.min[under]);
      if (near <= 0 || far >= open_[k] * near) continue;
      const bool reaches_target = grown.max[over] >= octant_.target().max[over];
      if (!reaches_target && growAlong(over, true)) return true;
      if (growAlong(under, false)) return true;
    }
    return false;
  }

  bool growAlong(int axis, bool away) {
    const std::size_t side = 2 * static_cast<std::size_t>(axis) + (away ? 1 : 0);
    if (is_stuck_[side]) return false;
    is_stuck_[side] = max_[axis] - min_[axis] + 1 >= kMostBlocks || !addLayer(axis, away);
    return !is_stuck_[side];
  }

  bool addLayer(int axis, bool away) {
    const bool up = away != octant_.isLower(axis);
    BlockCoord first = min_;
    BlockCoord last = max_;
    first[axis] = last[axis] = up ? max_[axis] + 1 : min_[axis] - 1;
    if (!isSolid(first, last)) return false;
    (up ? max_ : min_)[axis] = first[axis];
    return true;
  }

  bool isSolid(const BlockCoord& first, const BlockCoord& last) const {
    for (std::int64_t z = first[2]; z <= last[2]; ++z) {
      for (std::int64_t y = first[1]; y <= last[1]; ++y) {
        for (std::int64_t x = first[0]; x <= last[0]; ++x) {
          if (!scope_.isSolidCube({level_, {x, y, z}})) return false;
        }
      }
    }
    return true;
  }

  const SightScope& scope_;
  const Octant& octant_;
  int level_;
  std::array<double, Zone::kPairs> open_;
  BlockCoord min_;  // the box of blocks, inclusive
  BlockCoord max_;
  std::array<bool, 6> is_stuck_{};
};

}  // namespace

FixedBox grownBox(const SightScope& scope, const OpenZones& zones, int octant, const BlockAt& at) {
  return Growth(scope, zones, octant, at).grown();
}

}  // namespace fractalray::internal
