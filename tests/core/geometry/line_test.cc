// SPDX-License-Identifier: Apache-2.0
#include "../../../core/internal/geometry/line.h"

#include <gtest/gtest.h>

#include "../../oracle/rng.h"
#include "../../oracle/shape_oracle.h"
#include "../../oracle/walk_oracle.h"

namespace fractalray::line_test {
namespace {

using oracle::Rational;

Rational exact(const Fraction& t) {
  return oracle::fraction(t.numerator, t.denominator);
}

std::int64_t coordinate(oracle::Rng& rng, std::int64_t reach) {
  return rng.oneIn(8) ? rng.pick({reach, -reach, std::int64_t{0}}) : rng.in(-reach, reach);
}

FixedSegment randomSegment(oracle::Rng& rng, std::int64_t reach) {
  FixedSegment segment;
  for (int axis = 0; axis < 3; ++axis) {
    segment.from[axis] = coordinate(rng, reach);
    segment.to[axis] = rng.oneIn(4) ? segment.from[axis] : coordinate(rng, reach);
  }
  if (rng.oneIn(12)) segment.to = segment.from;
  return segment;
}

constexpr std::int64_t kReaches[] = {3, 10, 1000, std::int64_t{1} << 40, kMaxCoordinate};

TEST(FractionTest, OrderIsThatOfTheirValues) {
  oracle::Rng rng("FractionTest.Order");
  const auto random = [&] {
    const std::int64_t reach = rng.pick<std::int64_t>({4, 100, (std::int64_t{1} << 62) - 1});
    return Fraction{rng.in(-reach, reach), rng.in(1, reach)};
  };
  for (int i = 0; i < 20000; ++i) {
    const Fraction a = random();
    Fraction b = random();
    if (rng.oneIn(4)) b = {a.numerator + rng.in(-1, 1), a.denominator};
    if (rng.oneIn(4)) b = {a.numerator / 2 + rng.in(0, 1), a.denominator / 2 + 1};
    const int expected = exact(a).compare(exact(b));
    ASSERT_EQ(a < b, expected < 0);
    ASSERT_EQ(a == b, expected == 0);
    ASSERT_EQ(b<a, expected> 0);
    ASSERT_NEAR(a.toDouble(), oracle::toDouble(exact(a)), 1e-15 * std::abs(a.toDouble()));
  }
}

TEST(LineTest, EndPositionIsRoundedDown) {
  oracle::Rng rng("LineTest.EndPositionIsRoundedDown");
  for (int i = 0; i < 20000; ++i) {
    FixedSegment segment = randomSegment(rng, kReaches[i % 5]);
    segment.end_time = rng.oneIn(4) ? kWholeLine >> rng.below(60) : rng.in(1, kWholeLine);
    const Line line(segment);
    const Vec3i position = line.endPosition();
    const Rational end = oracle::fraction(segment.end_time, kWholeLine);
    for (int axis = 0; axis < 3; ++axis) {
      const Rational exact_position = segment.from[axis] + line.delta()[axis] * end;
      ASSERT_LE(position[axis], exact_position);
      ASSERT_LT(exact_position, position[axis] + Rational(1));
    }
  }
}

TEST(LineTest, ClipEqualsTheOracle) {
  oracle::Rng rng("LineTest.ClipEqualsTheOracle");
  int hits = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t reach = kReaches[i % 5];
    const FixedSegment segment = randomSegment(rng, reach);
    Vec3i min;
    Vec3i max;
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] = coordinate(rng, reach);
      max[axis] = coordinate(rng, reach);
      if (min[axis] > max[axis]) std::swap(min[axis], max[axis]);
      if (rng.oneIn(6)) max[axis] = segment.from[axis] > min[axis] ? segment.from[axis] : min[axis];
    }
    const std::optional<TimeSpan> span = Line(segment).clip(min, max);
    const std::optional<oracle::BoxPart> expected = oracle::partInBox(segment, min, max);
    ASSERT_EQ(span.has_value(), expected.has_value()) << i;
    if (!span.has_value()) continue;
    ++hits;
    ASSERT_EQ(exact(span->from), expected->enter) << i;
    ASSERT_EQ(exact(span->to), expected->exit) << i;
    ASSERT_EQ(span->entry_axis, expected->entry_axis) << i;
  }
  EXPECT_GT(hits, 3000);
}

