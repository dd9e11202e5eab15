// SPDX-License-Identifier: Apache-2.0
// Ricochets by hand: what counts at exactly the time of the bounce, corners, and what is refused.
// reflected_queries_test.cc has every query along a reflected line; the random ones are in the
// property tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../../query/line_chunks.h"
#include "../oracle/shot_compare.h"
#include "../oracle/walk_oracle.h"
#include "reflect_fixture.h"

namespace fractalray {
namespace {

using oracle::kPolicies;
using oracle::kReeds;
using oracle::kStone;
using oracle::kWater;
using oracle::Rational;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(ReflectTest, TheImageIsThatOfBothEndsInThePlaneOfTheFace) {
  const FixedSegment line = toUnits(Segment{{4.5, 3, 8}, {20.5, 7, 9}}).value();
  const Hit hit = firstHit(line);
  ASSERT_EQ(hit.block, (BlockCoord{15, 5, 8}));
  const FixedSegment image = service_.reflect(line, hit).value();
  const FixedSegment expected{
      .from = {line.from[0] + 21 * kUnitsPerBlock, line.from[1], line.from[2]},
      .to = {line.to[0] - 11 * kUnitsPerBlock, line.to[1], line.to[2]},
      .begin = {.plane = 15 * kUnitsPerBlock, .axes = 1}};
  EXPECT_EQ(image, expected);
}

TEST_F(ReflectTest, TimesAndDistancesAreThoseOfTheWholePath) {
  const FixedSegment line = ray({8, 8, 8}, {1, 0, 0}, 50);
  const Hit first = firstHit(line);
  EXPECT_EQ(first.distance, 7);
  const FixedSegment back = service_.reflect(line, first).value();
  EXPECT_EQ(back.end_time, line.end_time);
  const Hit second = firstHit(back);
  EXPECT_EQ(second.block, (BlockCoord{0, 8, 8}));
  EXPECT_EQ(second.distance, 7 + 14);
  EXPECT_EQ(second.point[0], 1);
  EXPECT_GT(second.t, first.t);
  const Hit third = firstHit(service_.reflect(back, second).value());
  EXPECT_EQ(third.distance, 7 + 14 + 14);
  // 50 blocks are left where three and a half crossings of the hall end.
  const FixedSegment last = bounced(bounced(bounced(line)));
  EXPECT_EQ(firstHit(last).distance, 49);
  EXPECT_TRUE(shoot(bounced(last)).hits.empty());
}

// Each bounce is at a corner of blocks exactly, however many were before: both the wall's face and
// a plane of y are crossed at one time.
TEST_F(ReflectTest, SixtyFourBouncesOfADiagonalBetweenWallsStayOnTheirCorners) {
  for (std::int64_t y = 1; y < 57; ++y) {
    load({0, y, 0});
    fill({0, 16 * y, 0}, {0, 16 * y + 15, 15}, kStone);
    fill({15, 16 * y, 0}, {15, 16 * y + 15, 15}, kStone);
  }
  fill({1, 0, 0}, {14, 15, 15}, kAir);
  for (const CornerPolicy corner : kPolicies) {
    const QueryOptions options{.corner = corner};
    FixedSegment line = ray({8, 4, 8.5}, {1, 1, 0}, 2000);
    for (std::int64_t bounce = 0; bounce < 64; ++bounce) {
      const ClosestHit closest = service_.closestHit(line, LevelMask::all(), options).value();
      ASSERT_LT(closest.stats.steps(), 40U) << "what lies before the bounce is not searched";
      const Hit hit = closest.hit.value();
      const std::int64_t y = 4 + 7 + 14 * bounce;
      ASSERT_EQ(hit.block[0], bounce % 2 == 0 ? 15 : 0) << bounce;
      ASSERT_EQ(hit.block[1], corner == CornerPolicy::kNeither ? y : y - 1) << bounce;
      ASSERT_EQ(hit.face,
                (Face{.axis = 0, .sign = static_cast<std::int8_t>(bounce % 2 == 0 ? -1 : 1)}));
      line = service_.reflect(line, hit).value();
      const oracle::Begin begin = oracle::beginOf(line);
      ASSERT_EQ(begin.point[0], Rational(bounce % 2 == 0 ? 15 : 1) * kUnitsPerBlock) << bounce;
      ASSERT_EQ(begin.point[1], Rational(y) * kUnitsPerBlock) << bounce;
      ASSERT_EQ(begin.point[2], Rational(17) * kUnitsPerBlock / 2) << bounce;
    }
  }
}

// A hall of 14 x 14 and a path of slope 1 that comes into its corners: two bounces at one time turn
// it around.
TEST_F(ReflectTest, SixtyFourBouncesThroughTheCornersOfAHall) {
  for (const CornerPolicy corner : kPolicies) {
    const QueryOptions options{.corner = corner};
    FixedSegment line = ray({8, 8, 8.5}, {1, 1, 0}, 1000);
    for (int bounce = 0; bounce < 64; ++bounce) {
      const Hit hit = firstHit(line, options);
      const bool is_upper = bounce / 2 % 2 == 0;
      ASSERT_EQ(hit.face.axis, bounce % 2) << bounce;
      ASSERT_EQ(hit.face.sign, is_upper ? -1 : 1) << bounce;
      ASSERT_EQ(hit.start_inside, false);
      line = service_.reflect(line, hit).value();
      ASSERT_EQ(line.begin.axes, bounce % 2 == 0 ? 1 : 3) << bounce;
      const oracle::Begin begin = oracle::beginOf(line);
      ASSERT_EQ(begin.point[0], Rational(is_upper ? 15 : 1) * kUnitsPerBlock) << bounce;
      ASSERT_EQ(begin.point[1], begin.point[0]) << bounce;
    }
  }
}

// In three dimensions, three bounces at one time.
TEST_F(ReflectTest, ACornerOfThreeWallsSendsThePathBack) {
  fill({0, 0, 0}, {15, 15, 0}, kStone);
  FixedSegment line = ray({4, 4, 4}, {-1, -1, -1});
  const FixedSegment there = line;
  for (int axis = 0; axis < 3; ++axis) {
    const Hit hit = firstHit(line);
    ASSERT_EQ(hit.face, (Face{.axis = static_cast<std::int8_t>(axis), .sign = 1}));
    line = service_.reflect(line, hit).value();
  }
  EXPECT_EQ(line.begin.axes, 7);
  EXPECT_EQ(line.delta(), there.delta() * -1);
  for (const Hit& hit : shoot(line).hits)
    EXPECT_GT(hit.t, oracle::toDouble(oracle::beginOf(line).t));
}

TEST_F(ReflectTest, TheBlockJustHitIsNotHitAgain) {
  put({10, 8, 8}, kReeds);  // permeable: a line may be reflected at any face
  const FixedSegment line = ray({4.5, 8.5, 8.5}, {1, 0, 0});
  const FixedSegment back = bounced(line);
  const ShotResult shot = shoot(back);
  ASSERT_EQ(shot.hits.size(), 1U);
  EXPECT_EQ(shot.hits[0].block, (BlockCoord{0, 8, 8}));
}

TEST_F(ReflectTest, WhatThePathWasInItStartsInside) {
  put({14, 8, 8}, kWater);
  const FixedSegment line = ray({4.5, 8.5, 8.5}, {1, 0, 0});
  const ShotResult there = shoot(line);
  ASSERT_EQ(there.hits.size(), 2U);
  const FixedSegment back = service_.reflect(line, there.hits.back()).value();
  const ShotResult shot = shoot(back);
  ASSERT_EQ(shot.hits.size(), 2U);
  EXPECT_EQ(shot.hits[0].block, (BlockCoord{14, 8, 8}));
  EXPECT_TRUE(shot.hits[0].start_inside);
  EXPECT_FALSE(shot.hits[0].face.exists());
  EXPECT_EQ(shot.hits[0].t, there.hits.back().t);
  EXPECT_EQ(shot.hits[0].step, 0);
  EXPECT_EQ(shoot(back, {.filter = {.skip_start_inside = true}}).hits.size(), 1U);
}

// At an edge the path comes into a block by the other axis at exactly the time of the bounce.
TEST_F(ReflectTest, WhatItComesIntoByAnotherAxisIsHitThen) {
  put({14, 9, 8}, kReeds);
  const FixedSegment line = ray({6, 0, 8.5}, {1, 1, 0});  // to the edge (15, 9)
  QueryOptions options{.filter = {.solid_only = true}};
  fill({1, 0, 8}, {14, 0, 8}, kAir);
  const FixedSegment back = bounced(line, options);
  const ShotResult shot = shoot(back);
  ASSERT_FALSE(shot.hits.empty());
  EXPECT_EQ(shot.hits[0].block, (BlockCoord{14, 9, 8}));
  EXPECT_EQ(shot.hits[0].t, oracle::toDouble(oracle::beginOf(back).t));
  EXPECT_EQ(shot.hits[0].face, (Face{.axis = 1, .sign = -1}));
  EXPECT_EQ(shot.hits[0].step, 1);
  EXPECT_FALSE(shot.hits[0].start_inside);
}

TEST_F(ReflectTest, BoxesAreMirrorsAndCornersToo) {
  add(1, {12, 8, 8}, Box{{1, 4, 4}});
  add(2, {8, 13, 8}, Box{{4, 1, 4}});  // with the first a corner at (11, 12)
  FixedSegment line = ray({7, 8, 8}, {1, 1, 0});
  Hit hit = firstHit(line);
  EXPECT_EQ(hit.id, 1U);
  EXPECT_EQ(hit.face, (Face{.axis = 0, .sign = -1}));
  line = service_.reflect(line, hit).value();
  const ShotResult shot = shoot(line);
  ASSERT_FALSE(shot.hits.empty());
  EXPECT_EQ(shot.hits[0].id, 2U) << "at the same time, by its own face";
  EXPECT_EQ(shot.hits[0].face, (Face{.axis = 1, .sign = -1}));
  line = service_.reflect(line, shot.hits[0]).value();
  EXPECT_EQ(line.begin.axes, 3);
  hit = firstHit(line);
  EXPECT_TRUE(hit.isBlock()) << "neither of the two again";
}

TEST_F(ReflectTest, AnEntityThatThePathWasInIsStartedInside) {
  add(1, {8, 8, 8}, Box{{7, 2, 2}});
  add(2, {13, 8, 8}, Sphere{3});
  const FixedSegment line = ray({4.5, 8.5, 8.5}, {1, 0, 0});
  const FixedSegment back = bounced(line, {.filter = {.entities = false}});
  const ShotResult shot = shoot(back);
  ASSERT_EQ(shot.hits.size(), 3U);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(shot.hits[static_cast<std::size_t>(i)].id, static_cast<EntityId>(i + 1));
    EXPECT_TRUE(shot.hits[static_cast<std::size_t>(i)].start_inside);
  }
  EXPECT_EQ(shoot(back, {.filter = {.skip_start_inside = true}}).hits.size(), 1U);
}

// At its very end a path may bounce, and then hit what it comes into at that time.
TEST_F(ReflectTest, ABounceAtTheEndOfTheLine) {
  const FixedSegment line = toUnits(Segment{{8, 8, 8.5}, {15, 15, 8.5}}).value();
  const Hit hit = firstHit(line);
  EXPECT_EQ(hit.t, 1);
  const FixedSegment image = service_.reflect(line, hit).value();
  const ShotResult shot = shoot(image, {.report_unknown = true});
  ASSERT_EQ(shot.hits.size(), 1U);
  EXPECT_EQ(shot.hits[0].face, (Face{.axis = 1, .sign = -1}));
  EXPECT_EQ(shot.hits[0].t, 1);
  EXPECT_TRUE(shoot(service_.reflect(image, shot.hits[0]).value()).hits.empty());
}

// At its very start a path was in no block before, and yet hits nothing on the side of the wall.
TEST_F(ReflectTest, ABounceAtTheStartOfTheLine) {
  const FixedSegment line = ray({1, 8, 8.5}, {-1, 0, 0});
  const Hit hit = firstHit(line);
  EXPECT_EQ(hit.t, 0);
  add(1, {0.75, 8, 8.5}, Box{{0.25, 1, 1}});  // touches the plane
  add(2, {0.5, 8, 8.5}, Sphere{0.5});
  add(3, {1, 8, 8.5}, Box{{0.25, 1, 1}});
  const ShotResult shot = shoot(service_.reflect(line, hit).value());
  ASSERT_EQ(shot.hits.size(), 2U);
  EXPECT_EQ(shot.hits[0].id, 3U);
  EXPECT_TRUE(shot.hits[0].start_inside);
  EXPECT_EQ(shot.hits[1].block[0], 15);
}

TEST_F(ReflectTest, WhatHasNoFaceIsRefused) {
  add(1, {8, 8, 8}, Sphere{1});
  const FixedSegment line = ray({4.5, 8, 8}, {1, 0, 0});
  EXPECT_THAT(message(line, firstHit(line)),
              AllOf(HasSubstr("INVALID_ARGUMENT"), HasSubstr("a sphere has no face"),
                    HasSubstr("its hit at t "), HasSubstr("normal")));
  const FixedSegment inside = ray({0.5, 8, 8}, {1, 0, 0});
  EXPECT_THAT(message(inside, firstHit(inside)),
              AllOf(HasSubstr("INVALID_ARGUMENT"), HasSubstr("starts inside"),
                    HasSubstr("skip_start_inside")));
  EXPECT_THAT(message(line, Hit()), AllOf(HasSubstr("INVALID_ARGUMENT"), HasSubstr("kNone")));
}

TEST_F(ReflectTest, HitsOfOtherLinesAreRefused) {
  const FixedSegment line = ray({4.5, 8, 8}, {1, 0, 0});
  const FixedSegment other = ray({4.25, 8, 8}, {1, 0, 0});
  const Hit hit = firstHit(line);
  const auto refused =
      AllOf(HasSubstr("INVALID_ARGUMENT"), HasSubstr("face -x"), HasSubstr("ShotResult::segment"));
  EXPECT_THAT(message(other, hit), refused) << "another time";
  EXPECT_THAT(message(ray({4.5, 8, 8}, {-1, 0, 0}), hit), refused) << "the other way";
  EXPECT_THAT(message(ray({4.5, 8, 8}, {0, 1, 0}), hit), refused) << "along the plane";
  EXPECT_THAT(message(service_.reflect(line, hit).value(), hit), refused) << "twice";
  EXPECT_THAT(message(ray({4.5, 8, 8}, {1, 0, 0}, 5), hit), refused) << "after its end";
  Hit changed = hit;
  changed.level = 3;
  EXPECT_THAT(message(line, changed), refused);
  changed = hit;
  changed.block[0] = std::int64_t{1} << 62;
  EXPECT_THAT(message(line, changed), refused);
}

TEST_F(ReflectTest, AnImageOutsideOfTheFrameIsRefused) {
  const std::int64_t far = kMaxCoordinate;
  const FixedSegment line{.from = {-far, 8 * kUnitsPerBlock, 8 * kUnitsPerBlock},
                          .to = {far, 8 * kUnitsPerBlock, 8 * kUnitsPerBlock}};
  const Hit hit = firstHit(line);
  EXPECT_EQ(hit.block[0], 0);
  const FixedSegment image = service_.reflect(line, hit).value();
  EXPECT_EQ(image.from[0], far);
  const FixedSegment right = ray({8, 8, 8}, {1, 0, 0});
  FixedSegment longer = right;
  longer.to[0] = -far;
  longer.end_time = kWholeLine;
  EXPECT_THAT(message(longer, firstHit(longer)),
              AllOf(HasSubstr("OUT_OF_RANGE"), HasSubstr("to.x at 2305843009213825024 units"),
                    HasSubstr("2^61"), HasSubstr("shorter")));
}

TEST_F(ReflectTest, BeginsThatNoReflectionMakesAreRefused) {
  const FixedSegment line = toUnits(Segment{{4, 8, 8}, {12, 8, 8}}).value();
  const auto status = [&](const LineBegin& begin, std::int64_t end_time = kWholeLine) {
    FixedSegment other = line;
    other.begin = begin;
    other.end_time = end_time;
    const absl::Status of_shot = service_.shootSegment(other).status();
    EXPECT_EQ(service_.closestHit(other).status(), of_shot);
    EXPECT_EQ(service_.occluded(other).status(), of_shot);
    EXPECT_EQ(service_.hitsAlong(other).status(), of_shot);
    EXPECT_EQ(chunksOn(world_, other).status(), of_shot);
    return of_shot;
  };
  EXPECT_TRUE(status({.plane = 5 * kUnitsPerBlock, .axes = 1}).ok());
  for (const LineBegin& begin : {LineBegin{.plane = 3 * kUnitsPerBlock, .axes = 1},
                                 LineBegin{.plane = 13 * kUnitsPerBlock, .axes = 1},
                                 LineBegin{.plane = 8 * kUnitsPerBlock, .axes = 2},
                                 LineBegin{.plane = 5 * kUnitsPerBlock, .axes = 8},
                                 LineBegin{.plane = std::int64_t{1} << 62, .axes = 1}}) {
    EXPECT_TRUE(absl::IsInvalidArgument(status(begin))) << begin.plane;
  }
  const absl::Status late = status({.plane = 9 * kUnitsPerBlock, .axes = 1}, kWholeLine / 2);
  EXPECT_TRUE(absl::IsInvalidArgument(late));
  EXPECT_THAT(late.message(), AllOf(HasSubstr("589824"), HasSubstr("reflect()")));
}

}  // namespace
}  // namespace fractalray
