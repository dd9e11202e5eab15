// SPDX-License-Identifier: Apache-2.0
// Everything that the line of an explained shot hits, in order, as a table.
#pragma once

#include <cstddef>
#include <string>

#include "../../formats/answer_json.h"
#include "../../query/explain/explanation.h"
#include "color.h"

namespace fractalray {

// Returns the steps of the explanation, one per row: what was hit, when, the outcome, and at exact
// ties the reason for the order. Consecutive blocks of one type and level with the same outcome are
// one row. `name` gives types their names.
std::string formatSteps(const Explanation& explanation, TypeNamer name, Colors colors = {});

// Returns the name of a budget of the shot's rules.
std::string budgetName(const Explanation& explanation, std::size_t number);

}  // namespace fractalray
