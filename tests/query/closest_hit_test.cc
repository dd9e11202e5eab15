// SPDX-License-Identifier: Apache-2.0
// Checks closestHit: the first thing that the options accept, and the unknown before it.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "shot_fixture.h"

namespace fractalray::closest_hit_test {
namespace {

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kRange = absl::StatusCode::kOutOfRange;
constexpr auto kExhausted = absl::StatusCode::kResourceExhausted;

// Run with each pass.
class ClosestHitTest : public CorridorTest, public testing::WithParamInterface<SearchPass> {
 protected:
  ClosestHitTest() {
    put(3, kWater);
    addEntity(7, 5);
    put(9, kGlass);
    put(12, kMist);
    put(20, kStone);
  }

  // Returns the closest hit in the corridor as text, "none", or the error.
  std::string closest(QueryOptions options = {},
                      const Segment& segment = {{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}) {
    options.pass = GetParam();
    const absl::StatusOr<ClosestHit> closest =
        service_.closestHit(segment, world_.allLevels(), options);
    if (!closest.ok()) return closest.status().ToString();
    closest_ = *closest;
    if (!closest_.hit.has_value()) return "none";
    return textOf(*closest_.hit);
  }
  void removeEntities() {
    for (const EntityHandle entity : entities_.all())
      ASSERT_TRUE(entities_.remove(entity).ok());
  }
  absl::StatusCode codeOf(const Segment& segment, LevelMask levels,
                          QueryOptions options = {}) const {
    options.pass = GetParam();
    return service_.closestHit(segment, levels, options).status().code();
  }

  ClosestHit closest_;
};

TEST_P(ClosestHitTest, PermeableBlocksCountUnlessSolidOnly) {
  EXPECT_EQ(closest(), "water@3");
  EXPECT_EQ(closest({.filter = {.solid_only = true}}), "e7@5")
      << "solid_only does not concern entities";
  EXPECT_EQ(closest({.filter = {.solid_only = true, .entities = false}}), "glass@9!");
}

TEST_P(ClosestHitTest, ReportsEveryMemberOfTheHit) {
  ASSERT_EQ(closest({.filter = {.solid_only = true, .entities = false}}), "glass@9!");
  const BlockHit& hit = *closest_.hit;
  EXPECT_EQ(hit.level, 1);
  EXPECT_EQ(hit.block, (BlockCoord{9, 0, 0}));
  EXPECT_EQ(hit.type, kGlass);
  EXPECT_DOUBLE_EQ(hit.t, 8.5 / 60);
  EXPECT_DOUBLE_EQ(hit.t_exit, 9.5 / 60);
  EXPECT_EQ(hit.face, (Face{0, -1}));
  EXPECT_EQ(hit.normal, (Vec3d{-1, 0, 0}));
  EXPECT_FALSE(hit.start_inside);
  EXPECT_DOUBLE_EQ(hit.distance, 8.5);
  EXPECT_DOUBLE_EQ(hit.point[0], 9);
  EXPECT_EQ(closest_.segment, toUnits({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}).value());
  EXPECT_GT(closest_.stats.steps(), 0U);
}

TEST_P(ClosestHitTest, HitsOnlyBlocksOrOnlyEntitiesIfAsked) {
  EXPECT_EQ(closest({.filter = {.blocks = false}}), "e7@5");
  put(3, kAir);
  EXPECT_EQ(closest({.filter = {.entities = false}}), "glass@9!");
  EXPECT_EQ(closest({.filter = {.blocks = false, .entities = false}}), "none");
}

TEST_P(ClosestHitTest, EntitiesAreFilteredByCategoryIgnoreListAndFilter) {
  put(3, kAir);
  EXPECT_EQ(closest(), "e7@5");
  EXPECT_EQ(closest({.filter = {.categories = 2}}), "glass@9!");
  const std::vector<EntityId> ignore = {99, 7};
  EXPECT_EQ(closest({.filter = {.ignore = ignore}}), "glass@9!");
  QueryOptions options;
  options.filter.entity_filter = [](const EntityHit& hit) { return hit.id != 7; };
  EXPECT_EQ(closest(options), "glass@9!");
  options.filter.block_filter = [](const BlockHit& hit) { return hit.type != kGlass; };
  EXPECT_EQ(closest(options), "stone@20!");
}

TEST_P(ClosestHitTest, TheChannelDecidesWhatABlockIs) {
  EXPECT_EQ(closest({.filter = {.channel = kVisible, .solid_only = true, .entities = false}}),
            "stone@20!");
  put(3, kAir);
  EXPECT_EQ(closest({.filter = {.channel = kVisible, .entities = false}}), "mist@12");
}

TEST_P(ClosestHitTest, EntitiesComeBeforeBlocksAndTheFinerLevelFirst) {
  // A coarse block begins where the water does not; the entity's cube at 16 begins with block 16.
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kAir, world_.blockTypes())).ok());
  ASSERT_TRUE(world_.setBlock(0, {1, 0, 0}, kStone).ok());
  ASSERT_TRUE(world_.unloadChunk(1, {1, 0, 0}).ok());
  put(3, kAir);
  put(9, kAir);
  removeEntities();
  EXPECT_EQ(closest(), "coarse stone@1!");
  load(1);
  put(20, kStone);
  EXPECT_EQ(closest(), "stone@20!") << "the coarse block defers";
  put(16, kWater);
  EXPECT_EQ(closest(), "water@16");
  EntitySpec touching;
  touching.id = 8;
  touching.level = 0;
  touching.shape = Box{{1, 1, 1}};
  touching.position = {17, 0.5, 0.5};
  ASSERT_TRUE(entities_.add(touching).ok());
  EXPECT_EQ(closest(), "e8@16");
}

