// SPDX-License-Identifier: Apache-2.0
// Checks that each line algorithm does what its source describes: by small cases that one can
// follow with a pencil, and by the properties that its source promises.
#include "../../tools/reference_lines/line_algorithms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../../tools/reference_lines/comparison.h"
#include "../oracle/rng.h"
#include "../oracle/walk_oracle.h"

namespace fractalray::lines {
namespace {

using oracle::Rng;

constexpr std::int64_t kUnit = 65536;

// Ends are in cells, cells 65,536 units wide.
LineInput<2> lineOf(double x0, double y0, double x1, double y1) {
  return {
      {roundedUnits(x0), roundedUnits(y0)}, {roundedUnits(x1), roundedUnits(y1)}, {kUnit, kUnit}};
}

template <int N>
std::string textOf(const Cells<N>& cells) {
  std::string text;
  for (const Cell<N>& cell : cells) {
    text += text.empty() ? "" : " ";
    for (int axis = 0; axis < N; ++axis)
      text += (axis > 0 ? "," : "") + std::to_string(cell[axis]);
  }
  return text;
}

TEST(BresenhamTest, TakesOneCellForEachStepAlongTheLongestAxis) {
  EXPECT_EQ(textOf<2>(bresenham(lineOf(0.5, 0.5, 5.5, 2.5))), "0,0 1,0 2,1 3,1 4,2 5,2");
  EXPECT_EQ(textOf<2>(bresenham(lineOf(5.5, 2.5, 0.5, 0.5))), "5,2 4,2 3,1 2,1 1,0 0,0");
  EXPECT_EQ(textOf<2>(bresenham(lineOf(0.5, 0.5, -1.5, -3.5))), "0,0 -1,-1 -1,-2 -2,-3 -2,-4");
  EXPECT_EQ(textOf<2>(bresenham(lineOf(0.5, 0.5, 0.5, 0.5))), "0,0");
}

TEST(BresenhamTest, IgnoresThePositionsOfTheEndsWithinTheirCells) {
  EXPECT_EQ(bresenham(lineOf(0.01, 0.99, 5.99, 2.01)), bresenham(lineOf(0.5, 0.5, 5.5, 2.5)));
}

TEST(BresenhamTest, IsNeverMoreThanHalfACellFromTheLineBetweenTheCentres) {
  Rng rng("BresenhamTest.Half");
  for (int i = 0; i < 2000; ++i) {
    LineInput<3> line;
    line.widths = {1, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
      line.from[axis] = rng.in(-40, 40);
      line.to[axis] = rng.in(-40, 40);
    }
    const Cell<3> d = line.to - line.from;
    const std::int64_t longest = std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])});
    const Cells<3> cells = bresenham(line);
    ASSERT_EQ(cells.size(), static_cast<std::size_t>(longest + 1));
    ASSERT_EQ(cells.back(), line.to);
    for (std::size_t step = 0; step < cells.size(); ++step) {
      for (int axis = 0; axis < 3; ++axis) {
        // |cell - (from + d step / longest)| <= 1/2, times 2 longest.
        const std::int64_t off = (cells[step][axis] - line.from[axis]) * longest -
                                 d[axis] * static_cast<std::int64_t>(step);
        ASSERT_LE(2 * std::abs(off), longest);
      }
    }
  }
}

TEST(DigitalDifferentialTest, AddsTheSameIncrements) {
  // 3 steps of (0.9, 0.3) from (0.5, 0.5).
  EXPECT_EQ(textOf<2>(digitalDifferential<2, double>(lineOf(0.5, 0.5, 3.2, 1.4))),
            "0,0 1,0 2,1 3,1");
  EXPECT_EQ(textOf<2>(digitalDifferential<2, float>(lineOf(3.5, 0.5, 0.5, 0.5))),
            "3,0 2,0 1,0 0,0");
  EXPECT_EQ(textOf<2>(digitalDifferential<2, double>(lineOf(0.5, 0.5, 0.5, 0.5))), "0,0");
}

TEST(StepUniformlyTest, RefinesCoarseStepsThatSkipACell) {
  // The corner of (1, 0) is cut for 0.2 cells along x: half a cell steps over it, 1/16 does not.
  const LineInput<2> line = lineOf(0.3, 0.15, 2.3, 2.15);
  EXPECT_EQ(textOf<2>(stepUniformly<2, double>(line)), "0,0 1,0 1,1 2,1 2,2");
  EXPECT_EQ(textOf<2>(stepUniformly<2, double>(line, {.coarse = 1, .fine = 1})), "0,0 1,0 1,1 2,2");
  // A corner cut for less than a fine step is missed or not by luck.
  EXPECT_EQ(textOf<2>(stepUniformly<2, double>(lineOf(0.31, 0.3, 2.31, 2.3))), "0,0 1,1 2,2");
}

