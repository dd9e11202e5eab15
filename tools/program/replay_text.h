// SPDX-License-Identifier: Apache-2.0
// A logged query whose replayed answer differs, as text or as JSON.
#pragma once

#include <string>

#include "../../formats/json.h"
#include "../../formats/replay/logged_answer.h"
#include "../../formats/replay/query_log.h"
#include "color.h"

namespace fractalray {

// Returns the query by its number and position in the log, then both answers next to each other:
// the lines around the first difference, which is marked. Requires: the answers' bytes differ.
std::string formatDifference(const LoggedQuery& query, const LoggedAnswer& recorded,
                             const LoggedAnswer& replayed, Colors colors = {});

// Returns the same as an object: {"query", "offset", "verb", ..., "recorded", "replayed", "first":
// the first line that differs}.
Json differenceJson(const LoggedQuery& query, const LoggedAnswer& recorded,
                    const LoggedAnswer& replayed);

}  // namespace fractalray
