// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "line_algorithms.h"

namespace fractalray::lines {

template <int N, class Real>
Cells<N> stepUniformly(const LineInput<N>& line, const Steps& steps) {
  const RealLine<N, Real> real(line);
  const Real length = real.length();
  const Real coarse = static_cast<Real>(steps.coarse);
  const Real fine = static_cast<Real>(steps.fine);
  Cells<N> cells = {cellAt(real.from)};
  const auto count = static_cast<std::int64_t>(std::ceil(length / coarse));
  for (std::int64_t i = 1; i <= count; ++i) {
    const Real walked = std::min(length, coarse * static_cast<Real>(i));
    const Cell<N> previous = cells.back();
    const Cell<N> next = cellAt(real.at(walked / length));
    if (next == previous) continue;
    Cells<N> between = {next};  // backwards
    for (int k = 1; fine * static_cast<Real>(k) < coarse; ++k) {
      const Cell<N> cell = cellAt(real.at((walked - fine * static_cast<Real>(k)) / length));
      if (cell == previous) break;
      appendCell<N>(between, cell);
    }
    for (auto cell = between.rbegin(); cell != between.rend(); ++cell)
      appendCell<N>(cells, *cell);
  }
  return cells;
}

template Cells<2> stepUniformly<2, float>(const LineInput<2>&, const Steps&);
template Cells<2> stepUniformly<2, double>(const LineInput<2>&, const Steps&);
template Cells<3> stepUniformly<3, float>(const LineInput<3>&, const Steps&);
template Cells<3> stepUniformly<3, double>(const LineInput<3>&, const Steps&);

}  // namespace fractalray::lines
