// SPDX-License-Identifier: Apache-2.0
// The options of a streamer and the positions of viewers, as the library takes them.
#pragma once

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"

#include "../../../core/frame.h"
#include "../../../core/vec.h"
#include "../../../streaming/stream_options.h"
#include "../fractalray_c.h"

namespace fractalray::capi {

// Returns options, which may be null, for a frame. Ranges are left to checkStreamOptions().
absl::StatusOr<StreamOptions> streamOptionsFrom(const frStreamOptions* options, const Frame& frame);

// Returns points in units. `points` may be null if there are none.
absl::StatusOr<std::vector<Vec3i>> viewersFrom(const frVectors* points, std::size_t count);

}  // namespace fractalray::capi
