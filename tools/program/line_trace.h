// SPDX-License-Identifier: Apache-2.0
// Lines on a 2D grid as a trace, each on a grid of its own: the cells that it lists, misses and
// adds.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "../reference_lines/comparison.h"
#include "trace.h"

namespace fractalray {

// One line algorithm's answer.
template <int N>
struct ComparedLine {
  std::string name;
  lines::Cells<N> cells;  // in the order in which it lists them
  lines::LineDifference<N> difference;
};

// Returns a trace with a grid for each of `compared`. OUT_OF_RANGE if an axis has more than
// kMaxDrawnCells.
absl::StatusOr<Trace> lineTrace(const lines::LineInput<2>& line,
                                const std::vector<ComparedLine<2>>& compared);

}  // namespace fractalray
