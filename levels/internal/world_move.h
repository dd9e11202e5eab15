// SPDX-License-Identifier: Apache-2.0
// Moves the frame of a world: its levels are renumbered, and their chunks get other indices.
#pragma once

#include <cstddef>
#include <memory>

#include "../../core/frame_move.h"
#include "world_content.h"

namespace fractalray::internal {

// The chunks that a move of the frame drops: their number, loaded and proto, and the memory of
// levels that are dropped whole, freed with its last owner, on any thread.
struct DroppedChunks {
  std::size_t chunks = 0;
  std::shared_ptr<const void> content;
};
// Moves the frame, for Window, which moves the entities too. If memory runs out, throws
// std::bad_alloc and has changed nothing. Requires: move.frame() is that of the world.
DroppedChunks moveFrame(WorldContent& content, const FrameMove& move);

}  // namespace fractalray::internal
