// SPDX-License-Identifier: Apache-2.0
// Moves the frame of a world and of its entities without a window, for replays.
#pragma once

#include "absl/status/statusor.h"

#include "../../core/frame_move.h"
#include "../../entities/entity_index.h"
#include "../../levels/world.h"
#include "../window.h"

namespace fractalray::internal {

// Moves the frame as Window does, which also knows the anchor: the result has none. Requires: both
// have the frame of the move.
absl::StatusOr<WindowMove> moveFrame(World& world, EntityIndex& entities, const FrameMove& move);

}  // namespace fractalray::internal
