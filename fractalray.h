// SPDX-License-Identifier: Apache-2.0
// All of fractalray::fractalray: worlds, entities, queries, windows, streaming, and plain grid
// walks. The executor, the formats and debug drawing are libraries of their own (docs/building.md).
#pragma once

// The first include, so that an unsuitable target gets its message before other headers fail.
// clang-format off
#include "core/platform.h"  // IWYU pragma: export
// clang-format on

#include "core/field_of_view.h"           // IWYU pragma: export
#include "core/grid_walk.h"               // IWYU pragma: export
#include "core/level_mask.h"              // IWYU pragma: export
#include "core/raycast.h"                 // IWYU pragma: export
#include "core/segment.h"                 // IWYU pragma: export
#include "core/tile_grid.h"               // IWYU pragma: export
#include "core/version.h"                 // IWYU pragma: export
#include "entities/entity_fingerprint.h"  // IWYU pragma: export
#include "entities/entity_index.h"        // IWYU pragma: export
#include "levels/chunk_path.h"            // IWYU pragma: export
#include "levels/engine_chunks.h"         // IWYU pragma: export
#include "levels/fingerprint.h"           // IWYU pragma: export
#include "levels/world.h"                 // IWYU pragma: export
#include "query/block_bindings.h"         // IWYU pragma: export
#include "query/block_search.h"           // IWYU pragma: export
#include "query/entity_search.h"          // IWYU pragma: export
#include "query/hit_order.h"              // IWYU pragma: export
#include "query/hit_spans.h"              // IWYU pragma: export
#include "query/line_chunks.h"            // IWYU pragma: export
#include "query/ray_query_service.h"      // IWYU pragma: export
#include "query/visible_blocks.h"         // IWYU pragma: export
#include "query/window.h"                 // IWYU pragma: export
#include "streaming/chunk_streamer.h"     // IWYU pragma: export
#include "streaming/visibility_stream.h"  // IWYU pragma: export
