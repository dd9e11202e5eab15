// SPDX-License-Identifier: Apache-2.0
// Compares a list of cells with the cells that a segment crosses: those it lacks, and those it has
// too many.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "line_input.h"

namespace fractalray::lines {

// Returns the cells that the segment runs through for a positive time, by the exact walk, sorted:
// those that every list has to name. Along a plane between cells it is those that floor() names;
// for a segment of length zero, its one cell.
template <int N>
Cells<N> crossedCells(const LineInput<N>& line);

// The differences of a list, each sorted, and no cell twice.
template <int N>
struct LineDifference {
  std::size_t cells = 0;  // listed
  Cells<N> missing;       // crossed but not listed
  Cells<N> superfluous;   // listed, but neither crossed nor touched
  Cells<N> touched;       // listed, and touched at one point only: a corner, or an end on a plane
};

// Compares the cells that an algorithm lists with `crossed`, the sorted cells that are crossed.
template <int N>
LineDifference<N> differenceOf(const LineInput<N>& line, Cells<N> listed, const Cells<N>& crossed);

// An algorithm under the name that comparisons show.
template <int N>
struct NamedLine {
  std::string_view name;
  std::function<Cells<N>(const LineInput<N>&)> cells;
};

// Returns all of line_algorithms.h: those that compute in floating point with float and with
// double, the exact walk with each corner policy.
template <int N>
const std::vector<NamedLine<N>>& namedLines();

}  // namespace fractalray::lines
