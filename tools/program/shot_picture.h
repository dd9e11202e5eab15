// SPDX-License-Identifier: Apache-2.0
// An explained shot as pictures, one for each level's pass.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "../../formats/answer_json.h"
#include "../../query/explain/explanation.h"
#include "cell_picture.h"

namespace fractalray {

// The times of a segment between which it is drawn.
struct DrawnPart {
  double from = 0;
  double to = 1;
};

// Parses "0.25,0.5"; INVALID_ARGUMENT for anything but 0 <= from < to <= 1.
absl::StatusOr<DrawnPart> parseDrawnPart(std::string_view text, std::string_view option);

// Returns a picture for each level, the finest first, of that part of the segment: cells and corner
// crossings of its pass, the hits on it with their numbers in the shot's order, the entities of the
// level. Without a part, of as much as fits, up to a little beyond the end of the shot.
// RESOURCE_EXHAUSTED if a given part does not fit.
absl::StatusOr<std::vector<CellPicture>> shotPictures(const Explanation& explanation,
                                                      const std::optional<DrawnPart>& part);

// Returns lines of text: the hits in order, at most `max_hits`, how the shot ended, and the time at
// which unloaded space begins.
std::vector<std::string> shotLines(const Explanation& explanation, TypeNamer name,
                                   std::size_t max_hits = 24);

// Returns the pictures and the lines as an SVG.
absl::StatusOr<std::string> drawShot(const Explanation& explanation, TypeNamer name,
                                     const std::optional<DrawnPart>& part);

}  // namespace fractalray
