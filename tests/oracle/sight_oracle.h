// SPDX-License-Identifier: Apache-2.0
// The sight of a box, the slow way: the cone of directions into the box, out of which the cones of
// all occluders are cut by planes, one after another, with fractions of any size. Shares nothing
// with the library: no octants, no ratios, no rays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../../core/fixed_box.h"
#include "../../core/level_mask.h"
#include "../../levels/world.h"
#include "../../query/sight.h"
#include "exact.h"
#include "witness_oracle.h"

namespace fractalray::oracle {

// The occluders and the unloaded space between an eye and a box.
struct SightScene {
  std::vector<Occluder> occluders;
  std::vector<FixedBox> unloaded;
  std::uint64_t through = 0;
  bool skip_start_inside = false;
  UnloadedSpace unloaded_space = UnloadedSpace::kReport;
};

// Returns the unloaded chunks of the finest level of the mask, or larger cubes, in the box around
// the eye and the target.
std::vector<FixedBox> unloadedSpace(const World& world, LevelMask levels, const SightQuery& query);

// Returns true if an eye is in the interior of an occluder: if the points half a unit from it along
// all axes are in its boxes.
bool isAround(const Occluder& occluder, const Vec3i& eye);

// The answer: what is seen, and the exact share of the box that is, with unloaded space as solid
// and as air.
struct ExactSight {
  Sight sight = Sight::kHidden;
  Rational seen_from;
  Rational seen_to;
};
// Requires: the query is valid. `with_share` is false if only the answer is wanted.
ExactSight exactSight(const SightQuery& query, const SightScene& scene, bool with_share = false);

}  // namespace fractalray::oracle
