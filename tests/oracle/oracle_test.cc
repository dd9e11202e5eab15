// SPDX-License-Identifier: Apache-2.0
// Checks the oracle itself: by hand, and against slower versions of it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "exact.h"
#include "rng.h"
#include "shape_oracle.h"
#include "walk_oracle.h"

namespace fractalray::oracle {
namespace {

TEST(ExactTest, FloorsAndCeilingsAreRightForNegativesToo) {
  EXPECT_EQ(floorOf(fraction(7, 2)), 3);
  EXPECT_EQ(floorOf(fraction(-7, 2)), -4);
  EXPECT_EQ(floorOf(fraction(7, -2)), -4);
  EXPECT_EQ(floorOf(fraction(-6, 2)), -3);
  EXPECT_EQ(ceilOf(fraction(7, 2)), 4);
  EXPECT_EQ(ceilOf(fraction(-7, 2)), -3);
  EXPECT_EQ(ceilOf(fraction(0, 5)), 0);
}

TEST(ExactTest, TimesCompareByTheirValues) {
  const auto time = [](int p, int q) { return ExactTime{p, q}; };
  EXPECT_EQ(time(3, 4), time(1, 0));  // 3 - 2 and 1
  EXPECT_EQ(time(5, 9), time(4, 4));  // 5 - 3 and 4 - 2
  EXPECT_LT(time(3, 2), time(2, 0));  // 1.586 and 2
  EXPECT_GT(time(3, 2), time(1, 0));
  EXPECT_LT(time(0, 2), time(0, 1));   // -1.414 and -1
  EXPECT_GT(time(10, 2), time(9, 1));  // 8.586 and 8
  EXPECT_LT(time(1, 3), time(1, 2));
  // 5 - sqrt(8) = 2.17157287525...
  EXPECT_LT((ExactTime{fraction(217157287525, 100000000000)}), time(5, 8));
  EXPECT_GT((ExactTime{fraction(217157287526, 100000000000)}), time(5, 8));
}

TEST(ExactTest, OrderAgreesWithAHundredDigits) {
  Rng rng("ExactTest.Order");
  for (int i = 0; i < 3000; ++i) {
    const auto random = [&] {
      return ExactTime{fraction(rng.in(-50, 50), rng.in(1, 9)),
                       rng.oneIn(3) ? Rational(0) : fraction(rng.in(0, 900), rng.in(1, 9))};
    };
    const ExactTime a = random();
    const ExactTime b = random();
    const double apart = toDouble(a) - toDouble(b);
    if (std::abs(apart) > 1e-9) {
      ASSERT_EQ(a < b, apart < 0) << toString(a) << " and " << toString(b);
    }
    ASSERT_EQ(a <=> b, 0 <=> (b <=> a));
    ASSERT_EQ(a <=> a, std::strong_ordering::equal);
  }
}

TEST(WalkOracleTest, APartOfAWalkIsCutOutOfTheWholeWalk) {
  Rng rng("WalkOracleTest.Part");
  for (int i = 0; i < 3000; ++i) {
    Vec<std::int64_t, 3> from;
    Vec<std::int64_t, 3> to;
    Vec<std::int64_t, 3> widths;
    for (int axis = 0; axis < 3; ++axis) {
      from[axis] = rng.in(-20, 20);
      to[axis] = rng.in(-20, 20);
      widths[axis] = rng.in(1, 5);
    }
    const auto policy = static_cast<CornerPolicy>(rng.below(3));
    const auto whole = walkCells<3>(from, to, widths, policy);
    Rational t_min = fraction(rng.in(1, 6), 12);
    Rational t_max = fraction(rng.in(6, 12), 12);
    if (rng.oneIn(2)) {
      t_min = whole[static_cast<std::size_t>(rng.below(static_cast<int>(whole.size())))].t;
    }
    if (t_max < t_min) t_max = t_min;
    std::vector<Vec<std::int64_t, 3>> expected;
    for (const auto& cell : whole) {
      if (cell.t >= t_min && cell.t <= t_max) expected.push_back(cell.cell);
    }
    std::vector<Vec<std::int64_t, 3>> part;
    for (const auto& cell : walkCells<3>(from, to, widths, policy, t_min, t_max)) {
      part.push_back(cell.cell);
    }
    ASSERT_EQ(part, expected) << i;
  }
}

TEST(WalkOracleTest, EveryCellHoldsThePointAtItsTime) {
  Rng rng("WalkOracleTest.Holds");
  for (int i = 0; i < 2000; ++i) {
    const Vec<std::int64_t, 2> from{rng.in(-20, 20), rng.in(-20, 20)};
    const Vec<std::int64_t, 2> to{rng.in(-20, 20), rng.in(-20, 20)};
    const Vec<std::int64_t, 2> widths{rng.in(1, 5), rng.in(1, 5)};
    for (const auto& cell : walkCells<2>(from, to, widths, CornerPolicy::kBoth)) {
      for (int axis = 0; axis < 2; ++axis) {
        const Rational at = from[axis] + (to[axis] - from[axis]) * cell.t;
        ASSERT_LE(cell.cell[axis] * widths[axis], at);
        ASSERT_GE((cell.cell[axis] + 1) * widths[axis], at);
      }
    }
  }
}

TEST(OracleShapesTest, PartsInABoxEqualThoseByHand) {
  const FixedSegment across{{-10, 5, 5}, {30, 5, 5}};
  const BoxPart part = partInBox(across, {0, 0, 0}, {10, 10, 10}).value();
  EXPECT_EQ(part.enter, fraction(1, 4));
  EXPECT_EQ(part.exit, fraction(1, 2));
  EXPECT_EQ(part.entry_axis, 0);
  EXPECT_FALSE(partInBox(across, {0, 6, 0}, {10, 10, 10}).has_value());
  const BoxPart touch = partInBox({{-5, 5, 0}, {5, -5, 0}}, {0, 0, 0}, {9, 9, 9}).value();
  EXPECT_EQ(touch.enter, touch.exit);
  EXPECT_EQ(touch.entry_axis, 0);
}

TEST(OracleShapesTest, SphereHitsEqualThoseByHand) {
  const FixedShape ball{FixedShape::Kind::kSphere, {5, 5, 5}};
  const Meeting meeting = meetShape({{-10, 3, 0}, {10, 3, 0}}, ball, {0, 0, 0}).value();
  EXPECT_EQ(meeting.enter, ExactTime{fraction(3, 10)});
  EXPECT_DOUBLE_EQ(meeting.t_exit, 0.7);
  EXPECT_FALSE(meetShape({{-10, 6, 0}, {10, 6, 0}}, ball, {0, 0, 0}).has_value());
  EXPECT_FALSE(meetShape({{-10, 0, 0}, {-6, 0, 0}}, ball, {0, 0, 0}).has_value());
  EXPECT_TRUE(meetShape({{-10, 0, 0}, {-5, 0, 0}}, ball, {0, 0, 0}).has_value());
}

}  // namespace
}  // namespace fractalray::oracle
