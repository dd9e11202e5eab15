// SPDX-License-Identifier: Apache-2.0
// Compares the direct search's test of a shape with the definition of a visit, in exact fractions.
#include "../../query/internal/search/direct_boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../../core/internal/geometry/path_lanes.h"
#include "../oracle/exact.h"
#include "../oracle/random_shape.h"
#include "../oracle/rng.h"
#include "../oracle/shape_walk_oracle.h"
#include "../oracle/walk_oracle.h"

namespace fractalray::internal {
namespace {

using oracle::kPolicies;
using oracle::Rational;
using oracle::Rng;
using OneLine = DirectLine<PathLanes>;

// Lines start and end at most so far from a point of the block, in blocks.
constexpr std::int64_t kReach = 2;

struct Case {
  int shift = 16;
  Vec3i block{};
  std::vector<ShapeBox> boxes{};
  FixedSegment line{};
};

// Draws boxes with coordinates in a few planes, so that faces touch each other and those of the
// cube; and a line through a point of the block, with that and its ends in such planes, or
// anywhere.
Case randomCase(Rng& rng) {
  Case drawn{.shift = rng.pick({16, 17, 20})};
  const auto grid = rng.pick<std::int64_t>({2, 4, 16, 65536});
  drawn.boxes = oracle::randomBoxes(rng, grid);
  const std::int64_t width = std::int64_t{1} << drawn.shift;
  const std::int64_t step = rng.oneIn(2) ? width / std::min<std::int64_t>(grid, 16) : 1;
  for (int axis = 0; axis < 3; ++axis) {
    drawn.block[axis] = rng.in(-1000, 1000);
    const std::int64_t through = drawn.block[axis] * width + step * rng.in(0, width / step);
    const std::int64_t way = step * rng.in(-kReach * width / step, kReach * width / step);
    drawn.line.from[axis] = through - way;
    drawn.line.to[axis] = through + way;
  }
  return drawn;
}

// Returns F at the block's lower corner if the line enters the block through a face, from another
// block, and may be in it before its end.
std::optional<CrossProducts> productsAtEntry(OneLine& line, const Vec3i& mirrored) {
  bool starts_outside = false;
  for (int axis = 0; axis < 3; ++axis) {
    if (mirrored[axis] < line.firstBlock(axis) || mirrored[axis] > line.lastBlock(axis)) {
      return std::nullopt;
    }
    starts_outside |= mirrored[axis] != line.firstBlock(axis);
  }
  if (!starts_outside || !line.fit64(2 * kReach + 2) || line.isRounded()) return std::nullopt;
  const CrossProducts f = line.productsAt(mirrored);
  return line.entryAxis(f) >= 0 ? std::optional(f) : std::nullopt;
}

Rational rationalOf(const Fraction& time) {
  return oracle::fraction(time.numerator, time.denominator);
}

void expectSame(const Case& drawn, const ShapeCrossing& crossing,
                const oracle::ShapeVisit& expected) {
  EXPECT_EQ(rationalOf(crossing.enter), expected.t);
  EXPECT_EQ(rationalOf(crossing.leave), expected.t_exit);
  EXPECT_EQ(crossing.face, expected.face);
  EXPECT_FALSE(expected.start_inside);
  const int axis{crossing.face.axis};
  ASSERT_GE(axis, 0);
  const Rational at = Rational(drawn.line.from[axis]) +
                      expected.t * Rational(drawn.line.to[axis] - drawn.line.from[axis]);
  EXPECT_EQ(at, Rational(placedPlane(drawn.block[axis], crossing.plane, drawn.shift)));
}

// Counts outcomes.
struct Seen {
  int missed = 0;
  int entered = 0;
  int ties = 0;
  int policies_differ = 0;  // ties of which policies make different visits
};

void check(const Case& drawn, Seen& seen) {
  OneLine line(drawn.line, OneLine::lengthsOf(drawn.line));
  line.setShift(drawn.shift);
  const Vec3i mirrored = line.mirrored(drawn.block);
  const std::optional<CrossProducts> f = productsAtEntry(line, mirrored);
  if (!f.has_value()) return;
  DirectBoxes<PathLanes> boxes(line, *f, mirrored);
  const DirectOutcome outcome = boxes.cross(drawn.boxes);
  const std::int64_t width = std::int64_t{1} << drawn.shift;
  int visits = 0;
  for (const CornerPolicy policy : kPolicies) {
    const std::optional<oracle::ShapeVisit> expected =
        oracle::visitShape(drawn.line, policy, drawn.boxes, drawn.block * width, width);
    visits += expected.has_value() ? 1 : 0;
    if (outcome == DirectOutcome::kUnclear) continue;
    ASSERT_EQ(outcome == DirectOutcome::kFound, expected.has_value());
    if (expected.has_value()) expectSame(drawn, boxes.crossing(), *expected);
  }
  ++(outcome == DirectOutcome::kNone    ? seen.missed
     : outcome == DirectOutcome::kFound ? seen.entered
                                        : seen.ties);
  seen.policies_differ += visits == 1 || visits == 2 ? 1 : 0;
}

TEST(DirectBoxesTest, AnOutcomeThatIsNoTieIsTheVisitOfEveryPolicy) {
  Rng rng("DirectBoxesTest.AnOutcomeThatIsNoTieIsTheVisitOfEveryPolicy");
  Seen seen;
  for (int i = 0; i < 10'000 && !HasFailure(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    check(randomCase(rng), seen);
  }
  EXPECT_GT(seen.missed, 1000);
  EXPECT_GT(seen.entered, 500);
  EXPECT_GT(seen.ties, 100);
  EXPECT_GT(seen.policies_differ, 50);
}

// Otherwise the search would leave most shapes to slower code.
TEST(DirectBoxesTest, OnlyTiesAreLeftOpen) {
  const std::vector<ShapeBox> stairs{{.min = {0, 0, 0}, .max = {65536, 32768, 65536}},
                                     {.min = {0, 32768, 32768}, .max = {65536, 65536, 65536}}};
  Rng rng("DirectBoxesTest.OnlyTiesAreLeftOpen");
  Seen seen;
  for (int i = 0; i < 5'000 && !HasFailure(); ++i) {
    Case drawn = randomCase(rng);
    drawn.boxes = stairs;
    for (int axis = 0; axis < 3; ++axis)
      drawn.line.from[axis] += rng.in(-30'000, 30'000);
    drawn.line.to[rng.below(3)] += rng.in(-30'000, 30'000);
    check(drawn, seen);
  }
  EXPECT_GT(seen.missed + seen.entered, 1000);
  EXPECT_LT(20 * seen.ties, seen.missed + seen.entered);
}

}  // namespace
}  // namespace fractalray::internal
