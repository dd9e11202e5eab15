// SPDX-License-Identifier: Apache-2.0
// Runs plans: builds, checks, measures.
#pragma once

#include "options.h"
#include "results.h"

namespace fractalray::bench {

// Everything that the options leave in, told as it goes.
Results runSuite(const Options& options);

}  // namespace fractalray::bench
