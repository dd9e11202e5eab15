// SPDX-License-Identifier: Apache-2.0
// Runs plans: builds, checks, measures.
#pragma once

#include "options.h"
#include "results.h"

namespace fractalray::bench {

// Runs everything that the options leave in, and reports it as it runs.
Results runSuite(const Options& options);

}  // namespace fractalray::bench
