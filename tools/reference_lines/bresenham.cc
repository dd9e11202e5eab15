// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "line_algorithms.h"

namespace fractalray::lines {

template <int N>
Cells<N> bresenham(const LineInput<N>& line) {
  Cell<N> cell = line.firstCell();
  const Cell<N> delta = line.lastCell() - cell;
  Cell<N> length;
  int longest = 0;
  for (int axis = 0; axis < N; ++axis) {
    length[axis] = std::abs(delta[axis]);
    if (length[axis] > length[longest]) longest = axis;
  }
  Cell<N> error;  // twice how far the line is ahead of the cell's centre, times the longest length
  for (int axis = 0; axis < N; ++axis)
    error[axis] = 2 * length[axis] - length[longest];
  Cells<N> cells = {cell};
  for (std::int64_t i = 0; i < length[longest]; ++i) {
    for (int axis = 0; axis < N; ++axis) {
      if (axis != longest && error[axis] < 0) {
        error[axis] += 2 * length[axis];
        continue;
      }
      cell[axis] += delta[axis] > 0 ? 1 : -1;
      error[axis] += 2 * (length[axis] - length[longest]);
    }
    cells.push_back(cell);
  }
  return cells;
}

template Cells<2> bresenham<2>(const LineInput<2>&);
template Cells<3> bresenham<3>(const LineInput<3>&);

}  // namespace fractalray::lines