TEST(TraverseTest, VisitsTheCellsThatTheSegmentCrosses) {
  EXPECT_EQ(textOf<2>(traverse<2, double>(lineOf(0.25, 0.25, 2.75, 1.25))), "0,0 1,0 2,0 2,1");
  EXPECT_EQ(textOf<2>(traverse<2, float>(lineOf(2.75, 1.25, 0.25, 0.25))), "2,1 2,0 1,0 0,0");
  EXPECT_EQ(textOf<2>(traverse<2, double>(lineOf(0.5, 0.5, 0.5, 0.5))), "0,0");
  EXPECT_EQ(textOf<2>(traverse<2, double>(lineOf(0.5, 0.5, 0.5, 2.5))), "0,0 0,1 0,2");
}

TEST(TraverseTest, OnATieTheLastAxisStepsFirst) {
  EXPECT_EQ(textOf<2>(traverse<2, double>(lineOf(0.5, 0.5, 2.5, 2.5))), "0,0 0,1 1,1 1,2 2,2");
}

TEST(WalkExactlyTest, IsTheOraclesWalk) {
  Rng rng("WalkExactlyTest.Oracle");
  for (int i = 0; i < 1500; ++i) {
    LineInput<2> line;
    for (int axis = 0; axis < 2; ++axis) {
      line.widths[axis] = rng.in(1, 8);
      line.from[axis] = rng.in(-40, 40);
      line.to[axis] = rng.in(-40, 40);
    }
    for (const CornerPolicy corner :
         {CornerPolicy::kNeither, CornerPolicy::kBoth, CornerPolicy::kStaircase}) {
      Cells<2> expected;
      for (const auto& cell : oracle::walkCells<2>(line.from, line.to, line.widths, corner))
        expected.push_back(cell.cell);
      ASSERT_EQ(walkExactly(line, corner), expected);
    }
  }
}

// For any input, near or far, short or long, the line ends, and begins with the cell of the
// start.
template <int N>
void checkThatAllEnd(std::string_view name) {
  Rng rng(name);
  for (int i = 0; i < 3000; ++i) {
    LineInput<N> line;
    for (int axis = 0; axis < N; ++axis) {
      const std::int64_t width = std::int64_t{1} << rng.in(0, 40);
      const std::int64_t middle =
          rng.oneIn(2) ? 0
                       : rng.in(-(std::int64_t{1} << 60) / width, (std::int64_t{1} << 60) / width);
      line.widths[axis] = width;
      line.from[axis] = middle * width + rng.in(-100, 100) * width / rng.in(1, 9);
      line.to[axis] = middle * width + rng.in(-100, 100) * width / rng.in(1, 9);
    }
    for (const NamedLine<N>& each : namedLines<N>()) {
      const Cells<N> cells = each.cells(line);
      ASSERT_FALSE(cells.empty()) << each.name;
      ASSERT_LE(cells.size(), 10000U) << each.name;
    }
  }
}
TEST(NamedLinesTest, EveryLineEndsIn2D) {
  checkThatAllEnd<2>("NamedLinesTest.2D");
}
TEST(NamedLinesTest, EveryLineEndsIn3D) {
  checkThatAllEnd<3>("NamedLinesTest.3D");
}

TEST(NamedLinesTest, NearTheOriginTraversalInDoublesIsExactAwayFromCorners) {
  Rng rng("NamedLinesTest.Traversal");
  for (int i = 0; i < 2000; ++i) {
    LineInput<3> line;
    for (int axis = 0; axis < 3; ++axis) {
      line.widths[axis] = kUnit;
      line.from[axis] = rng.in(-20 * kUnit, 20 * kUnit) | 1;
      line.to[axis] = rng.in(-20 * kUnit, 20 * kUnit) | 1;
    }
    const auto difference = differenceOf<3>(line, traverse<3, double>(line), crossedCells<3>(line));
    ASSERT_TRUE(difference.missing.empty()) << i;
    ASSERT_TRUE(difference.superfluous.empty()) << i;
  }
}

}  // namespace
}  // namespace fractalray::lines