TEST_P(ClosestHitTest, BlocksAndEntitiesAroundTheStartCountUnlessSkipped) {
  put(0, kStone);
  EXPECT_EQ(closest(), "stone@0!");
  EXPECT_TRUE(closest_.hit->start_inside);
  EXPECT_FALSE(closest_.hit->face.exists());
  EXPECT_EQ(closest({.filter = {.skip_start_inside = true}}), "water@3");
  addEntity(1, 0.0625);
  EXPECT_EQ(closest(), "e1@0");
  EXPECT_EQ(closest({.filter = {.skip_start_inside = true}}), "water@3");
}

TEST_P(ClosestHitTest, ASegmentOfLengthZeroHitsWhatContainsThePoint) {
  const Segment in_water{{3.5, 0.5, 0.5}, {3.5, 0.5, 0.5}};
  EXPECT_EQ(closest({}, in_water), "water@3");
  EXPECT_EQ(closest_.hit->t, 0);
  EXPECT_EQ(closest_.hit->t_exit, 1);
  EXPECT_EQ(closest({.filter = {.skip_start_inside = true}}, in_water), "none");
  EXPECT_EQ(closest({}, {{4.5, 0.5, 0.5}, {4.5, 0.5, 0.5}}), "none");
  const Segment outside{{-4.5, 0.5, 0.5}, {-4.5, 0.5, 0.5}};
  EXPECT_EQ(closest({.report_unknown = true}, outside), "none");
  EXPECT_EQ(closest_.unknown_from, 0);
}

