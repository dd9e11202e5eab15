// SPDX-License-Identifier: Apache-2.0
// The most steps that a query may take, computed without running it.
#pragma once

#include "../step_estimate.h"
#include "query_context.h"

namespace fractalray::internal {

// Returns a bound on the steps of a query whose effects edit nothing and do not respond kAgain: in
// mode kAll, of a shot, its cursor and the query for the closest hit; in mode kAny, of a line of
// sight. Cost: some dozens of divisions for each level.
StepEstimate boundSteps(const QueryContext& context);

}  // namespace fractalray::internal
