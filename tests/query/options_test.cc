// SPDX-License-Identifier: Apache-2.0
// Checks the options of a shot, its errors, and the members of its result other than the hits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"

#include "shot_fixture.h"

namespace fractalray::options_test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kRange = absl::StatusCode::kOutOfRange;
constexpr auto kExhausted = absl::StatusCode::kResourceExhausted;

class OptionsTest : public CorridorTest {
 protected:
  OptionsTest() {
    put(3, kWater);
    put(9, kGlass);
    put(12, kMist);
    put(20, kStone);
    addEntity(1, 6);
    addEntity(2, 7);
  }
  absl::StatusCode codeOf(const Segment& segment, LevelMask levels,
                          const QueryOptions& options = {}) const {
    return service_.shootSegment(segment, levels, options).status().code();
  }
};

TEST_F(OptionsTest, TheChannelDecidesWhatABlockIs) {
  EXPECT_EQ(shoot(), "water@3 e1@6 e2@7 glass@9!");
  EXPECT_EQ(shoot({.filter = {.channel = kVisible}}), "water@3 e1@6 e2@7 mist@12 stone@20!");
}

TEST_F(OptionsTest, IgnoredEntitiesAreNotHit) {
  const std::vector<EntityId> ignore = {2, 99, 2, 0};
  EXPECT_EQ(shoot({.filter = {.ignore = ignore}}), "water@3 e1@6 glass@9!");
  const EntityId one = 1;
  EXPECT_EQ(shoot({.filter = {.ignore = one}}), "water@3 e2@7 glass@9!");
  EXPECT_EQ(shoot({.filter = {.ignore = {one}}}), "water@3 e2@7 glass@9!");
  EXPECT_EQ(shoot({.filter = {.ignore = {one, 2}}}), "water@3 glass@9!");
  EXPECT_EQ(shoot({.filter = {.ignore = {}}}), "water@3 e1@6 e2@7 glass@9!");
}

TEST_F(OptionsTest, AListOfOneOrTwoIdsIsCopiedAndAnArrayIsNot) {
  QueryOptions kept;
  {
    EntityId shooter = 1;
    kept = {.filter = {.ignore = {shooter}}};
    shooter = 2;
  }
  const QueryOptions copy = kept;
  kept.filter.ignore = {};
  EXPECT_EQ(shoot(copy), "water@3 e2@7 glass@9!");
  std::vector<EntityId> ids = {1};
  const QueryOptions viewing{.filter = {.ignore = ids}};
  ids[0] = 2;
  EXPECT_EQ(shoot(viewing), "water@3 e1@6 glass@9!");
  EXPECT_EQ(shoot({.filter = {.ignore = std::span(ids).first(0)}}), "water@3 e1@6 e2@7 glass@9!");
  static_assert(std::is_convertible_v<std::vector<EntityId>&, IgnoreList>);
  static_assert(std::is_convertible_v<std::span<EntityId>, IgnoreList>);
  static_assert(!std::is_convertible_v<std::vector<EntityId>, IgnoreList>, "it would dangle");
}

TEST_F(OptionsTest, CategoriesMustShareABit) {
  EntitySpec spec;
  spec.id = 3;
  spec.level = 1;
  spec.position = {5.5, 0.5, 0.5};
  spec.categories = 0b1100;
  ASSERT_TRUE(entities_.add(spec).ok());
  EXPECT_EQ(shoot({.filter = {.categories = 0b0100}}), "water@3 e3@5 glass@9!");
  EXPECT_EQ(shoot({.filter = {.categories = 1}}), "water@3 e1@6 e2@7 glass@9!");
  EXPECT_EQ(shoot({.filter = {.categories = 0}}), "water@3 glass@9!");
  EXPECT_EQ(shoot(), "water@3 e3@5 e1@6 e2@7 glass@9!");
}

TEST_F(OptionsTest, BlocksAndEntitiesThatAFilterRefusesAreNotHitEvenSolidBlocks) {
  QueryOptions options;
  options.filter.block_filter = [](const BlockHit& hit) { return hit.type != kGlass; };
  options.filter.entity_filter = [](const EntityHit& hit) { return hit.id != 1; };
  onBlock(kGlass);
  EXPECT_EQ(shoot(options), "water@3 e2@7 stone@20!");
  EXPECT_EQ(calls(), "");
}

