// SPDX-License-Identifier: Apache-2.0
// The input and the output of the line algorithms of this module.
//
// The module holds the algorithms that people use for lines on grids, each as its source has it, to
// be compared with the exact walk. The library does not depend on it.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "../../core/arithmetic/fixed_point.h"
#include "../../core/arithmetic/floor_div.h"
#include "../../core/vec.h"

namespace fractalray::lines {

template <int N>
using Cell = Vec<std::int64_t, N>;
// Cells in the order in which an algorithm visits them, none twice in a row.
template <int N>
using Cells = std::vector<Cell<N>>;

// A segment and the width of the cells on each axis, all in units, so that it is the same for all.
template <int N>
struct LineInput {
  Cell<N> from{};
  Cell<N> to{};
  Cell<N> widths{};

  Cell<N> firstCell() const { return cellOf(from); }
  Cell<N> lastCell() const { return cellOf(to); }

 private:
  Cell<N> cellOf(const Cell<N>& point) const {
    Cell<N> cell;
    for (int axis = 0; axis < N; ++axis)
      cell[axis] = floorDiv(point[axis], widths[axis]);
    return cell;
  }
};

// Appends a cell unless it is the last one already.
template <int N>
void appendCell(Cells<N>& cells, const Cell<N>& cell) {
  if (cells.empty() || cells.back() != cell) cells.push_back(cell);
}

// A segment in widths of cells, as in a program that keeps its positions in floating point: rounded
// once when it comes in, if Real needs that, and again whenever it is computed with.
template <int N, class Real>
struct RealLine {
  Vec<Real, N> from{};
  Vec<Real, N> delta{};

  explicit RealLine(const LineInput<N>& line) {
    for (int axis = 0; axis < N; ++axis) {
      const Real width = static_cast<Real>(line.widths[axis]);
      from[axis] = static_cast<Real>(line.from[axis]) / width;
      delta[axis] = static_cast<Real>(line.to[axis]) / width - from[axis];
    }
  }

  Vec<Real, N> at(Real t) const {
    Vec<Real, N> point;
    for (int axis = 0; axis < N; ++axis)
      point[axis] = from[axis] + delta[axis] * t;
    return point;
  }
  Real length() const {
    Real squares = 0;
    for (int axis = 0; axis < N; ++axis)
      squares += delta[axis] * delta[axis];
    return std::sqrt(squares);
  }
};

template <int N, class Real>
Cell<N> cellAt(const Vec<Real, N>& point) {
  Cell<N> cell;
  for (int axis = 0; axis < N; ++axis)
    cell[axis] = static_cast<std::int64_t>(std::floor(point[axis]));
  return cell;
}

}  // namespace fractalray::lines