TEST(LineTest, EnterAndLeaveTimesOfCellsEqualTheOracle) {
  oracle::Rng rng("LineTest.EnterAndLeaveTimes");
  int touched = 0;
  for (int i = 0; i < 10000; ++i) {
    const bool far = rng.oneIn(3);
    const int shift = far ? rng.below(6) + 54 : rng.below(4);
    const FixedSegment segment = randomSegment(rng, far ? kMaxCoordinate : 20);
    const Line line(segment);
    // A cell that the line is in, and its neighbours.
    Vec3i cell = line.cellAfter({rng.in(0, 12), 12}, shift);
    for (int axis = 0; axis < 3; ++axis)
      cell[axis] += rng.in(-1, 1);
    Vec3i min;
    Vec3i max;
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] = cell[axis] * (std::int64_t{1} << shift);
      max[axis] = min[axis] + (std::int64_t{1} << shift);
    }
    const std::optional<oracle::BoxPart> expected = oracle::partInBox(segment, min, max);
    if (!expected.has_value()) continue;
    ASSERT_EQ(exact(line.enterTime(cell, shift)), expected->enter) << i;
    ASSERT_EQ(exact(line.leaveTime(cell, shift)), expected->exit) << i;
    touched += expected->enter == expected->exit ? 1 : 0;
  }
  EXPECT_GT(touched, 100);
}

TEST(LineTest, CellAfterEqualsTheWalk) {
  oracle::Rng rng("LineTest.CellAfterEqualsTheWalk");
  for (int i = 0; i < 10000; ++i) {
    const bool far = rng.oneIn(2);
    const int shift = far ? rng.below(6) + 56 : rng.below(6) + 1;
    const FixedSegment segment = randomSegment(rng, far ? kMaxCoordinate : 100);
    const std::int64_t width = std::int64_t{1} << shift;
    Fraction t{rng.in(0, 12), 12};
    const int axis_of_t = rng.below(3);
    const std::int64_t d = segment.delta()[axis_of_t];
    if (d != 0 && rng.oneIn(2)) {  // exactly where it crosses a plane
      const std::int64_t plane =
          floorDiv(rng.oneIn(2) ? segment.from[axis_of_t] : segment.to[axis_of_t], width) * width;
      const std::int64_t ahead =
          d > 0 ? plane - segment.from[axis_of_t] : segment.from[axis_of_t] - plane;
      if (ahead >= 0 && ahead <= std::abs(d)) t = {ahead, std::abs(d)};
    }
    const Vec3i cell = Line(segment).cellAfter(t, shift);
    for (int axis = 0; axis < 3; ++axis) {
      // Just after t = 1 the line has crossed the plane at its end: walk a little longer.
      const Vec3i end = segment.to + segment.delta();
      const oracle::AxisCrossings crossings =
          oracle::axisCrossings(segment.from[axis], far ? segment.to[axis] : end[axis], width, 0,
                                far ? exact(t) : Rational(exact(t) / 2));
      if (far && t == Fraction::one()) continue;
      const std::int64_t expected =
          crossings.before +
          crossings.direction * static_cast<std::int64_t>(crossings.times.size());
      ASSERT_EQ(cell[axis], expected)
          << "axis " << axis << ", t " << t.numerator << "/" << t.denominator << ", width " << width
          << ", from " << segment.from[axis] << " to " << segment.to[axis];
    }
  }
}

TEST(LineTest, LengthAndPointsAreInBlocks) {
  const Line line(toUnits(Segment{{1, 2, 3}, {4, 6, 3}}).value());
  EXPECT_DOUBLE_EQ(line.lengthBlocks(), 5);
  EXPECT_EQ(line.pointAt(0.5), (Vec3d{2.5, 4, 3}));
  EXPECT_FALSE(line.isPoint());
  EXPECT_TRUE(Line(FixedSegment{{7, 7, 7}, {7, 7, 7}}).isPoint());
}

}  // namespace
}  // namespace fractalray::line_test
