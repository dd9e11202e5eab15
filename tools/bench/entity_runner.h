// SPDX-License-Identifier: Apache-2.0
// Runs the plans of entities: builds, moves, checks, measures.
#pragma once

#include "options.h"
#include "results.h"

namespace fractalray::bench {

// Runs everything that the options leave in, reports it as it runs and adds it to the results.
void runEntities(const Options& options, Results& results);

}  // namespace fractalray::bench
