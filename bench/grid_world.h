// SPDX-License-Identifier: Apache-2.0
// A world of one level that holds what a grid holds.
#pragma once

#include <memory>

#include "../levels/world.h"
#include "grid.h"

namespace fractalray::bench {

// Solid blocks are "stone", permeable ones "plant"; all chunks of the grid are loaded.
std::shared_ptr<World> makeGridWorld(const Grid& grid);

}  // namespace fractalray::bench
