// SPDX-License-Identifier: Apache-2.0
// Worlds with ground of blocks that do not fill their cube, and what they are compared with.
#pragma once

#include <memory>

#include "../../levels/world.h"
#include "grid.h"
#include "ground_shapes.h"

namespace fractalray::bench {

// Makes a world of one level with the solid blocks of a grid, whose types have shapes.
std::shared_ptr<World> makeShapedWorld(const Grid& grid, const GroundShapes& shapes);
// Makes the same world, of as many types, which all fill their cubes.
std::shared_ptr<World> makeCubeWorld(const Grid& grid, const GroundShapes& shapes);
// Makes the same world with shapes that are built of blocks: of two levels, with blocks 16 times
// as wide on the coarser one, where each block that does not fill its cube is expanded.
std::shared_ptr<World> makeExpandedWorld(const Grid& grid, const GroundShapes& shapes);

}  // namespace fractalray::bench
