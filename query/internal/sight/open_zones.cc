// SPDX-License-Identifier: Apache-2.0
#include "open_zones.h"

#include <algorithm>

#include "../../../core/check.h"
#include "../../../core/tree64.h"

namespace fractalray::internal {

void OpenZones::begin(const SightQuery& query) {
  zones_.clear();
  cuts_ = 0;
  is_whole_ = true;
  // The octants some of whose directions, with solid angle, enter the box. Nearly always one or
  // two.
  unsigned up = 0;
  unsigned down = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (query.box.max[axis] > query.eye[axis]) up |= 1U << axis;
    if (query.box.min[axis] < query.eye[axis]) down |= 1U << axis;
  }
  used_ = 0;
  for (unsigned lower = 0; lower < octants_.size(); ++lower) {
    if ((lower & ~down) != 0 || (~lower & ~up & 7U) != 0) continue;
    used_ |= 1U << lower;
    Octant& octant = octants_[lower];
    octant = Octant(query, lower);
    OpenZone& whole = zones_.emplace_back();
    whole.octant = static_cast<std::uint8_t>(lower);
    whole.zone = shadowOf(octant.target());
    if (whole.zone.isOpen()) {
      whole.middle = middleOf(whole.zone, octant.target());
    } else {
      zones_.pop_back();
    }
  }
}

const OpenZone& OpenZones::greatest() const {
  FRACTALRAY_DCHECK(!empty());
  return *std::max_element(zones_.begin(), zones_.end(), [](const OpenZone& a, const OpenZone& b) {
    return a.middle.size < b.middle.size;
  });
}

bool OpenZones::overlapsShadowOf(const FixedBox& occluder) const {
  for (const int number : Slots(used_)) {
    for (const Zone& shadow : octant(number).shadowsOf(occluder)) {
      for (const OpenZone& open : zones_) {
        if (open.octant == number && overlap(open.zone, shadow)) return true;
      }
    }
  }
  return false;
}

bool OpenZones::cut(std::span<const FixedBox> boxes, std::uint32_t most_passed, SightSteps& steps) {
  ++cuts_;
  for (const int number : Slots(used_)) {
    for (const FixedBox& box : boxes) {
      for (const Zone& shadow : octant(number).shadowsOf(box)) {
        if (!cutShadow(number, shadow, most_passed, steps)) return false;
      }
    }
  }
  return true;
}

bool OpenZones::cutShadow(int octant, const Zone& shadow, std::uint32_t most_passed,
                          SightSteps& steps) {
  if (!steps.spendLooks(zones_.size())) return false;
  next_.clear();
  bool has_changed = false;
  for (const OpenZone& open : zones_) {
    if (open.octant != octant || open.last_passed == cuts_) {
      next_.push_back(open);
      continue;
    }
    const bool is_covered = isCovered(open.zone, shadow);
    if (!is_covered && !overlap(open.zone, shadow)) {
      next_.push_back(open);
      continue;
    }
    if (!steps.spendCut()) return false;
    has_changed = true;
    if (!is_covered) {
      for (const Zone& outside : differenceOf(open.zone, shadow))
        add(open, outside);
    }
    if (open.passed >= most_passed) {
      is_whole_ = false;
      continue;
    }
    add(open, intersectionOf(open.zone, shadow));
    ++next_.back().passed;
    next_.back().last_passed = cuts_;
  }
  if (has_changed) zones_.swap(next_);
  return true;
}

void OpenZones::add(const OpenZone& from, const Zone& zone) {
  next_.push_back(from);
  next_.back().zone = zone;
  next_.back().middle = middleOf(zone, octantOf(from).target());
}

std::array<double, Zone::kPairs> OpenZones::boundsOf(int octant) const {
  std::array<double, Zone::kPairs> greatest{};
  for (const OpenZone& open : zones_) {
    if (open.octant != octant) continue;
    for (int pair = 0; pair < Zone::kPairs; ++pair) {
      const auto k = static_cast<std::size_t>(pair);
      const int over = Zone::kOver[k];
      const int under = Zone::kUnder[k];
      const int third = 3 - over - under;
      // w_i / w_j is also the product of w_i / w_k and w_k / w_j.
      const double around = open.zone.bound(Zone::pairOf(over, third)).approximate *
                            open.zone.bound(Zone::pairOf(third, under)).approximate;
      greatest[k] = std::max(greatest[k], std::min(open.zone.bound(pair).approximate, around));
    }
  }
  return greatest;
}

}  // namespace fractalray::internal
