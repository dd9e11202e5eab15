// SPDX-License-Identifier: Apache-2.0
// Whether a line runs through loaded chunks alone, told by whole regions and chunks at once.
#pragma once

#include "../../core/internal/geometry/path_mask.h"
#include "../../levels/world.h"

namespace fractalray::internal {

// Whether every chunk of the level that the line touches is loaded. False says nothing: a chunk
// that is only touched, or one nearly so, may be what is missing. Cost: a few steps an area (256
// blocks); lines over more than four of them on an axis are not looked at.
bool touchesOnlyLoaded(const World& world, const PathMask& path, int level);

}  // namespace fractalray::internal