TEST_F(OptionsTest, SkipStartInsideDropsEverythingAroundTheStart) {
  put(0, kStone);
  addEntity(3, 0.0625);
  EXPECT_EQ(shoot(), "e3@0 stone@0!");
  EXPECT_EQ(shoot({.filter = {.skip_start_inside = true}}), "water@3 e1@6 e2@7 glass@9!");
}

TEST_F(OptionsTest, MaxHitsKeepsTheNearest) {
  onBlock(kWater);
  onEntity(0);
  EXPECT_EQ(shoot({.max_hits = 2}), "water@3 e1@6");
  EXPECT_TRUE(result_.truncated);
  EXPECT_EQ(calls(), "water@3 e1@6");
  EXPECT_EQ(shoot({.max_hits = 4}), "water@3 e1@6 e2@7 glass@9!");
  EXPECT_FALSE(result_.truncated) << "the wall was the last one anyway";
  EXPECT_EQ(shoot({.max_hits = 3}), "water@3 e1@6 e2@7");
  EXPECT_TRUE(result_.truncated);
  EXPECT_EQ(shoot({.max_hits = 0}), "");
  EXPECT_TRUE(result_.truncated);
  EXPECT_EQ(calls(), "");
  put(9, kAir);
  put(20, kAir);
  EXPECT_EQ(shoot({.max_hits = 3}), "water@3 e1@6 e2@7");
  EXPECT_FALSE(result_.truncated);
}

TEST_F(OptionsTest, TruncatedIsSetOnlyIfAnotherHitWouldHaveFollowed) {
  onEntity(0, HitResponse::kContinue, [&](const EntityHit& hit) {
    if (hit.id != 2) return;
    put(9, kAir);
    put(20, kAir);
  });
  EXPECT_EQ(shoot({.max_hits = 3}), "water@3 e1@6 e2@7");
  EXPECT_FALSE(result_.truncated) << "the walls were gone before their dispatch";
}

TEST_F(OptionsTest, UnknownFromIsReportedOnlyIfAskedFor) {
  put(9, kAir);
  put(20, kAir);
  unload(2);
  EXPECT_EQ(shoot(), "water@3 e1@6 e2@7");
  EXPECT_EQ(result_.unknown_from, std::nullopt);
  EXPECT_EQ(shoot({.report_unknown = true}), "water@3 e1@6 e2@7");
  ASSERT_TRUE(result_.unknown_from.has_value());
  EXPECT_NEAR(*result_.unknown_from, 31.5 / 60, 1e-12);
  put(20, kStone);
  EXPECT_EQ(shoot({.report_unknown = true}), "water@3 e1@6 e2@7 stone@20!");
  EXPECT_EQ(result_.unknown_from, std::nullopt) << "it ended before";
}

TEST_F(OptionsTest, StopAtUnknownStillCountsHitsAtExactlyThatTime) {
  put(9, kAir);
  put(20, kAir);
  unload(2);
  put(50, kWater);
  addEntity(3, 31.75);    // from x = 32 on, the end of the known space
  addEntity(4, 31.7501);  // a little later
  EXPECT_EQ(shoot(), "water@3 e1@6 e2@7 e3@32 e4@32 water@50");
  EXPECT_EQ(shoot({.stop_at_unknown = true}), "water@3 e1@6 e2@7 e3@32");
  ASSERT_TRUE(result_.unknown_from.has_value());
  EXPECT_NEAR(*result_.unknown_from, 31.5 / 60, 1e-12);
  EXPECT_FALSE(result_.terminated);
  EXPECT_FALSE(result_.truncated);
  unload(0);
  EXPECT_EQ(shoot({.stop_at_unknown = true}), "");
  EXPECT_EQ(result_.unknown_from, 0);
}

// The search for the unknown may run out of steps in a later slice, after hits have been found in
// it.
TEST_F(OptionsTest, NoLimitOfStepsLeadsPastTheUnknown) {
  for (std::int64_t x = 1; x <= 20; ++x)
    put(x, kWater);
  put(60, kStone);
  unload(2);
  for (const bool stops : {false, true}) {
    QueryOptions options{.report_unknown = true, .stop_at_unknown = stops};
    const std::string all = shoot(options);
    const std::uint64_t steps = result_.stats.steps();
    const std::optional<double> unknown_from = result_.unknown_from;
    EXPECT_TRUE(unknown_from.has_value());
    EXPECT_EQ(result_.terminated, !stops);
    int refused = 0;
    for (options.max_steps = 0; options.max_steps <= steps; ++options.max_steps) {
      const std::string hits = shoot(options);
      if (hits.starts_with("RESOURCE_EXHAUSTED")) {
        ++refused;
        continue;
      }
      EXPECT_EQ(hits, all) << options.max_steps;
      EXPECT_EQ(result_.unknown_from, unknown_from) << options.max_steps;
      EXPECT_LE(result_.stats.steps(), options.max_steps);
    }
    EXPECT_GT(refused, 0);
  }
}

