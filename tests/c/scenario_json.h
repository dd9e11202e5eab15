// SPDX-License-Identifier: Apache-2.0
// Answers of the C interface as the JSON of docs/scenario-format.md.
#pragma once

#include <span>
#include <string>

#include "../../bindings/c/fractalray_c.h"
#include "../../formats/json_document.h"

namespace fractalray::testing {

// Returns a hit; `type` is the name of a block's type.
Json hitJson(const frHit& hit, const std::string& type);
// Returns the line of a ray.
Json lineJson(const frLine& line);
// Returns a time, null for NaN.
Json timeJson(double time);
// Returns a cell of a walk in that many dimensions.
Json cellJson(const frWalkCell& cell, int dimensions);
Json indexJson(const std::int64_t* index, int dimensions = 3);

}  // namespace fractalray::testing
