// SPDX-License-Identifier: Apache-2.0
// Traces as SVG.
#pragma once

#include <string>

#include "absl/status/statusor.h"

#include "trace.h"

namespace fractalray {

// Returns an SVG with the grids that have cells, in rows of trace.columns, a legend of the looks
// that occur, and the lines of text. Grids in 3 dimensions are seen along the axis with the fewest
// cells, and once more along another one if that is needed to distinguish the cells. OUT_OF_RANGE
// if a grid has more than kMaxDrawnCells on an axis. The same bytes on every machine.
absl::StatusOr<std::string> drawTrace(const Trace& trace);

}  // namespace fractalray
