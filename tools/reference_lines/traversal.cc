// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "line_algorithms.h"

namespace fractalray::lines {

template <int N, class Real>
Cells<N> traverse(const LineInput<N>& line) {
  const RealLine<N, Real> real(line);
  Cell<N> cell = cellAt(real.from);
  const Cell<N> last = cellAt(real.at(1));
  Cell<N> step;
  Vec<Real, N> t_max;    // time of the next plane of the axis
  Vec<Real, N> t_delta;  // from one plane to the next
  // In float, far away or on long lines, t may stop growing before 1. No traversal needs more steps
  // than there are planes between its ends.
  std::int64_t most_steps = N;
  for (int axis = 0; axis < N; ++axis) {
    const Real d = real.delta[axis];
    const Real into_cell = real.from[axis] - static_cast<Real>(cell[axis]);
    step[axis] = d > 0 ? 1 : -1;
    t_delta[axis] = d == 0 ? std::numeric_limits<Real>::infinity() : 1 / std::abs(d);
    t_max[axis] = d == 0 ? std::numeric_limits<Real>::infinity()
                         : (d > 0 ? 1 - into_cell : into_cell) / std::abs(d);
    most_steps += std::abs(last[axis] - cell[axis]);
  }
  Cells<N> cells = {cell};
  for (; most_steps > 0; --most_steps) {
    int axis = 0;
    for (int other = 1; other < N; ++other) {
      if (t_max[other] <= t_max[axis]) axis = other;
    }
    if (t_max[axis] > 1) break;
    cell[axis] += step[axis];
    t_max[axis] += t_delta[axis];
    cells.push_back(cell);
  }
  return cells;
}

template Cells<2> traverse<2, float>(const LineInput<2>&);
template Cells<2> traverse<2, double>(const LineInput<2>&);
template Cells<3> traverse<3, float>(const LineInput<3>&);
template Cells<3> traverse<3, double>(const LineInput<3>&);

}  // namespace fractalray::lines