TEST_P(ClosestHitTest, UnknownIsReportedBeforeTheHitOnly) {
  put(3, kAir);
  put(9, kAir);
  removeEntities();
  unload(2);  // blocks 32 to 47, past the stone
  EXPECT_EQ(closest({.report_unknown = true}), "stone@20!");
  EXPECT_EQ(closest_.unknown_from, std::nullopt);
  put(20, kAir);
  put(50, kStone);
  EXPECT_EQ(closest(), "stone@50!");
  EXPECT_EQ(closest_.unknown_from, std::nullopt) << "it was not asked for";
  EXPECT_EQ(closest({.report_unknown = true}), "stone@50!");
  ASSERT_TRUE(closest_.unknown_from.has_value());
  EXPECT_DOUBLE_EQ(*closest_.unknown_from, 31.5 / 60);
  EXPECT_EQ(closest({.stop_at_unknown = true}), "none");
  EXPECT_DOUBLE_EQ(closest_.unknown_from.value(), 31.5 / 60);
  put(50, kAir);
  EXPECT_EQ(closest({.report_unknown = true}), "none");
  EXPECT_DOUBLE_EQ(closest_.unknown_from.value(), 31.5 / 60);
}

TEST_P(ClosestHitTest, AHitRightWhereTheUnknownBeginsStillCounts) {
  put(3, kAir);
  put(9, kAir);
  put(20, kAir);
  removeEntities();
  unload(1);
  EntitySpec at_edge;
  at_edge.id = 5;
  at_edge.level = 1;
  at_edge.shape = Box{{1, 1, 1}};
  at_edge.position = {17, 0.5, 0.5};
  ASSERT_TRUE(entities_.add(at_edge).ok());
  EXPECT_EQ(closest({.stop_at_unknown = true}), "e5@16");
  EXPECT_EQ(closest_.unknown_from, std::nullopt) << "it begins no earlier than the hit";
}

TEST_P(ClosestHitTest, ARefilledResultKeepsNothing) {
  const FixedSegment segment = toUnits({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}).value();
  const FixedSegment outside = toUnits({{0.5, 0.5, -0.5}, {60.5, 0.5, -0.5}}).value();
  const QueryOptions options{.report_unknown = true, .pass = GetParam()};
  ClosestHit result;
  ASSERT_TRUE(service_.closestHit(segment, world_.allLevels(), options, result).ok());
  EXPECT_TRUE(result.hit.has_value());
  EXPECT_EQ(result.unknown_from, std::nullopt);
  const std::uint64_t steps = result.stats.steps();
  ASSERT_TRUE(service_.closestHit(outside, world_.allLevels(), options, result).ok());
  EXPECT_FALSE(result.hit.has_value());
  EXPECT_EQ(result.segment, outside);
  EXPECT_EQ(result.unknown_from, 0);
  ASSERT_TRUE(service_.closestHit(segment, world_.allLevels(), options, result).ok());
  EXPECT_TRUE(result.hit.has_value());
  EXPECT_EQ(result.unknown_from, std::nullopt);
  EXPECT_EQ(result.stats.steps(), steps);
}

TEST_P(ClosestHitTest, CallsNoCallbacksAndIsNotLimitedByMaxHits) {
  int called = 0;
  const auto count = [&](const BlockHit&) {
    ++called;
    return true;
  };
  for (const BlockTypeId type : {kWater, kGlass}) {
    std::ignore = service_.onBlockHit(type, count, [&](const BlockHit&) {
      ++called;
      return HitResponse::kStop;
    });
  }
  service_.onEntityHit(
      EntityClassId{},
      [&](const EntityHit&) {
        ++called;
        return true;
      },
      nullptr);
  EXPECT_EQ(closest({.max_hits = 0}), "water@3")
      << "only solid blocks are terminal, whatever callbacks say";
  EXPECT_EQ(closest({.filter = {.solid_only = true, .entities = false}, .max_hits = 0}),
            "glass@9!");
  EXPECT_EQ(closest({.filter = {.blocks = false}}), "e7@5");
  EXPECT_EQ(called, 0);
}

TEST_P(ClosestHitTest, MayBeAskedInsideACallback) {
  std::vector<std::string> seen;
  onBlock(kWater, HitResponse::kContinue, [&](const BlockHit&) {
    put(4, kStone);
    seen.push_back(closest());
    put(3, kAir);
    seen.push_back(closest());
    put(4, kAir);
    seen.push_back(closest());
  });
  EXPECT_EQ(shoot({.pass = GetParam()}), "water@3 e7@5 glass@9!");
  EXPECT_EQ(seen, (std::vector<std::string>{"water@3", "stone@4!", "e7@5"}));
}

