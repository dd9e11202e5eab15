// SPDX-License-Identifier: Apache-2.0
// Checks that the crossings computed from a cell alone equal those of the walk, for every cell
// around short walks.
#include "../../../core/internal/geometry/cell_crossing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"

#include "../../../core/grid_walk.h"
#include "../../../core/internal/geometry/line_walk.h"
#include "../../../core/tree64.h"
#include "../../../core/units.h"
#include "../walk_compare.h"

namespace fractalray::internal {
namespace {

using oracle::kPolicies;
using oracle::Rng;

std::string describe(const FixedSegment& line, int shift, CornerPolicy policy) {
  const std::int64_t width = std::int64_t{1} << shift;
  return oracle::describe<3>(
      oracle::WalkInput<3>{line.from, line.to, {width, width, width}, policy});
}

std::vector<GridCell<3>> walked(const FixedSegment& line, int shift, CornerPolicy policy) {
  GridWalk<3> walk = walkAlong(Line(line), shift, policy);
  std::vector<GridCell<3>> cells;
  for (const GridCell<3>& cell : walk)
    cells.push_back(cell);
  return cells;
}

// The times written alike too, so that they are the same as doubles.
bool isSame(const GridCell<3>& a, const GridCell<3>& b) {
  return a.cell == b.cell && a.t.numerator == b.t.numerator && a.t.denominator == b.t.denominator &&
         a.face == b.face && a.step == b.step;
}

bool isBeyond(const Vec3i& a, const Vec3i& b) {
  return a[0] > b[0] || a[1] > b[1] || a[2] > b[2];
}

// Counts the cases that the tests have covered; each must have occurred.
struct Seen {
  int visited = 0;
  int refused = 0;   // not visited, inside the box of the walk
  int corners = 0;   // cells that are not the first of their corner crossing
  int at_start = 0;  // corners entered at t = 0
  int at_end = 0;    // cells entered at t = 1
  int boxes_hit = 0;
  int boxes_nearly_hit = 0;
  int boxes_missed = 0;
};

class Checker {
 public:
  Checker(const FixedSegment& line, int shift, CornerPolicy policy)
      : path_(line),
        crossings_(path_, shift, policy),
        cells_(walked(line, shift, policy)),
        text_(describe(line, shift, policy)) {
    for (const GridCell<3>& cell : cells_)
      by_cell_[cell.cell] = &cell;
  }

