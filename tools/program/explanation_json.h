// SPDX-License-Identifier: Apache-2.0
// An explanation as JSON.
#pragma once

#include <string>

#include "../../formats/answer_json.h"
#include "../../query/explain/explanation.h"

namespace fractalray {

// Returns members of a JSON object: "passes" by level, each with its "runs" of cells and its
// "corners"; "entities" with their outcome; "steps", everything that the line hits, in order, each
// with its outcome. `name` gives types their names.
std::string explanationMembers(const Explanation& explanation, TypeNamer name);

}  // namespace fractalray
