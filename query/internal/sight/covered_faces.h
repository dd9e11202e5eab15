// SPDX-License-Identifier: Apache-2.0
// A cheap proof that a block is hidden: by its neighbours.
#pragma once

#include "sight_scope.h"

namespace fractalray::internal {

// Returns true if the block has a face towards the eye, and each such face is covered: a box of one
// occluder contains the face and space before it. All directions that enter the block come through
// these faces, so none sees it then. Returns false also for some hidden blocks: finer blocks that
// cover a face together, listed occluders and unloaded space are not examined. Overwrites
// `occluder`. Requires: scope.options.through is 0. Cost: for each of at most three faces a look-up
// on the block's level and the coarser ones of the mask.
bool hasCoveredFaces(const SightScope& scope, const BlockAt& at, Occluder& occluder);

}  // namespace fractalray::internal
