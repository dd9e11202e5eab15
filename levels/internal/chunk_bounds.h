// SPDX-License-Identifier: Apache-2.0
// The box of the loaded chunks of a level.
#pragma once

#include "../../core/internal/tree64/cell_bounds.h"
#include "../../core/vec.h"

namespace fractalray::internal {

using ChunkBounds = CellBounds<ChunkCoord>;

}  // namespace fractalray::internal
