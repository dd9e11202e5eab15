// SPDX-License-Identifier: Apache-2.0
// Checks that the reference of the exactness table (tools/bench/exact_cells.h) equals the tests'
// own oracle.
#include "../../tools/bench/exact_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "../oracle/rng.h"
#include "../oracle/walk_oracle.h"

namespace fractalray::bench {
namespace {

using oracle::Rng;

template <int N>
void check(std::string_view name) {
  Rng rng(name);
  for (int i = 0; i < 3000; ++i) {
    lines::LineInput<N> line;
    const std::int64_t scale = std::int64_t{1} << rng.pick({0, 0, 10, 40});
    for (int axis = 0; axis < N; ++axis) {
      line.widths[axis] = rng.in(1, 8) * scale;
      const std::int64_t far = rng.oneIn(2) ? 0 : rng.in(-(1 << 16), 1 << 16) * line.widths[axis];
      line.from[axis] = far + rng.in(-30, 30) * scale;
      line.to[axis] = far + rng.in(-30, 30) * scale + (rng.oneIn(3) ? rng.in(-1, 1) : 0);
    }
    const ExactCells<N> exact = exactCells(line);
    const auto expect = [&](const lines::Cells<N>& found, CornerPolicy corner) {
      lines::Cells<N> expected;
      for (const auto& cell : oracle::walkCells<N>(line.from, line.to, line.widths, corner))
        expected.push_back(cell.cell);
      ASSERT_EQ(found, expected);
    };
    expect(exact.neither, CornerPolicy::kNeither);
    expect(exact.staircase, CornerPolicy::kStaircase);
    expect(exact.both, CornerPolicy::kBoth);
    lines::Cells<N> crossed;
    const auto cells =
        oracle::walkCells<N>(line.from, line.to, line.widths, CornerPolicy::kNeither);
    for (std::size_t k = 0; k < cells.size(); ++k) {
      if (cells[k].t < (k + 1 < cells.size() ? cells[k + 1].t : 1))
        crossed.push_back(cells[k].cell);
    }
    std::sort(crossed.begin(), crossed.end());
    ASSERT_EQ(exact.crossed, crossed);
  }
}

TEST(ExactCellsTest, AreTheOraclesIn2D) {
  check<2>("ExactCellsTest.2D");
}
TEST(ExactCellsTest, AreTheOraclesIn3D) {
  check<3>("ExactCellsTest.3D");
}

}  // namespace
}  // namespace fractalray::bench