  // Checks every cell of the walk's box, grown by one.
  void checkAll(Seen& seen) const {
    const Vec3i& first = crossings_.first();
    const Vec3i& last = crossings_.last();
    ASSERT_EQ(path_.mirrored(first), cells_.front().cell) << text_;
    ASSERT_EQ(path_.mirrored(last), cells_.back().cell) << text_;
    Vec3i cell;
    for (cell[0] = first[0] - 1; cell[0] <= last[0] + 1; ++cell[0]) {
      for (cell[1] = first[1] - 1; cell[1] <= last[1] + 1; ++cell[1]) {
        for (cell[2] = first[2] - 1; cell[2] <= last[2] + 1; ++cell[2]) {
          check(cell, seen);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }

  // Checks the cells before and after a time that is one of the walk's, or lies between.
  void checkBounds(const Fraction& t) const {
    const Vec3i before = crossings_.cellBefore(HitTime(t));
    const Vec3i after = crossings_.cellAfter(HitTime(t));
    for (const GridCell<3>& cell : cells_) {
      const Vec3i mirrored = path_.mirrored(cell.cell);
      if (cell.t >= t) {
        ASSERT_FALSE(isBeyond(before, mirrored)) << text_ << " before " << t.toDouble();
      }
      if (cell.t <= t) {
        ASSERT_FALSE(isBeyond(mirrored, after)) << text_ << " after " << t.toDouble();
      }
    }
    // The bounds are as tight as they can be: the cells themselves or neighbours of them on an
    // axis, and for the rounding one more if cells are as small as a unit.
    const auto later = std::find_if(cells_.begin(), cells_.end(),
                                    [&](const GridCell<3>& cell) { return cell.t >= t; });
    const Vec3i near = path_.mirrored(later == cells_.end() ? cells_.back().cell : later->cell);
    for (int axis = 0; axis < 3; ++axis) {
      ASSERT_LE(near[axis] - before[axis], 2) << text_ << " before " << t.toDouble();
      ASSERT_LE(after[axis] - near[axis], 2) << text_ << " after " << t.toDouble();
    }
  }

  // Checks that all cells of the walk that are in a box of cubes are kept, and no others outside of
  // the box.
  void checkBox(const Vec3i& min, const Vec3i& max, int log2, Seen& seen) const {
    Vec3i first = crossings_.first();
    Vec3i last = crossings_.last();
    const bool is_any = crossings_.cutToBox(min, max, log2, first, last);
    const auto contains = [&](const Vec3i& cell) {
      const Vec3i cube = shiftedDown(cell, log2);
      return !isBeyond(min, cube) && !isBeyond(cube, max);
    };
    bool has_some = false;
    for (const GridCell<3>& cell : cells_) {
      if (!contains(cell.cell)) continue;
      has_some = true;
      const Vec3i mirrored = path_.mirrored(cell.cell);
      ASSERT_TRUE(is_any) << text_;
      ASSERT_FALSE(isBeyond(first, mirrored)) << text_;
      ASSERT_FALSE(isBeyond(mirrored, last)) << text_;
    }
    ++(has_some ? seen.boxes_hit : is_any ? seen.boxes_nearly_hit : seen.boxes_missed);
    if (!is_any) return;
    ASSERT_FALSE(isBeyond(first, last)) << text_;
    ASSERT_TRUE(contains(path_.mirrored(first)) && contains(path_.mirrored(last))) << text_;
  }

  const std::vector<GridCell<3>>& cells() const { return cells_; }

 private:
  void check(const Vec3i& mirrored, Seen& seen) const {
    const Vec3i at = path_.mirrored(mirrored);
    const std::optional<CellCrossing> found = crossings_.find(mirrored);
    const auto walked = by_cell_.find(at);
    ASSERT_EQ(found.has_value(), walked != by_cell_.end())
        << text_ << " cell " << oracle::describe<3>(at);
    if (!found.has_value()) {
      ++seen.refused;
      return;
    }
    const GridCell<3>& expected = *walked->second;
    const GridCell<3>& cell = found->cell;
    ASSERT_EQ(cell.cell, at) << text_;
    ASSERT_TRUE(isSame(cell, expected))
        << text_ << " cell " << oracle::describe<3>(at) << ": t " << cell.t.toDouble() << " face "
        << faceName(cell.face) << " step " << static_cast<int>(cell.step) << ", the walk t "
        << expected.t.toDouble() << " face " << faceName(expected.face) << " step "
        << static_cast<int>(expected.step);
    checkCornerEnd(*found);
    ++seen.visited;
    seen.corners += cell.step > 1 ? 1 : 0;
    seen.at_start += cell.step > 0 && cell.t == Fraction::zero() ? 1 : 0;
    seen.at_end += cell.t == Fraction::one() ? 1 : 0;
  }

  // The bound is the last cell entered at the same time, and no cell entered by then is beyond it.
  void checkCornerEnd(const CellCrossing& crossing) const {
    Vec3i last = crossing.corner_end;
    for (const GridCell<3>& cell : cells_) {
      if (cell.t > crossing.cell.t) break;
      last = path_.mirrored(cell.cell);
      ASSERT_FALSE(isBeyond(last, crossing.corner_end))
          << text_ << " cell " << oracle::describe<3>(crossing.cell.cell);
    }
    ASSERT_EQ(last, crossing.corner_end)
        << text_ << " cell " << oracle::describe<3>(crossing.cell.cell);
  }

  PathMask path_;
  CellCrossings crossings_;
  std::vector<GridCell<3>> cells_;
  absl::flat_hash_map<Vec3i, const GridCell<3>*> by_cell_;
  std::string text_;
};

// Returns a walk of at most some 10 cells an axis of width 2^shift, around a cell `middle`.
FixedSegment shortLine(Rng& rng, int shift, const Vec3i& middle) {
  const std::int64_t width = std::int64_t{1} << shift;
  const std::int64_t reach = rng.in(0, 5);
  FixedSegment line;
  const auto inFrame = [](std::int64_t at) {
    return std::clamp(at, -kMaxCoordinate, kMaxCoordinate);
  };
  for (int axis = 0; axis < 3; ++axis) {
    const auto coordinate = [&] {
      std::int64_t at = (middle[axis] + rng.in(-reach, reach)) * width;
      at += rng.pick<std::int64_t>({0, 0, 0, width / 2, width / 4, 1, -1, rng.in(0, width - 1)});
      return inFrame(at);
    };
    line.from[axis] = coordinate();
    line.to[axis] = rng.oneIn(8) ? line.from[axis] : coordinate();
  }
  const int kind = rng.below(6);
  if (kind == 0) line.to = line.from;
  if (kind == 1 || kind == 2) {  // diagonal: in kind 1 through corners, sometimes a unit off
    const std::int64_t d = line.delta()[0];
    for (int axis = 0; axis < 3; ++axis) {
      if (kind == 1) line.from[axis] = line.from[axis] >> shift << shift;
      line.to[axis] = inFrame(line.from[axis] + (rng.oneIn(2) ? d : -d));
      if (rng.oneIn(8)) line.to[axis] = inFrame(line.to[axis] + rng.in(-1, 1));
    }
  }
  if (kind == 3 && rng.oneIn(2)) {
    line.to = line.from;
    for (int axis = 0; axis < 3; ++axis)
      line.to[axis] = inFrame(line.to[axis] + rng.in(-1, 1));
  }
  return line;
}

// The mirror image of a line, in one plane on its way or in those of a corner; the line itself
// where there is none.
FixedSegment reflectedSomewhere(Rng& rng, FixedSegment line, int shift) {
  for (int bounces = 1 + rng.below(3); bounces > 0; --bounces) {
    const int axis = rng.below(3);
    const std::int64_t from = line.from[axis];
    const std::int64_t to = line.to[axis];
    std::int64_t plane = rng.in(std::min(from, to), std::max(from, to));
    if (!rng.oneIn(4)) plane = plane >> shift << shift;
    if (rng.oneIn(6)) plane = rng.oneIn(2) ? from : to;
    if (line.begin.axes != 0) {  // where it is when it begins, if that is a whole number
      const oracle::Rational point = oracle::beginOf(line).point[axis];
      if (point == oracle::Rational(oracle::floorOf(point))) {
        plane = oracle::toInt64(oracle::floorOf(point));
      }
    }
    line = oracle::reflectedIn(line, axis, plane).value_or(line);
  }
  return line;
}

// Checks walks over the blocks of ten levels, and over cells of any width.
void checkShortLines(std::string_view name, int count, bool is_reflected = false) {
  Rng rng(name);
  Seen seen;
  for (int i = 0; i < count; ++i) {
    const int shift = i % 10 == 9 ? rng.below(60) : 16 + 4 * (i % 10);
    const std::int64_t cells = kMaxCoordinate >> shift;
    Vec3i middle{};
    for (int axis = 0; axis < 3; ++axis) {
      middle[axis] = rng.pick<std::int64_t>({0, 0, cells, -cells, rng.in(-cells, cells)});
    }
    FixedSegment line = shortLine(rng, shift, middle);
    if (is_reflected) line = reflectedSomewhere(rng, line, shift);
    const Checker checker(line, shift, kPolicies[i % 3]);
    checker.checkAll(seen);
    if (testing::Test::HasFatalFailure()) return;
    const auto size = static_cast<int>(checker.cells().size());
    const Fraction some = checker.cells()[static_cast<std::size_t>(rng.below(size))].t;
    for (const Fraction& t :
         {Fraction::zero(), Fraction::one(), some,
          Fraction{rng.in(0, kMaxCoordinate), kMaxCoordinate},
          Fraction{std::max<std::int64_t>(0, some.numerator - 1), some.denominator}}) {
      checker.checkBounds(t);
      if (testing::Test::HasFatalFailure()) return;
    }
    const int log2 = rng.below(3);
    Vec3i min = shiftedDown(middle, log2);
    Vec3i max;
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] += rng.in(-2, 1);
      max[axis] = min[axis] + rng.below(4);
    }
    checker.checkBox(min, max, log2, seen);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(seen.visited, (is_reflected ? 2 : 3) * count);
  EXPECT_GT(seen.refused, 20 * count);
  EXPECT_GT(seen.corners, count / (is_reflected ? 6 : 3));
  EXPECT_GT(seen.at_start, is_reflected ? 0 : count / 10);
  EXPECT_GT(seen.at_end, count / 10);
  EXPECT_GT(seen.boxes_hit, count / 15);
  EXPECT_GT(seen.boxes_missed, count / 10);
  EXPECT_LT(seen.boxes_nearly_hit, count / 10);
}

TEST(CellCrossingTest, EveryCellAroundAShortWalkAgreesWithTheWalk) {
  checkShortLines("CellCrossingTest.Short", 100000);
}

TEST(CellCrossingTest, ReflectedLinesTooFromWhereTheyBegin) {
  checkShortLines("CellCrossingTest.Reflected", 50000, true);
}

// The walk that the other tests compare with, against the oracle.
TEST(LineWalkTest, ReflectedLinesEqualTheOracle) {
  Rng rng("LineWalkTest.Reflected");
  int reflected = 0;
  int corners = 0;  // cells that are entered when the line begins
  int beyond = 0;   // begins beyond the last cell of the whole line
  for (int i = 0; i < 30000; ++i) {
    const int shift = rng.pick({1, 4, 16, 20, 40, 52});
    const FixedSegment line =
        reflectedSomewhere(rng, shortLine(rng, shift, {rng.in(-9, 9), 0, 0}), shift);
    if (line.begin.axes == 0) continue;
    const CornerPolicy policy = kPolicies[i % 3];
    const std::int64_t width = std::int64_t{1} << shift;
    const auto expected = oracle::reflectedCells(line, width, policy);
    ASSERT_EQ(oracle::walkDifference<3>(walkAlong(Line(line), shift, policy), expected), "")
        << describe(line, shift, policy) << " from plane " << line.begin.plane << " of axes "
        << int{line.begin.axes};
    ++reflected;
    corners += expected.size() > 1 && expected[1].t == expected[0].t ? 1 : 0;
    const Vec3i last{line.to[0] >> shift, line.to[1] >> shift, line.to[2] >> shift};
    beyond += expected.back().cell != last ? 1 : 0;
  }
  EXPECT_GT(reflected, 10000);
  EXPECT_GT(corners, 500);
  EXPECT_GT(beyond, 100);
}

TEST(CellCrossingTest, AllWalksOnASmallLatticeAgree) {
  // Cells of width 2 on a lattice of halves: starts, ends and crossings on every plane and edge.
  Seen seen;
  for (const CornerPolicy policy : kPolicies) {
    for (std::int64_t from = 0; from < 3 * 3 * 3; ++from) {
      for (std::int64_t to = 0; to < 9 * 9 * 9; ++to) {
        const FixedSegment line{{from % 3, from / 3 % 3, from / 9},
                                {to % 9 - 4, to / 9 % 9 - 4, to / 81 - 4}};
        Checker(line, 1, policy).checkAll(seen);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(seen.corners, 20000);
}

// Checks walks through the whole frame: the cells around the crossing at some time, against a walk
// that skipped to it.
TEST(CellCrossingTest, CellsFarAlongALongLineAgree) {
  Rng rng("CellCrossingTest.Long");
  int corners = 0;
  for (int i = 0; i < 30000; ++i) {
    const int shift = 16 + 4 * rng.below(7);
    const std::int64_t width = std::int64_t{1} << shift;
    const CornerPolicy policy = kPolicies[i % 3];
    FixedSegment line;
    for (int axis = 0; axis < 3; ++axis) {
      line.from[axis] = rng.oneIn(3) ? kMaxCoordinate : rng.in(-kMaxCoordinate, kMaxCoordinate);
      line.to[axis] = rng.oneIn(3) ? -line.from[axis] : rng.in(-kMaxCoordinate, kMaxCoordinate);
    }
    if (rng.oneIn(3)) {  // through corners all along
      const std::int64_t d = rng.in(1, kMaxCoordinate / width / 4) * width;
      for (int axis = 0; axis < 3; ++axis) {
        line.from[axis] = rng.in(-4, 4) * width;
        line.to[axis] = line.from[axis] + d * rng.pick<std::int64_t>({-2, -1, 0, 1, 1, 2});
      }
    }
    const PathMask path(line);
    const CellCrossings crossings(path, shift, policy);
    GridWalk<3> walk(line.from, line.to, {width, width, width}, policy);
    const std::int64_t denominator = std::int64_t{1} << 61;
    const Fraction t{rng.in(0, denominator), denominator};
    walk.skipBefore(t);
    if (!walk.next()) continue;
    const Vec3i before = crossings.cellBefore(HitTime(t));
    for (int steps = 0; steps < 12; ++steps) {
      const GridCell<3>& cell = walk.cell();
      ASSERT_FALSE(isBeyond(before, path.mirrored(cell.cell))) << describe(line, shift, policy);
      const std::optional<CellCrossing> found = crossings.find(path.mirrored(cell.cell));
      ASSERT_TRUE(found.has_value()) << describe(line, shift, policy);
      ASSERT_TRUE(isSame(found->cell, cell)) << describe(line, shift, policy);
      ASSERT_FALSE(isBeyond(path.mirrored(cell.cell), crossings.cellAfter(HitTime(cell.t))));
      corners += cell.step > 1 ? 1 : 0;
      if (!walk.next()) break;
    }
  }
  EXPECT_GT(corners, 10000);
}

}  // namespace
}  // namespace fractalray::internal
