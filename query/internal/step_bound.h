// SPDX-License-Identifier: Apache-2.0
// How many steps a query takes at most, worked out without running it.
#pragma once

#include "../step_estimate.h"
#include "query_context.h"

namespace fractalray::internal {

// Returns a bound on the steps of a query whose effects edit nothing and do not respond kAgain: of
// mode kAll on those of a shot, of its cursor and of the query for the closest hit; of mode kAny on
// those of a line of sight. Cost: some dozens of divisions for each level.
StepEstimate boundSteps(const QueryContext& context);

}  // namespace fractalray::internal
