// SPDX-License-Identifier: Apache-2.0
// The directions from an eye to a box that no occluder found so far blocks: disjoint zones, out of
// which the shadows of occluders are cut.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../../core/fixed_box.h"
#include "../../../core/internal/geometry/inner_direction.h"
#include "../../../core/internal/geometry/zone.h"
#include "../../sight.h"
#include "octant.h"
#include "sight_steps.h"

namespace fractalray::internal {

// A zone that is still open.
struct OpenZone {
  Zone zone;
  ZoneMiddle middle;
  // The occluders that its directions pass, and the number of the last one of them.
  std::uint32_t passed = 0;
  std::uint64_t last_passed = 0;
  std::uint8_t octant = 0;
};

// Keeps its memory from query to query. Not thread-safe.
class OpenZones {
 public:
  // Begins with all directions from the eye to the box. Requires: the eye is not in the box.
  void begin(const SightQuery& query);

  bool empty() const { return zones_.empty(); }
  std::span<const OpenZone> zones() const { return zones_; }
  const Octant& octant(int number) const { return octants_[static_cast<std::size_t>(number)]; }
  const Octant& octantOf(const OpenZone& zone) const { return octants_[zone.octant]; }
  // Returns the greatest zone. Requires: not empty.
  const OpenZone& greatest() const;
  // Returns true if no direction has been blocked since begin().
  bool isWhole() const { return is_whole_; }

  // Returns true if an occluder blocks directions that are still open.
  bool overlapsShadowOf(const FixedBox& occluder) const;
  // Cuts out of all zones the shadows of an occluder, the union of `boxes`. Of directions that have
  // passed fewer than `most_passed` occluders, those in its shadow pass it. Counts steps; returns
  // false if they have run out, and some shadows have not been cut out.
  bool cut(std::span<const FixedBox> boxes, std::uint32_t most_passed, SightSteps& steps);

  // Returns the least zone bounds, rounded, that contain all zones of an octant: by pairs of axes.
  std::array<double, Zone::kPairs> boundsOf(int octant) const;

 private:
  bool cutShadow(int octant, const Zone& shadow, std::uint32_t most_passed, SightSteps& steps);
  void add(const OpenZone& from, const Zone& zone);

  std::array<Octant, 8> octants_;
  unsigned used_ = 0;  // a bit for each octant that has directions to the box
  std::vector<OpenZone> zones_;
  std::vector<OpenZone> next_;
  std::uint64_t cuts_ = 0;  // the number of the occluder that is being cut out
  bool is_whole_ = true;
};

}  // namespace fractalray::internal
