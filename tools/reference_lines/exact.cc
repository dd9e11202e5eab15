// SPDX-License-Identifier: Apache-2.0
#include <variant>

#include "../../core/geometry/grid_stepper.h"
#include "line_algorithms.h"

namespace fractalray::lines {

template <int N>
Cells<N> walkExactly(const LineInput<N>& line, CornerPolicy corner) {
  Cells<N> cells;
  std::visit(
      [&](auto stepper) {
        do {
          cells.push_back(stepper.cell().cell);
        } while (stepper.next());
      },
      internal::makeGridStepper<N>(line.from, line.to, line.widths, corner));
  return cells;
}

template Cells<2> walkExactly<2>(const LineInput<2>&, CornerPolicy);
template Cells<3> walkExactly<3>(const LineInput<3>&, CornerPolicy);

}  // namespace fractalray::lines
