// SPDX-License-Identifier: Apache-2.0
// The loads of games, as sets of rays: short picks, explosions, lines of sight to a player's box
// and to the tiles around. Lines are in doubles, as a game has them.
#pragma once

#include <cstddef>
#include <string>

#include "suite.h"

namespace fractalray::bench {

// Returns a set of `count` segments as long as the reach of a player's hand, a bullet or the view,
// in blocks.
SetPlan reachSet(std::string scene, int reach, std::size_t count);

// Adds all loads to the plan of the terrain, each with some `count` segments.
void addLoads(std::size_t count, ScenePlan& plan);

}  // namespace fractalray::bench
