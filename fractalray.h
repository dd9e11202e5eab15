// SPDX-License-Identifier: Apache-2.0
// The whole library at once: worlds, entities, and segment queries on both.
#pragma once

// First, to say what is wrong with a target before other headers fail on it.
// clang-format off
#include "fractalray/core/platform.h"  // IWYU pragma: export
// clang-format on

#include "fractalray/core/grid_walk.h"           // IWYU pragma: export
#include "fractalray/core/level_mask.h"          // IWYU pragma: export
#include "fractalray/core/raycast.h"             // IWYU pragma: export
#include "fractalray/core/segment.h"             // IWYU pragma: export
#include "fractalray/core/tile_grid.h"           // IWYU pragma: export
#include "fractalray/entities/entity_index.h"    // IWYU pragma: export
#include "fractalray/entities/entity_search.h"   // IWYU pragma: export
#include "fractalray/levels/chunk_path.h"        // IWYU pragma: export
#include "fractalray/levels/world.h"             // IWYU pragma: export
#include "fractalray/query/ray_query_service.h"  // IWYU pragma: export
