// SPDX-License-Identifier: Apache-2.0
// Values on the command line, read the same whatever the locale.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

#include "../core/corner_policy.h"
#include "../core/vec.h"

namespace fractalray {

// "1,-2.5,3e2": from `min_count` to `max_count` numbers with commas between. `option` is what the
// error calls it: INVALID_ARGUMENT `--from: "x" in "1,x" is not a number; ...`.
absl::StatusOr<std::vector<double>> parseNumbers(std::string_view text, std::string_view option,
                                                 std::size_t min_count, std::size_t max_count);
// The same for "x,y,z".
absl::StatusOr<Vec3d> parsePoint(std::string_view text, std::string_view option);

// "both", "neither" or "staircase"; INVALID_ARGUMENT, in the same way, for another word.
absl::StatusOr<CornerPolicy> parseCornerPolicy(std::string_view text, std::string_view option);

}  // namespace fractalray
