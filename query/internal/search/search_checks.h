// SPDX-License-Identifier: Apache-2.0
// Checks the arguments of searches: levels, lengths and box.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../../core/vec.h"

namespace fractalray::internal {

// Returns the units of a length in finest-block widths, rounded to the nearest; a length greater
// than the distance of any two points of the frame counts as RoundedBox::kUnlimited. `what` names
// the length in the error: INVALID_ARGUMENT for a negative length and NaN.
absl::StatusOr<std::int64_t> unitsFromLength(double blocks, std::string_view what);

// Returns INVALID_ARGUMENT for a box whose min is above its max on an axis, before rounding.
absl::Status checkSearchBox(const Vec3d& min, const Vec3d& max);

}  // namespace fractalray::internal
