// SPDX-License-Identifier: Apache-2.0
// An explained shot as a trace, with a grid for each level's pass.
#pragma once

#include <optional>
#include <string_view>

#include "absl/status/statusor.h"

#include "../../formats/answer_json.h"
#include "../../query/explain/explanation.h"
#include "trace.h"

namespace fractalray {

// The times of a segment between which it is drawn.
struct DrawnPart {
  double from = 0;
  double to = 1;
};

// Parses "0.25,0.5"; INVALID_ARGUMENT for anything but 0 <= from < to <= 1.
absl::StatusOr<DrawnPart> parseDrawnPart(std::string_view text, std::string_view option);

// Returns the trace of that part of the segment. It has a grid for each level, the finest first:
// cells and corner crossings of its pass, the hits on it with their numbers in the shot's order,
// the entities of the level, the blocks next to the cells. Without a part, of as much as fits, up
// to a little beyond the end of the shot. OUT_OF_RANGE if a given part does not fit.
absl::StatusOr<Trace> shotTrace(const Explanation& explanation, TypeNamer name,
                                const std::optional<DrawnPart>& part);

}  // namespace fractalray
