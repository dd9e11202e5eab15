// SPDX-License-Identifier: Apache-2.0
// Moves of the frame, from the data that describes them.
#pragma once

#include "absl/status/statusor.h"

#include "../../../core/frame.h"
#include "../../../core/frame_move.h"
#include "../fractalray_c.h"

namespace fractalray::capi {

// Returns a move. INVALID_ARGUMENT if it is none; the second also if it is one of another frame.
absl::StatusOr<FrameMove> frameMoveFrom(const frFrameMove& move);
absl::StatusOr<FrameMove> frameMoveFrom(const frFrameMove& move, const Frame& frame);

}  // namespace fractalray::capi
