// SPDX-License-Identifier: Apache-2.0
// A world of one level with the blocks of a grid.
#pragma once

#include <memory>

#include "../../levels/world.h"
#include "grid.h"

namespace fractalray::bench {

// Makes the world: solid blocks are "stone", permeable ones "plant"; all chunks of the grid are
// loaded.
std::shared_ptr<World> makeGridWorld(const Grid& grid);

}  // namespace fractalray::bench
