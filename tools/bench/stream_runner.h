// SPDX-License-Identifier: Apache-2.0
// The cost of hits by the number used of 4,096 on a line, and by the way the shot ends: by a
// callback, max_hits, a budget, or a caller that pulls them one by one.
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "results.h"

namespace fractalray::bench {

// Adds a row for each way and number of hits that the options leave in, for fractalray alone:
// nanoseconds of the whole line, however many hits are used.
void runStreams(const Options& options, Results& results);

// Returns the names of the scenes and of the ways, which stand for rays, as in the rows.
std::vector<std::string> streamScenes();
std::vector<std::string> streamWays();

}  // namespace fractalray::bench
