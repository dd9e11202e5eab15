// SPDX-License-Identifier: Apache-2.0
// Runs the passes of a query. The only component that knows which passes there are.
#pragma once

#include "candidate_collector.h"

namespace fractalray::internal {

// Runs the passes that the options ask for over all levels of the query, until the collector is
// done. Cost: that of the passes.
void runPasses(CandidateCollector& collector);

// Returns true if the passes can see at once that the whole line of a query runs through loaded
// chunks of one of its levels. False says nothing. Cost: a few steps for each level.
bool isWhollyLoaded(const QueryContext& context);

}  // namespace fractalray::internal
