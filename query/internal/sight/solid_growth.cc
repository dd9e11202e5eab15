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
        width_(scope.frame.blockWidth(at.level)),
        open_(zones.boundsOf(octant)),
        min_(at.block),
        max_(at.block),
        box_(octant_.mirrored(scope.cubeOf(at))) {}

  FixedBox grown() {
    while (growOnce()) {
    }
    return {.min = scope_.cubeOf({level_, min_}).min, .max = scope_.cubeOf({level_, max_}).max};
  }

 private:
  // Grows the box by a layer on a side that does not cover all open directions yet: away from the
  // eye on the axis of the far face, or towards the eye on that of the near one.
  bool growOnce() {
    for (int pair = 0; pair < Zone::kPairs; ++pair) {
      const auto k = static_cast<std::size_t>(pair);
      const int over = Zone::kOver[k];
      const int under = Zone::kUnder[k];
      const auto far = static_cast<double>(box_.max[over]);
      const auto near = static_cast<double>(box_.min[under]);
      if (near <= 0 || far >= open_[k] * near) continue;
      const bool reaches_target = box_.max[over] >= octant_.target().max[over];
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
    if (!scope_.areSolidCubes(level_, first, last)) return false;
    (up ? max_ : min_)[axis] = first[axis];
    if (away) {
      box_.max[axis] += width_;
    } else {
      box_.min[axis] -= width_;
    }
    return true;
  }

  const SightScope& scope_;
  const Octant& octant_;
  int level_;
  std::int64_t width_;  // of a block
  std::array<double, Zone::kPairs> open_;
  BlockCoord min_;  // the box of blocks, inclusive
  BlockCoord max_;
  UnitBox box_;  // the same in the coordinates of the octant
  std::array<bool, 6> is_stuck_{};
};

}  // namespace

FixedBox grownBox(const SightScope& scope, const OpenZones& zones, int octant, const BlockAt& at) {
  return Growth(scope, zones, octant, at).grown();
}

}  // namespace fractalray::internal
