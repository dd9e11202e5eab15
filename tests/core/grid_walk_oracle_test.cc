// SPDX-License-Identifier: Apache-2.0
// Checks that every walk equals the oracle's, cell for cell: all walks in small boxes, many
// elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "walk_compare.h"

namespace fractalray::oracle {
namespace {

TEST(GridWalkOracleTest, AllPairsOfASmallBoxAgreeIn2D) {
  // Cells of width 4 on a lattice of quarter cells, and ones that are not square.
  for (const Point<2> widths : {Point<2>{4, 4}, Point<2>{4, 6}, Point<2>{1, 3}}) {
    for (const CornerPolicy policy : kPolicies) {
      WalkInput<2> in{{}, {}, widths, policy};
      for (in.from[0] = -5; in.from[0] <= 4; ++in.from[0]) {
        for (in.from[1] = -4; in.from[1] <= 4; ++in.from[1]) {
          for (in.to[0] = -5; in.to[0] <= 4; ++in.to[0]) {
            for (in.to[1] = -4; in.to[1] <= 4; ++in.to[1])
              ASSERT_EQ(checkWalk(in), "");
          }
        }
      }
    }
  }
}

TEST(GridWalkOracleTest, ManyPairsOfASmallBoxAgreeIn3D) {
  Rng rng("GridWalkOracleTest.SmallBox3D");
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t reach = rng.in(2, 9);
    WalkInput<3> in;
    for (int axis = 0; axis < 3; ++axis) {
      in.from[axis] = rng.in(-reach, reach);
      in.to[axis] = rng.in(-reach, reach);
      in.widths[axis] = i % 2 == 0 ? 4 : rng.in(1, 6);
    }
    in.policy = kPolicies[i % 3];
    ASSERT_EQ(checkWalk(in), "");
  }
}

// Returns a walk of at most some 20 cells an axis, with corners, planes and edges on its path:
// `scale` is the cell width, and the box of coordinates ends at 2^61.
template <int N>
WalkInput<N> adversarial(Rng& rng, std::int64_t scale) {
  WalkInput<N> in;
  in.policy = kPolicies[rng.below(3)];
  const bool square = rng.oneIn(2);
  const std::int64_t slope = rng.in(1, 3);
  const int kind = rng.below(4);
  for (int axis = 0; axis < N; ++axis) {
    const std::int64_t width =
        square ? scale : std::max<std::int64_t>(1, scale / rng.in(1, 3) + rng.in(-1, 1));
    in.widths[axis] = std::min(width, kMaxCoordinate);
    const std::int64_t cells = kMaxCoordinate / width;  // in half the frame
    const std::int64_t reach = std::min<std::int64_t>(10, cells);
    const std::int64_t middle = rng.pick<std::int64_t>({0, cells - reach, reach - cells});
    const auto coordinate = [&] {
      const std::int64_t plane = (middle + rng.in(-reach, reach)) * width;
      const std::int64_t off = rng.pick<std::int64_t>(
          {0, 0, width / 2, width / 3, 1, -1, rng.in(0, width - 1), kMaxCoordinate - plane});
      if (off == kMaxCoordinate - plane && middle <= 0) return plane;
      return std::clamp(plane + off, -kMaxCoordinate, kMaxCoordinate);
    };
    in.from[axis] = coordinate();
    in.to[axis] = coordinate();
    if (kind == 0 && axis > 0) {  // a rational slope through lattice corners
      const std::int64_t d = in.to[0] / 2 - in.from[0] / 2;
      const std::int64_t along = (rng.oneIn(2) ? d : -d) / slope * 2;
      in.to[axis] =
          std::clamp(in.from[axis] / 2 + along / 2, -kMaxCoordinate / 2, kMaxCoordinate / 2) * 2;
    }
    if (rng.oneIn(8)) in.to[axis] = in.from[axis];
  }
  if (kind == 1 && rng.oneIn(4)) {
    in.to = in.from;
    if (rng.oneIn(2)) in.to[rng.below(N)] += in.from[0] > 0 ? -1 : 1;
    for (int axis = 0; axis < N; ++axis) {
      in.to[axis] = std::clamp(in.to[axis], -kMaxCoordinate, kMaxCoordinate);
    }
  }
  return in;
}

template <int N>
void checkAdversarial(std::string_view name, int count) {
  Rng rng(name);
  int wide = 0;
  int corners = 0;
  for (int i = 0; i < count; ++i) {
    const int log2 = rng.below(62);
    const std::int64_t scale =
        rng.oneIn(2) ? std::int64_t{1} << log2 : (std::int64_t{1} << log2) / 2 * 2 / 3 + 1;
    const WalkInput<N> in = adversarial<N>(rng, scale);
    // The slope may make it long, which takes the oracle too much time.
    if (crossingsOf<N>(in.from, in.to, in.widths) > 200) continue;
    if (!internal::GridStepper<N, std::int64_t>::fits64(in.from, in.to, in.widths)) ++wide;
    ASSERT_EQ(checkWalk(in), "") << i;
    const auto cells = walkCells<N>(in.from, in.to, in.widths, CornerPolicy::kStaircase);
    corners += std::any_of(cells.begin(), cells.end(), [](const auto& c) { return c.step > 1; });
  }
  EXPECT_GT(wide, count / 5) << "the wide stepper was hardly needed";
  EXPECT_GT(corners, count / 20) << "hardly a walk went through a corner";
}

TEST(GridWalkOracleTest, AdversarialWalksAgreeAtEveryScaleIn2D) {
  checkAdversarial<2>("GridWalkOracleTest.2D", 12000);
}
TEST(GridWalkOracleTest, AdversarialWalksAgreeAtEveryScaleIn3D) {
  checkAdversarial<3>("GridWalkOracleTest.3D", 12000);
}

// Returns the rest of a walk after cell `at` that a skip keeps. `isKept` decides by the diagonal
// cell of a corner crossing; the kept rest is one piece.
template <int N, class IsKept>
std::vector<WalkCell<N>> restFrom(const std::vector<WalkCell<N>>& cells, std::size_t at,
                                  const IsKept& isKept) {
  for (std::size_t begin = at + 1; begin < cells.size();) {
    std::size_t end = begin + 1;
    while (end < cells.size() && cells[end].step > 1)
      ++end;
    if (isKept(cells[end - 1])) {
      return {cells.begin() + static_cast<std::ptrdiff_t>(begin), cells.end()};
    }
    begin = end;
  }
  return {};
}

// Checks a walk after a skip: the present cell stays, then comes `rest`.
template <int N>
std::string skipDifference(GridWalk<N> walk, const std::vector<WalkCell<N>>& rest) {
  const bool more = walk.next();
  if (more != !rest.empty()) return more ? "cells are left" : "no cells are left";
  return more ? walkDifference<N>(walk, rest) : "";
}

template <int N>
void checkSkips(std::string_view name, int count) {
  Rng rng(name);
  int before = 0;
  int inside = 0;
  for (int i = 0; i < count; ++i) {
    const std::int64_t scale = rng.oneIn(2) ? rng.in(1, 6) : std::int64_t{1} << rng.in(20, 57);
    const WalkInput<N> in = adversarial<N>(rng, scale);
    if (crossingsOf<N>(in.from, in.to, in.widths) > 120) continue;
    const std::vector<WalkCell<N>> cells = walkCells<N>(in.from, in.to, in.widths, in.policy);
    const auto at = static_cast<std::size_t>(rng.below(static_cast<int>(cells.size())));
    GridWalk<N> walk(in.from, in.to, in.widths, in.policy);
    for (std::size_t step = 0; step < at; ++step)
      ASSERT_TRUE(walk.next());
    const bool at_corner = at + 1 < cells.size() && cells[at + 1].step > 1;
    ASSERT_EQ(walk.atCorner(), at_corner) << describe(in) << " cell " << at;
    if (at_corner) continue;

    // The target is a later cell's t, a t near it, 1 or any.
    const auto later =
        at + static_cast<std::size_t>(rng.below(static_cast<int>(cells.size() - at)));
    const Rational target =
        rng.oneIn(3) ? cells[later].t
                     : (cells[at].t * rng.in(0, 7) + (rng.oneIn(2) ? 1 : cells[later].t) * 8) /
                           (rng.in(0, 1) + 15);
    if (target >= cells[at].t && target <= 1 && denominator(target) < Integer(1) << 62) {
      ++before;
      GridWalk<N> skipped = walk;
      skipped.skipBefore({toInt64(numerator(target)), toInt64(denominator(target))});
      ASSERT_EQ(
          skipDifference<N>(
              skipped,
              restFrom<N>(cells, at, [&](const WalkCell<N>& cell) { return cell.t >= target; })),
          "")
          << describe(in) << " skipBefore " << target << " at cell " << at;
    }

    Point<N> min = walk.cell().cell;
    Point<N> max = min;
    for (int axis = 0; axis < N; ++axis) {
      min[axis] -= rng.in(0, 6);
      max[axis] += rng.in(0, 6);
    }
    ++inside;
    walk.skipInside(min, max);
    ASSERT_EQ(skipDifference<N>(walk, restFrom<N>(cells, at,
                                                  [&](const WalkCell<N>& cell) {
                                                    for (int axis = 0; axis < N; ++axis) {
                                                      if (cell.cell[axis] < min[axis] ||
                                                          cell.cell[axis] > max[axis])
                                                        return true;
                                                    }
                                                    return false;
                                                  })),
              "")
        << describe(in) << " skipInside " << describe<N>(min) << " to " << describe<N>(max)
        << " at cell " << at;
  }
  EXPECT_GT(before, count / 4);
  EXPECT_GT(inside, count / 2);
}

TEST(GridWalkOracleTest, SkipsLeaveExactlyTheRightCellsIn2D) {
  checkSkips<2>("GridWalkOracleTest.Skips2D", 8000);
}
TEST(GridWalkOracleTest, SkipsLeaveExactlyTheRightCellsIn3D) {
  checkSkips<3>("GridWalkOracleTest.Skips3D", 8000);
}

TEST(GridWalkOracleTest, ASkipThroughAHugeWalkArrivesExactly) {
  Rng rng("GridWalkOracleTest.HugeSkip");
  for (int i = 0; i < 3000; ++i) {
    WalkInput<3> in;
    in.policy = kPolicies[i % 3];
    for (int axis = 0; axis < 3; ++axis) {
      in.from[axis] = rng.oneIn(4) ? -kMaxCoordinate : rng.in(-kMaxCoordinate, kMaxCoordinate);
      in.to[axis] = rng.oneIn(4) ? kMaxCoordinate : rng.in(-kMaxCoordinate, kMaxCoordinate);
      in.widths[axis] = rng.oneIn(2) ? 65536 : rng.in(1, 100);
    }
    if (rng.oneIn(4)) {  // along a diagonal of the frame: every crossing is a corner
      in.widths = {65536, 65536, 65536};
      for (int axis = 0; axis < 3; ++axis) {
        in.from[axis] = rng.pick({kMaxCoordinate, -kMaxCoordinate});
        in.to[axis] = -in.from[axis];
      }
    }
    const std::int64_t denominator = std::int64_t{1} << rng.in(4, 61);
    const Fraction t{rng.in(1, denominator - 1), denominator};
    GridWalk<3> walk(in.from, in.to, in.widths, in.policy);
    walk.skipBefore(t);
    const Rational begin = fraction(t.numerator, t.denominator);
    // Long enough for some ten cells of the fastest axis.
    Rational span = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const Integer d = abs(Integer(in.to[axis]) - in.from[axis]);
      if (d > 0) span = std::min(span, fraction(Integer(in.widths[axis]) * 10, d));
    }
    const Rational end = std::min(Rational(1), Rational(begin + span));
    const auto expected = walkCells<3>(in.from, in.to, in.widths, in.policy, begin, end);
    for (const WalkCell<3>& cell : expected) {
      ASSERT_TRUE(walk.next()) << describe(in);
      ASSERT_TRUE(sameCell(walk.cell(), cell))
          << describe(in) << " after t " << begin << ": " << describe<3>(walk.cell().cell) << " "
          << faceName(walk.cell().face) << ", oracle " << describe<3>(cell.cell) << " "
          << faceName(cell.face) << " at " << cell.t;
    }
  }
}

}  // namespace
}  // namespace fractalray::oracle
