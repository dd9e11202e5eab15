// SPDX-License-Identifier: Apache-2.0
// Grows a block that blocks some directions to a solid box that blocks more of them.
#pragma once

#include "../../../core/fixed_box.h"
#include "open_zones.h"
#include "sight_scope.h"

namespace fractalray::internal {

// Returns the union of a block with solid cubes next to it, of its level, that are a box: grown
// while that covers more of the directions that are open in an octant, as the block or a shadow
// next to it would. Chooses by rounded numbers; any solid box is right. Requires: the block
// occludes and fills its cube. Cost: a look-up for each block that it grows by.
FixedBox grownBox(const SightScope& scope, const OpenZones& zones, int octant, const BlockAt& at);

}  // namespace fractalray::internal
