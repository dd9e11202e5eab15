// SPDX-License-Identifier: Apache-2.0
// A fast test for lines that run through loaded chunks only, by whole regions and chunks at once.
#pragma once

#include "../../../core/internal/geometry/line.h"
#include "../../../core/internal/geometry/path_mask.h"
#include "../../../levels/world.h"

namespace fractalray::internal {

// Returns true if every chunk of the level that the line touches is loaded. May be a false
// negative: the missing chunk may be one that the line only touches, or nearly touches. Cost: a few
// steps per area (256 blocks); returns false for lines over more than four areas on an axis.
bool touchesOnlyLoaded(const World& world, const PathMask& path, int level);

// Returns true if a whole line runs in the box of a level's loaded chunks, and that box has no
// gaps. May be a false negative. Cost: a few comparisons.
bool isInFullBox(const World& world, const Line& line, int level);

}  // namespace fractalray::internal