TEST_P(ClosestHitTest, NestsNoDeeperThanShotsDo) {
  int depth = 0;
  std::string answer;
  std::ignore = service_.onBlockHit(kWater, [&](const BlockHit&) {
    answer = closest();
    if (answer == "water@3") {
      ++depth;
      EXPECT_TRUE(service_.shootSegment({{0.5, 0.5, 0.5}, {4, 0.5, 0.5}}, world_.allLevels()).ok());
    }
    return HitResponse::kContinue;
  });
  EXPECT_EQ(shoot(), "water@3 e7@5 glass@9!");
  EXPECT_EQ(depth, RayQueryService::kMaxNesting);
  EXPECT_EQ(answer.substr(0, 18), "RESOURCE_EXHAUSTED");
}

TEST_P(ClosestHitTest, ErrorsAreThoseOfAShot) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Segment segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  const LevelMask all = world_.allLevels();
  EXPECT_EQ(codeOf(segment, LevelMask()), kInvalid);
  EXPECT_EQ(codeOf(segment, LevelMask{5}), kInvalid);
  EXPECT_EQ(codeOf({{nan, 0, 0}, {1, 0, 0}}, all), kInvalid);
  EXPECT_EQ(codeOf({{1e300, 0, 0}, {1, 0, 0}}, all), kRange);
  EXPECT_EQ(codeOf(segment, all, {.filter = {.channel = ChannelId{9}}}), kInvalid);
  EXPECT_EQ(codeOf(segment, all, {.filter = {.solid_only = true}, .max_steps = 1}), kExhausted);
  EXPECT_EQ(
      service_.closestHit(FixedSegment{{0, 0, 0}, {kMaxCoordinate + 1, 0, 0}}, all).status().code(),
      kRange);
  EXPECT_EQ(closest(), "water@3") << "and it works on";
}

TEST_P(ClosestHitTest, AnExceptionLeavesNoHitOfAnEarlierQuery) {
  const Segment segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  QueryOptions options{.pass = GetParam()};
  ClosestHit result;
  ASSERT_TRUE(service_.closestHit(segment, world_.allLevels(), options, result).ok());
  ASSERT_TRUE(result.hit.has_value());
  options.filter.entity_filter = [](const Hit&) -> bool { throw std::runtime_error("refused"); };
  put(3, kAir);
  EXPECT_THROW(std::ignore = service_.closestHit(segment, world_.allLevels(), options, result),
               std::runtime_error);
  EXPECT_FALSE(result.hit.has_value());
}

TEST_P(ClosestHitTest, TheCornerPolicyDecidesWhatIsHitAtACorner) {
  ASSERT_TRUE(world_.loadChunk(1, {0, 2, 0}, Chunk::uniform(kAir, world_.blockTypes())).ok());
  ASSERT_TRUE(world_.setBlock(1, {5, 36, 0}, kStone).ok());
  const Segment diagonal{{4, 36, 0.5}, {7, 39, 0.5}};  // through the corner (5, 37)
  EXPECT_EQ(closest({.corner = CornerPolicy::kBoth}, diagonal), "stone@5!");
  EXPECT_EQ(closest({.corner = CornerPolicy::kStaircase}, diagonal), "stone@5!");
  EXPECT_EQ(closest({.corner = CornerPolicy::kNeither}, diagonal), "none");
}

INSTANTIATE_TEST_SUITE_P(Passes, ClosestHitTest,
                         testing::Values(SearchPass::kFast, SearchPass::kPlain),
                         [](const testing::TestParamInfo<SearchPass>& param) {
                           return param.param == SearchPass::kFast ? "Fast" : "Plain";
                         });

}  // namespace
}  // namespace fractalray::closest_hit_test
