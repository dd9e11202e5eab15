// SPDX-License-Identifier: Apache-2.0
#include "open_zones.h"

#include <algorithm>

#include "../../../core/check.h"
#include "../../../core/internal/geometry/inner_direction.h"

namespace fractalray::internal {

void OpenZones::begin(const SightQuery& query) {
  zones_.clear();
  cuts_ = 0;
  is_whole_ = true;
  for (unsigned lower = 0; lower < octants_.size(); ++lower) {
    Octant& octant = octants_[lower];
    octant = Octant(query, lower);
    if (!octant.isUsed()) continue;
    OpenZone whole;
    whole.octant = static_cast<std::uint8_t>(lower);
    whole.zone = shadowOf(octant.target());
    if (!whole.zone.isOpen()) continue;
    whole.size = middleOf(whole.zone, octant.target()).size;
    zones_.push_back(whole);
  }
}

const OpenZone& OpenZones::greatest() const {
  FRACTALRAY_DCHECK(!empty());
  return *std::max_element(zones_.begin(), zones_.end(),
                           [](const OpenZone& a, const OpenZone& b) { return a.size < b.size; });
}

bool OpenZones::overlapsShadowOf(const FixedBox& occluder) const {
  for (std::size_t octant = 0; octant < octants_.size(); ++octant) {
    if (!octants_[octant].isUsed()) continue;
    for (const Zone& shadow : octants_[octant].shadowsOf(occluder)) {
      for (const OpenZone& open : zones_) {
        if (open.octant == octant && overlap(open.zone, shadow)) return true;
      }
    }
  }
  return false;
}

bool OpenZones::cut(std::span<const FixedBox> boxes, std::uint32_t most_passed, SightSteps& steps) {
  ++cuts_;
  for (std::size_t octant = 0; octant < octants_.size(); ++octant) {
    if (!octants_[octant].isUsed()) continue;
    for (const FixedBox& box : boxes) {
      for (const Zone& shadow : octants_[octant].shadowsOf(box)) {
        if (!cutShadow(octant, shadow, most_passed, steps)) return false;
      }
    }
  }
  return true;
}

bool OpenZones::cutShadow(std::size_t octant, const Zone& shadow, std::uint32_t most_passed,
                          SightSteps& steps) {
  next_.clear();
  bool has_changed = false;
  for (const OpenZone& open : zones_) {
    if (open.octant != octant || open.last_passed == cuts_ || !overlap(open.zone, shadow)) {
      next_.push_back(open);
      continue;
    }
    if (!steps.spendCut()) return false;
    has_changed = true;
    const ZonePieces outside = differenceOf(open.zone, shadow);
    for (int i = 0; i < outside.count; ++i)
      add(open, outside.zones[static_cast<std::size_t>(i)]);
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
  next_.back().size = middleOf(zone, octantOf(from).target()).size;
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
