// SPDX-License-Identifier: Apache-2.0
// A logged query that is answered otherwise than it was, for a person or as JSON.
#pragma once

#include <string>

#include "../formats/json.h"
#include "../replay/logged_answer.h"
#include "../replay/query_log.h"
#include "color.h"

namespace fractalray {

// The query by its number and place in the log, then both answers side by side: the lines around
// the first one that differs, which is marked. Requires: the answers' bytes differ.
std::string formatDifference(const LoggedQuery& query, const LoggedAnswer& recorded,
                             const LoggedAnswer& replayed, Colors colors = {});

// The same as an object: {"query", "offset", "verb", ..., "recorded", "replayed", "first": the
// first line that differs, as above}.
Json differenceJson(const LoggedQuery& query, const LoggedAnswer& recorded,
                    const LoggedAnswer& replayed);

}  // namespace fractalray
