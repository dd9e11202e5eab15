// SPDX-License-Identifier: Apache-2.0
// The parts of fractalray_sight: pairs of an eye and a box one by one, all pairs of a server's
// tick, and the worst boxes that are known.
#pragma once

#include "tick_report.h"

namespace fractalray::bench {

// Measures players that look at each other, 8 to 64 blocks apart, in each landscape: the exact
// answer, and rays to some points of the box, with what those get wrong.
void measurePairs(const TickOptions& options, TickReport& report);

// Measures the ticks of a server, without and with a history, all walking.
void measureServer(const TickOptions& options, TickReport& report);

// Measures large boxes past porous blocks, as a distribution.
void measurePorous(const TickOptions& options, TickReport& report);

}  // namespace fractalray::bench
