// SPDX-License-Identifier: Apache-2.0
// Parses values of the command line, the same in every locale.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

#include "../../core/corner_policy.h"
#include "../../core/vec.h"

namespace fractalray {

// Parses "1,-2.5,3e2": from `min_count` to `max_count` numbers with commas between. `option` is the
// name in the error: INVALID_ARGUMENT `--from: "x" in "1,x" is not a number; ...`.
absl::StatusOr<std::vector<double>> parseNumbers(std::string_view text, std::string_view option,
                                                 std::size_t min_count, std::size_t max_count);
// Parses "x,y,z" likewise.
absl::StatusOr<Vec3d> parsePoint(std::string_view text, std::string_view option);

// Parses "both", "neither" or "staircase"; INVALID_ARGUMENT, likewise, for another word.
absl::StatusOr<CornerPolicy> parseCornerPolicy(std::string_view text, std::string_view option);

}  // namespace fractalray
