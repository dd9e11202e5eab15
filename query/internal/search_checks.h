// SPDX-License-Identifier: Apache-2.0
// The checks of what a search is asked: its levels, its lengths and its box.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../core/frame.h"
#include "../../core/level_mask.h"
#include "../../core/vec.h"

namespace fractalray::internal {

// INVALID_ARGUMENT for a mask without an active level.
absl::Status checkSearchLevels(const Frame& frame, LevelMask mask);

// Returns the units of a length in finest-block widths, rounded to the nearest; one of more than
// any two points of the frame are apart counts as RoundedBox::kUnlimited. `what` names it in the
// error: INVALID_ARGUMENT for a negative one and NaN.
absl::StatusOr<std::int64_t> unitsFromLength(double blocks, std::string_view what);

// INVALID_ARGUMENT for a box whose min is above its max on an axis, before they are rounded.
absl::Status checkSearchBox(const Vec3d& min, const Vec3d& max);

}  // namespace fractalray::internal
