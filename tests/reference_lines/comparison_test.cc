// SPDX-License-Identifier: Apache-2.0
// Checks which cells a comparison calls missing, superfluous and touched.
#include "../../tools/reference_lines/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "../oracle/rng.h"
#include "../oracle/walk_oracle.h"

namespace fractalray::lines {
namespace {

using oracle::Integer;
using oracle::Rational;
using oracle::Rng;

// Cells of width 4.
LineInput<2> lineOf(const Cell<2>& from, const Cell<2>& to) {
  return {from, to, {4, 4}};
}

TEST(CrossedCellsTest, AreThoseWithAPartOfPositiveLength) {
  EXPECT_EQ(crossedCells(lineOf({1, 1}, {11, 5})), (Cells<2>{{0, 0}, {1, 0}, {2, 0}, {2, 1}}));
  EXPECT_EQ(crossedCells(lineOf({2, 2}, {10, 10})), (Cells<2>{{0, 0}, {1, 1}, {2, 2}}));
  // Checks a start whose cell is left at once, and an end on a plane.
  EXPECT_EQ(crossedCells(lineOf({4, 1}, {1, 1})), (Cells<2>{{0, 0}}));
  EXPECT_EQ(crossedCells(lineOf({1, 1}, {4, 1})), (Cells<2>{{0, 0}}));
  EXPECT_EQ(crossedCells(lineOf({0, 0}, {8, 0})), (Cells<2>{{0, 0}, {1, 0}}));
  EXPECT_EQ(crossedCells(lineOf({4, 4}, {4, 4})), (Cells<2>{{1, 1}}));
}

TEST(DifferenceTest, NamesMissingAndSuperfluousCells) {
  const LineInput<2> line = lineOf({1, 1}, {11, 5});
  const auto difference =
      differenceOf(line, {{0, 0}, {1, 1}, {2, 1}, {0, 0}, {7, 7}}, crossedCells(line));
  EXPECT_EQ(difference.cells, 4U);
  EXPECT_EQ(difference.missing, (Cells<2>{{1, 0}, {2, 0}}));
  EXPECT_EQ(difference.superfluous, (Cells<2>{{1, 1}, {7, 7}}));
  EXPECT_TRUE(difference.touched.empty());
}

TEST(DifferenceTest, NamesCellsThatAreOnlyTouchedSeparately) {
  const LineInput<2> line = lineOf({2, 2}, {8, 8});  // ends in a corner
  const auto difference = differenceOf(
      line, {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 1}, {2, 2}, {0, 2}}, crossedCells(line));
  EXPECT_TRUE(difference.missing.empty());
  EXPECT_EQ(difference.touched, (Cells<2>{{0, 1}, {1, 0}, {2, 1}, {2, 2}}));
  EXPECT_EQ(difference.superfluous, (Cells<2>{{0, 2}}));
}

TEST(DifferenceTest, ASegmentInAPlaneCrossesOnlyThePositiveSide) {
  const LineInput<2> line = lineOf({1, 4}, {7, 4});
  const auto difference = differenceOf(line, {{0, 0}, {1, 0}}, crossedCells(line));
  EXPECT_EQ(difference.missing, (Cells<2>{{0, 1}, {1, 1}}));
  EXPECT_EQ(difference.superfluous, (Cells<2>{{0, 0}, {1, 0}}));
}

TEST(DifferenceTest, ASegmentOfLengthZeroTouchesItsNeighbours) {
  const LineInput<2> line = lineOf({4, 6}, {4, 6});
  const auto difference = differenceOf(line, {{0, 1}, {1, 1}, {0, 0}}, crossedCells(line));
  EXPECT_TRUE(difference.missing.empty());
  EXPECT_EQ(difference.touched, (Cells<2>{{0, 1}}));
  EXPECT_EQ(difference.superfluous, (Cells<2>{{0, 0}}));
}

// Returns the common part of a closed cell and the segment as fractions: nothing, a point, or more.
int commonPoints(const LineInput<2>& line, const Cell<2>& cell) {
  Rational enter = 0;
  Rational leave = 1;
  for (int axis = 0; axis < 2; ++axis) {
    const Integer d = Integer(line.to[axis]) - line.from[axis];
    const Integer low = Integer(cell[axis]) * line.widths[axis] - line.from[axis];
    const Integer high = low + line.widths[axis];
    if (d == 0) {
      if (low > 0 || high < 0) return 0;
      continue;
    }
    const Rational a = oracle::fraction(low, d);
    const Rational b = oracle::fraction(high, d);
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  return enter > leave ? 0 : (enter == leave || line.from == line.to) ? 1 : 2;
}

TEST(DifferenceTest, EveryCellAroundManySegmentsAgreesWithFractions) {
  Rng rng("DifferenceTest.Fractions");
  std::size_t touched = 0;
  for (int i = 0; i < 1500; ++i) {
    LineInput<2> line;
    Cells<2> around;
    for (int axis = 0; axis < 2; ++axis) {
      line.widths[axis] = rng.in(1, 5);
      line.from[axis] = rng.in(-9, 9);
      line.to[axis] = rng.in(-9, 9);
    }
    for (std::int64_t x = -10; x <= 10; ++x) {
      for (std::int64_t y = -10; y <= 10; ++y)
        around.push_back({x, y});
    }
    const Cells<2> crossed = crossedCells(line);
    const auto difference = differenceOf(line, around, crossed);
    const auto cells =
        oracle::walkCells<2>(line.from, line.to, line.widths, CornerPolicy::kNeither);
    std::set<Cell<2>> walked;
    for (const auto& cell : cells)
      walked.insert(cell.cell);
    EXPECT_TRUE(difference.missing.empty());
    for (const Cell<2>& cell : crossed) {
      ASSERT_TRUE(walked.count(cell) == 1 &&
                  (commonPoints(line, cell) == 2 || line.from == line.to));
    }
    for (const Cell<2>& cell : difference.touched)
      ASSERT_EQ(commonPoints(line, cell), 1);
    for (const Cell<2>& cell : difference.superfluous) {
      // Either not hit, or next to a plane that the segment runs in.
      ASSERT_TRUE(commonPoints(line, cell) == 0 || walked.count(cell) == 0);
      ASSERT_NE(commonPoints(line, cell), 1);
    }
    // The walk's cells are crossed or touched, never superfluous.
    for (const Cell<2>& cell : walked) {
      ASSERT_EQ(std::count(difference.superfluous.begin(), difference.superfluous.end(), cell), 0);
    }
    touched += difference.touched.size();
  }
  EXPECT_GT(touched, 1000U);
}

TEST(NamedLinesTest, NamesAreUniqueAndTheExactOnesLackNothing) {
  std::set<std::string_view> names;
  Rng rng("NamedLinesTest.Exact");
  for (const NamedLine<2>& each : namedLines<2>()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    if (!each.name.starts_with("exact-")) continue;
    for (int i = 0; i < 500; ++i) {
      const LineInput<2> line =
          lineOf({rng.in(-30, 30), rng.in(-30, 30)}, {rng.in(-30, 30), rng.in(-30, 30)});
      const auto difference = differenceOf(line, each.cells(line), crossedCells(line));
      ASSERT_TRUE(difference.missing.empty() && difference.superfluous.empty()) << each.name;
    }
  }
  EXPECT_EQ(names.size(), 10U);
  EXPECT_EQ(namedLines<3>().size(), 10U);
}

}  // namespace
}  // namespace fractalray::lines
