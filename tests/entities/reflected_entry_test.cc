// SPDX-License-Identifier: Apache-2.0
// Shapes that a reflected line hits at exactly the time at which it begins, law by law; and
// compared with the oracle, on small lattices where everything ties.
#include "../../entities/internal/reflected_entry.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "../../entities/internal/shape_geometry.h"
#include "../oracle/rng.h"
#include "../oracle/shape_oracle.h"
#include "../oracle/walk_oracle.h"

namespace fractalray::internal::reflected_entry_test {
namespace {

using oracle::Rng;

constexpr FixedShape boxOf(std::int64_t x, std::int64_t y, std::int64_t z) {
  return {.kind = FixedShape::Kind::kBox, .half_extents = {x, y, z}};
}
constexpr FixedShape sphereOf(std::int64_t radius) {
  return {.kind = FixedShape::Kind::kSphere, .half_extents = {radius, radius, radius}};
}

// A diagonal in the plane z = 0 that comes to the plane x = 10 in (10, 10) at t = 1/2, and goes
// back from there towards -x and +y.
Line diagonal() {
  return Line(oracle::reflectedIn({.from = {0, 0, 0}, .to = {20, 20, 0}}, 0, 10).value());
}
const HitTime kBegin(Fraction{1, 2});

TEST(ReflectedEntryTest, Law1WhatLiesOnTheOtherSideIsNeverMet) {
  // The wall, one that only has the point in an edge, and a ball that touches the plane there.
  EXPECT_FALSE(enterReflected(diagonal(), boxOf(3, 5, 5), {13, 10, 0}).has_value());
  EXPECT_FALSE(enterReflected(diagonal(), boxOf(3, 5, 5), {13, 15, 0}).has_value());
  EXPECT_FALSE(enterReflected(diagonal(), sphereOf(3), {13, 10, 0}).has_value());
  // A box without thickness in the plane, and a point.
  EXPECT_FALSE(enterReflected(diagonal(), boxOf(0, 5, 5), {10, 10, 0}).has_value());
  EXPECT_FALSE(enterReflected(diagonal(), boxOf(0, 0, 0), {10, 10, 0}).has_value());
  // A box that the whole line leaves before it begins.
  EXPECT_FALSE(enterReflected(diagonal(), boxOf(2, 2, 2), {16, 4, 0}).has_value());
}

TEST(ReflectedEntryTest, Law2WhatItComesIntoOnAnotherAxisIsMetByThatFace) {
  const std::optional<ShapeEntry> next_to_it =
      enterReflected(diagonal(), boxOf(5, 3, 5), {8, 13, 0});
  ASSERT_TRUE(next_to_it.has_value());
  EXPECT_EQ(next_to_it->time, kBegin);
  EXPECT_FALSE(next_to_it->starts_inside);
  EXPECT_EQ(next_to_it->axis, 1);
  // Across the plane as well.
  EXPECT_EQ(enterReflected(diagonal(), boxOf(9, 3, 5), {12, 13, 0})->axis, 1);
  const HitGeometry hit = hitGeometry(diagonal(), boxOf(5, 3, 5), {8, 13, 0}, kBegin);
  EXPECT_EQ(hit.face, (Face{.axis = 1, .sign = -1}));
  EXPECT_FALSE(hit.start_inside);
  // A ball that it comes into there: 3-4-5, with its centre ahead.
  const std::optional<ShapeEntry> ball = enterReflected(diagonal(), sphereOf(5), {7, 14, 0});
  ASSERT_TRUE(ball.has_value());
  EXPECT_EQ(ball->time, kBegin);
  EXPECT_FALSE(ball->starts_inside);
  EXPECT_FALSE(startsInside(diagonal(), sphereOf(5), {7, 14, 0}, kBegin));
}

TEST(ReflectedEntryTest, Law2NotAtTheStartOfALine) {
  // At t = 0 the line reflected in x = 0 starts on the face y = 0 of the box.
  const Line line(oracle::reflectedIn({.from = {0, 0, 0}, .to = {-20, 20, 0}}, 0, 0).value());
  const std::optional<ShapeEntry> entry = enterReflected(line, boxOf(5, 5, 5), {0, 5, 0});
  ASSERT_TRUE(entry.has_value());
  EXPECT_TRUE(entry->starts_inside);
  EXPECT_EQ(entry->time, HitTime());
}

TEST(ReflectedEntryTest, Law3ItStartsInsideOfWhatElseHasThePoint) {
  for (const std::int64_t x : {6, 8, 12}) {
    const std::optional<ShapeEntry> around = enterReflected(diagonal(), boxOf(4, 4, 4), {x, 10, 0});
    ASSERT_TRUE(around.has_value()) << x;
    EXPECT_EQ(around->time, kBegin);
    EXPECT_TRUE(around->starts_inside) << x;
    EXPECT_EQ(around->axis, -1);
  }
  EXPECT_TRUE(enterReflected(diagonal(), sphereOf(4), {9, 9, 0})->starts_inside);
  EXPECT_TRUE(hitGeometry(diagonal(), sphereOf(4), {9, 9, 0}, kBegin).start_inside);
  // A box that it leaves at exactly that time.
  EXPECT_TRUE(enterReflected(diagonal(), boxOf(4, 4, 4), {10, 6, 0})->starts_inside);
  EXPECT_EQ(hitGeometry(diagonal(), boxOf(4, 4, 4), {10, 6, 0}, kBegin).t_exit, 0.5);
}

TEST(ReflectedEntryTest, Law4WhatComesLaterIsMetThen) {
  const std::optional<ShapeEntry> later = enterReflected(diagonal(), boxOf(2, 2, 2), {4, 16, 0});
  ASSERT_TRUE(later.has_value());
  EXPECT_EQ(later->time, HitTime(Fraction{14, 20}));
  EXPECT_EQ(later->axis, 0);
}

// In both planes of a corner: back where it came from.
TEST(ReflectedEntryTest, InACornerBothWallsAreOnTheOtherSide) {
  const Line line(oracle::reflectedIn(diagonal().segment(), 1, 10).value());
  EXPECT_FALSE(enterReflected(line, boxOf(3, 5, 5), {13, 10, 0}).has_value());
  EXPECT_FALSE(enterReflected(line, boxOf(5, 3, 5), {10, 13, 0}).has_value());
  EXPECT_TRUE(enterReflected(line, boxOf(5, 5, 5), {7, 7, 0})->starts_inside);
}

// Counts of what the comparisons have covered; each of them must have come up.
struct Seen {
  int met = 0;
  int missed = 0;
  int at_begin = 0;  // come into then
  int inside = 0;
  int corners = 0;  // reflected on more than one axis
};

void compare(const FixedSegment& segment, const FixedShape& shape, const Vec3i& center,
             Seen& seen) {
  const Line line(segment);
  const std::optional<oracle::Meeting> expected = oracle::meetShape(segment, shape, center);
  const std::optional<ShapeEntry> entry = enterReflected(line, shape, center);
  ASSERT_EQ(entry.has_value(), expected.has_value());
  seen.corners += (segment.begin.axes & (segment.begin.axes - 1)) != 0 ? 1 : 0;
  if (!entry.has_value()) {
    ++seen.missed;
    return;
  }
  ++seen.met;
  ASSERT_EQ(entry->starts_inside, expected->inside);
  ASSERT_EQ(entry->axis, expected->entry_axis);
  ASSERT_NEAR(entry->time.toDouble(), oracle::toDouble(expected->enter), 1e-12);
  ASSERT_EQ(entry->time == HitTime(line.begin()),
            expected->enter == oracle::ExactTime{oracle::beginOf(segment).t});
  ASSERT_EQ(intersect(line, shape, center), entry->time);
  ASSERT_EQ(startsInside(line, shape, center, entry->time), entry->starts_inside);
  const HitGeometry hit = hitGeometry(line, shape, center, entry->time);
  ASSERT_EQ(hit.start_inside, entry->starts_inside);
  ASSERT_NEAR(hit.t_exit, expected->t_exit, 1e-12);
  seen.inside += entry->starts_inside ? 1 : 0;
  seen.at_begin += !entry->starts_inside && entry->time == HitTime(line.begin()) ? 1 : 0;
}

TEST(ReflectedEntryTest, EqualsTheOracleOnSmallLattices) {
  Rng rng("ReflectedEntryTest.Oracle");
  Seen seen;
  for (int i = 0; i < 200000; ++i) {
    // Near the origin, or where products need all their digits.
    const std::int64_t scale = rng.oneIn(4) ? std::int64_t{1} << 56 : 1;
    const std::int64_t reach = rng.pick<std::int64_t>({3, 6, 12});
    const auto point = [&] {
      return Vec3i{rng.in(-reach, reach), rng.in(-reach, reach), rng.in(-reach, reach)} * scale;
    };
    FixedSegment segment{.from = point(), .to = point()};
    for (int bounces = 1 + rng.below(2); bounces > 0; --bounces) {
      const int axis = rng.below(3);
      std::int64_t plane = rng.in(-reach, reach) * scale;
      const oracle::Rational at = oracle::beginOf(segment).point[axis];
      const bool is_corner = segment.begin.axes != 0 && rng.oneIn(2);
      if (is_corner && at == oracle::floorOf(at)) plane = oracle::toInt64(oracle::floorOf(at));
      segment = oracle::reflectedIn(segment, axis, plane).value_or(segment);
    }
    if (segment.begin.axes == 0) continue;
    const bool is_box = rng.oneIn(2);
    FixedShape shape = is_box ? boxOf(rng.in(0, reach), rng.in(0, reach), rng.in(0, reach))
                              : sphereOf(rng.in(0, reach));
    for (int axis = 0; axis < 3; ++axis)
      shape.half_extents[axis] *= scale;
    ASSERT_NO_FATAL_FAILURE(compare(segment, shape, point(), seen)) << i;
  }
  EXPECT_GT(seen.met, 10000);
  EXPECT_GT(seen.missed, 10000);
  EXPECT_GT(seen.inside, 2000);
  EXPECT_GT(seen.at_begin, 200);
  EXPECT_GT(seen.corners, 1000);
}

}  // namespace
}  // namespace fractalray::internal::reflected_entry_test
