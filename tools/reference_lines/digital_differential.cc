// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "line_algorithms.h"

namespace fractalray::lines {

template <int N, class Real>
Cells<N> digitalDifferential(const LineInput<N>& line) {
  const RealLine<N, Real> real(line);
  Real longest = 0;
  for (int axis = 0; axis < N; ++axis)
    longest = std::max(longest, std::abs(real.delta[axis]));
  const Real count = std::ceil(longest);
  Vec<Real, N> point = real.from;
  Cells<N> cells = {cellAt(point)};
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i) {
    for (int axis = 0; axis < N; ++axis)
      point[axis] += real.delta[axis] / count;
    appendCell<N>(cells, cellAt(point));
  }
  return cells;
}

template Cells<2> digitalDifferential<2, float>(const LineInput<2>&);
template Cells<2> digitalDifferential<2, double>(const LineInput<2>&);
template Cells<3> digitalDifferential<3, float>(const LineInput<3>&);
template Cells<3> digitalDifferential<3, double>(const LineInput<3>&);

}  // namespace fractalray::lines
