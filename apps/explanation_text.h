// SPDX-License-Identifier: Apache-2.0
// An explanation in words, and as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../explain/explanation.h"
#include "../formats/answer_json.h"

namespace fractalray {

// "empty", "defers" ...: one word a fate, the same in words, JSON and pictures.
std::string_view fateName(CellOutcome fate);
std::string_view fateName(EntityOutcome fate);
std::string_view fateName(StepOutcome fate);

// A time with nine digits, wherever they begin: over a long segment a block is a small part.
std::string formatTime(double t);
std::string formatTime(const Fraction& t);
// "[1, -2, 3]".
std::string tellCell(const Vec3i& cell);
// "x and y", for the axes that are bits of `axes`.
std::string tellAxes(unsigned axes);

// The story of a shot: each level's pass with its cells, corners and clip, the entities on the way,
// and all that was met in order, with the reason for each tie and each skip. `name` gives types
// their names.
std::string tellExplanation(const Explanation& explanation, TypeNamer name);

// The same as members of a JSON object: "passes", "entities", "turns".
std::string explanationMembers(const Explanation& explanation, TypeNamer name);

}  // namespace fractalray
