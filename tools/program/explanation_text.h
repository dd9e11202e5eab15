// SPDX-License-Identifier: Apache-2.0
// An explanation in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../../formats/answer_json.h"
#include "../../query/explain/explanation.h"
#include "color.h"

namespace fractalray {

// Formats a time with nine significant digits: on a long segment a block is a small part.
std::string formatTime(double t);
std::string formatTime(const Fraction& t);
// Formats "[1, -2, 3]".
std::string formatCell(const Vec3i& cell);
// Formats "x and y", for the axes that are bits of `axes`.
std::string formatAxes(unsigned axes);

// Explains a shot: each level's pass with its cells, corners and clip, the entities along the line,
// and everything that was hit in order, with the reason for each tie and each skip. `name` gives
// types their names.
std::string formatExplanation(const Explanation& explanation, TypeNamer name, Colors colors = {});

}  // namespace fractalray
