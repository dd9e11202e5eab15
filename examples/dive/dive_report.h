// SPDX-License-Identifier: Apache-2.0
// The tables of a dive: what was done, and what its ticks cost.
#pragma once

#include <span>
#include <string>

#include "dive.h"

namespace fractalray {

// Returns what was done on the way down and on the way up: the same for the same options.
std::string formatCounts(const DiveCounts& down, const DiveCounts& up);

// Returns the median, the 99th percentile and the worst of each part of a tick's cost, in
// milliseconds. Requires: at least one tick.
std::string formatCosts(std::span<const TickCost> costs);

}  // namespace fractalray
