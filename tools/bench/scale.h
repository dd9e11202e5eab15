// SPDX-License-Identifier: Apache-2.0
// The parts of fractalray_scale.
#pragma once

#include <string>

#include "../../serve/source.h"
#include "door_measures.h"
#include "tick_report.h"

namespace fractalray::bench {

struct ScaleOptions : TickOptions {
  std::string store;  // a store with the bundled world; empty for none
};

// Prints a ratio, and adds it to the figures and, with what it must be, to the targets.
void addRow(TickReport& report, const std::string& what, double value, double must, bool at_least);

// Measures the door of `fractalray serve`: its cost, late calls, overload.
void measureDoor(const ScaleOptions& options, TickReport& report);
// Measures the gRPC door, if the build has it: the cost of these lines in each call.
void measureGrpc(serve::AnswerSource& source, const BundledLines& lines, AskHits local, int rounds,
                 TickReport& report);
// Measures a cache of a store that has loaded all that is asked for.
void measureWarmCache(const ScaleOptions& options, TickReport& report);

}  // namespace fractalray::bench