TEST_F(OptionsTest, LevelSpansAreTheLineWithinTheBounds) {
  ASSERT_EQ(shoot(), "water@3 e1@6 e2@7 glass@9!");
  EXPECT_TRUE(result_.level_spans.empty()) << "not requested";
  const QueryOptions options{.report_level_spans = true};
  ASSERT_EQ(shoot(options), "water@3 e1@6 e2@7 glass@9!");
  ASSERT_EQ(result_.level_spans.size(), 1U) << "nothing is loaded on level 0";
  EXPECT_EQ(result_.level_spans[0].level, 1);
  EXPECT_EQ(result_.level_spans[0].t0, 0);
  EXPECT_EQ(result_.level_spans[0].t1, 1);
  unload(3);
  unload(2);
  ASSERT_EQ(shoot(options), "water@3 e1@6 e2@7 glass@9!");
  EXPECT_NEAR(result_.level_spans.at(0).t1, 31.5 / 60, 1e-12);
}

TEST_F(OptionsTest, ABudgetOfStepsEndsTheShot) {
  EXPECT_EQ(codeOf({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, world_.allLevels(), {.max_steps = 3}),
            kExhausted);
  ASSERT_EQ(shoot(), "water@3 e1@6 e2@7 glass@9!");
  const std::uint64_t steps = result_.stats.steps();
  EXPECT_EQ(shoot({.max_steps = steps}), "water@3 e1@6 e2@7 glass@9!");
  EXPECT_EQ(
      codeOf({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, world_.allLevels(), {.max_steps = steps - 1}),
      kExhausted);
  EXPECT_EQ(codeOf({{9.5, 0.5, 0.5}, {9.6, 0.5, 0.5}}, world_.allLevels(),
                   {.filter = {.entities = false}, .max_steps = 0}),
            kExhausted)
      << "the one block of a short shot is a step too";
  EXPECT_EQ(codeOf({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, world_.allLevels(), {.max_steps = 0}),
            kExhausted);
}

TEST_F(OptionsTest, BadShotsAreRefusedAndCallNothing) {
  onBlock(kWater);
  const LevelMask all = world_.allLevels();
  const Segment good{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  EXPECT_EQ(codeOf(good, {}), kInvalid);
  EXPECT_EQ(codeOf(good, LevelMask{2, 9}), kInvalid);
  EXPECT_EQ(codeOf(good, LevelMask{1, 9}), absl::StatusCode::kOk);
  EXPECT_EQ(codeOf(good, all, {.filter = {.channel = ChannelId{2}}}), kInvalid);
  calls_.clear();
  EXPECT_EQ(codeOf({{kNaN, 0, 0}, {1, 0, 0}}, all), kInvalid);
  EXPECT_EQ(codeOf({{0, 0, 0}, {1, 0, -std::numeric_limits<double>::infinity()}}, all), kInvalid);
  EXPECT_EQ(codeOf({{0, 0, 0}, {0, 1e15, 0}}, all), kRange);
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(service_.shootSegment(FixedSegment{{0, 0, 0}, {0, kMax, 0}}, all).status().code(),
            kRange);
  EXPECT_EQ(service_.shootSegment(FixedSegment{{-kMax - 1, 0, 0}, {0, 0, 0}}, all).status().code(),
            kRange);
  EXPECT_EQ(service_.shootSegment(Ray{{0, 0, 0}, {0, 0, 0}}, all).status().code(), kInvalid);
  EXPECT_TRUE(calls_.empty());
}

// The contract: where INVALID_ARGUMENT and OUT_OF_RANGE apply, INVALID_ARGUMENT wins.
TEST_F(OptionsTest, AnInvalidArgumentWinsOverALineOutsideOfTheFrame) {
  const Segment far{{0, 0, 0}, {0, 0x1p46, 0}};
  const FixedSegment fixed{{0, 0, 0}, {0, kMaxCoordinate + 1, 0}};
  const Ray ray{{0x1p46, 0, 0}, {1, 0, 0}};
  const QueryOptions no_channel{.filter = {.channel = ChannelId{2}}};
  EXPECT_EQ(codeOf(far, LevelMask{0}), kRange);
  for (const LevelMask levels : {LevelMask{}, LevelMask{9}}) {
    EXPECT_EQ(service_.shootSegment(far, levels).status().code(), kInvalid);
    EXPECT_EQ(service_.shootSegment(fixed, levels).status().code(), kInvalid);
    EXPECT_EQ(service_.shootSegment(ray, levels).status().code(), kInvalid);
    EXPECT_EQ(service_.closestHit(far, levels).status().code(), kInvalid);
    EXPECT_EQ(service_.occluded(far, levels).status().code(), kInvalid);
    EXPECT_EQ(service_.hitsAlong(far, levels).status().code(), kInvalid);
    const std::vector<BatchQuery> queries{{.line = far, .levels = levels},
                                          {.line = fixed, .levels = levels}};
    const ClosestBatch closest = service_.closestHit(queries).value();
    ASSERT_EQ(closest.errors.size(), 2U);
    EXPECT_EQ(closest.errors[0].status.code(), kInvalid);
    EXPECT_EQ(closest.errors[1].status.code(), kInvalid);
    EXPECT_EQ(service_.shootSegment(queries).value().shots[0].status.code(), kInvalid);
    EXPECT_EQ(service_.occluded(queries).value().errors.at(1).status.code(), kInvalid);
  }
  EXPECT_EQ(codeOf(far, LevelMask{0}, no_channel), kInvalid);
  EXPECT_EQ(service_.shootSegment(fixed, LevelMask{0}, no_channel).status().code(), kInvalid);
  EXPECT_EQ(service_.occluded(far, LevelMask{0}, {.filter = no_channel.filter}).status().code(),
            kInvalid);
  const FixedSegment without_end{.from = {}, .to = {kMaxCoordinate + 1, 0, 0}, .end_time = 0};
  EXPECT_EQ(service_.shootSegment(without_end).status().code(), kInvalid);
}

TEST_F(OptionsTest, ARayEndsAtItsDistanceOrAtItsBounds) {
  const ShotResult ray =
      service_.shootSegment(Ray{{0.5, 0.5, 0.5}, {2, 0, 0}, 60}, world_.allLevels()).value();
  EXPECT_EQ(textOf(ray), "water@3 e1@6 e2@7 glass@9!");
  EXPECT_EQ(ray.segment, toFixedSegment(Ray{{0.5, 0.5, 0.5}, {2, 0, 0}, 60}).value());
  EXPECT_LT(ray.segment.end_time, kWholeLine);
  EXPECT_EQ(textOf(service_.shootSegment(ray.segment, world_.allLevels()).value()), textOf(ray));
  put(9, kAir);
  put(20, kAir);
  const ShotResult infinite =
      service_.shootSegment(Ray{{0.5, 0.5, 0.5}, {1, 0, 0}}, world_.allLevels()).value();
  EXPECT_EQ(textOf(infinite), "water@3 e1@6 e2@7");
  EXPECT_GE(infinite.segment.to[0], kMaxCoordinate / 2);
  Ray within{{0.5, 0.5, 0.5}, {1, 0, 0}};
  within.bounds = Bounds{{0, 0, 0}, {5, 5, 5}};
  EXPECT_EQ(textOf(service_.shootSegment(within).value()), "water@3");
}

TEST_F(OptionsTest, ABadEndTimeIsRefused) {
  for (const std::int64_t end : {std::int64_t{0}, std::int64_t{-1}, kWholeLine + 1}) {
    const FixedSegment segment{.from = {}, .to = {65536, 0, 0}, .end_time = end};
    const absl::Status status = service_.shootSegment(segment).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(absl::StrCat(end)));
  }
}

TEST_F(OptionsTest, APointHitsWhatContainsIt) {
  put(5, kWater);
  addEntity(3, 5);
  const ShotResult result =
      service_.shootSegment({{5.5, 0.5, 0.5}, {5.5, 0.5, 0.5}}, world_.allLevels()).value();
  EXPECT_EQ(textOf(result), "e3@5 water@5");
  for (const Hit& hit : result.hits) {
    EXPECT_EQ(hit.t, 0);
    EXPECT_EQ(hit.t_exit, 1);
    EXPECT_TRUE(hit.start_inside);
    EXPECT_FALSE(hit.face.exists());
  }
}

}  // namespace
}  // namespace fractalray::options_test
