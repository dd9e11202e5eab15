// SPDX-License-Identifier: Apache-2.0
// Runs the plans of entities: builds, moves, checks, measures.
#pragma once

#include "options.h"
#include "results.h"

namespace fractalray::bench {

// Everything that the options leave in, told as it goes and added to the results.
void runEntities(const Options& options, Results& results);

}  // namespace fractalray::bench
