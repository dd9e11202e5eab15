// SPDX-License-Identifier: Apache-2.0
// Pictures of lines on a 2D grid, next to each other: the cells that each lists, misses and adds.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "../reference_lines/comparison.h"

namespace fractalray {

// One line algorithm's answer.
template <int N>
struct ComparedLine {
  std::string name;
  lines::Cells<N> cells;  // in the order in which it lists them
  lines::LineDifference<N> difference;
};

// Returns an SVG with a panel for each of `compared`, y upwards. RESOURCE_EXHAUSTED if an axis has
// more than kMaxDrawnCells (cell_picture.h).
absl::StatusOr<std::string> drawLines(const lines::LineInput<2>& line,
                                      const std::vector<ComparedLine<2>>& compared);

}  // namespace fractalray
