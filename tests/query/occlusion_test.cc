// SPDX-License-Identifier: Apache-2.0
// Checks occluded: if a solid block, or an entity of some categories, blocks the line.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "../../query/query_observer.h"
#include "../oracle/allocations.h"
#include "shot_fixture.h"

namespace fractalray::occlusion_test {
namespace {

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kRange = absl::StatusCode::kOutOfRange;
constexpr auto kExhausted = absl::StatusCode::kResourceExhausted;

// Run with each pass.
class OcclusionTest : public CorridorTest, public testing::WithParamInterface<SearchPass> {
 protected:
  std::string sight(QueryOptions options = {},
                    const Segment& segment = {{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}) {
    options.pass = GetParam();
    const absl::StatusOr<Occlusion> sight = service_.occluded(segment, world_.allLevels(), options);
    if (!sight.ok()) return sight.status().ToString();
    switch (*sight) {
      case Occlusion::kClear:
        return "clear";
      case Occlusion::kBlocked:
        return "blocked";
      case Occlusion::kUnknown:
        return "unknown";
    }
    return "nothing that it may say";
  }
  absl::StatusCode codeOf(const Segment& segment, LevelMask levels,
                          QueryOptions options = {}) const {
    options.pass = GetParam();
    return service_.occluded(segment, levels, options).status().code();
  }
};

TEST_P(OcclusionTest, OnlySolidBlocksBlock) {
  EXPECT_EQ(sight(), "clear");
  for (std::int64_t x = 0; x < 60; ++x)
    put(x, x % 2 == 0 ? kWater : kReeds);
  EXPECT_EQ(sight(), "clear");
  put(60, kStone);  // the last block, entered before the end
  EXPECT_EQ(sight(), "blocked");
  put(60, kAir);
  put(61, kStone);  // just after the end
  EXPECT_EQ(sight(), "clear");
  put(0, kStone);
  EXPECT_EQ(sight(), "blocked");
}

TEST_P(OcclusionTest, BlocksThatAFilterRefusesDoNotBlock) {
  put(9, kStone);
  addEntity(7, 20);
  const auto beyond = [](double x) { return [x](const Hit& hit) { return hit.point[0] > x; }; };
  EXPECT_EQ(sight({.filter = {.block_filter = beyond(9.5)}}), "clear");
  EXPECT_EQ(sight({.filter = {.block_filter = beyond(8.5)}}), "blocked");
  EXPECT_EQ(sight({.filter = {.blocks = false}}), "clear");
  EXPECT_EQ(sight({.filter = {.blocks = false}, .entities_block = true}), "blocked");
  EXPECT_EQ(
      sight({.filter = {.blocks = false, .entity_filter = beyond(30)}, .entities_block = true}),
      "clear");
}

// Filters that are copied allocate: what they capture is larger than a std::function.
TEST_P(OcclusionTest, AWarmLineOfSightDoesNotCopyItsFilters) {
  put(9, kStone);
  addEntity(7, 20);
  int called = 0;
  const auto refusing = [state = std::array<int, 64>(), &called](const Hit&) {
    ++called;
    return state.front() != 0;
  };
  const QueryOptions options{.filter = {.block_filter = refusing, .entity_filter = refusing},
                             .entities_block = true,
                             .pass = GetParam()};
  const Segment segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  for (const bool warm : {false, true}) {
    called = 0;
    const std::size_t before = oracle::allocationCount();
    const Occlusion answer = service_.occluded(segment, world_.allLevels(), options).value();
    const std::size_t allocated = oracle::allocationCount() - before;
    EXPECT_EQ(answer, Occlusion::kClear);
    EXPECT_GE(called, 2) << "the block's filter and the entity's";
    if (warm) {
      EXPECT_EQ(allocated, 0U);
    }
  }
}

// Keeps the options of the last query.
class KeepingObserver final : public QueryObserver {
 public:
  void onQuery(const ObservedQuery& query, const ObservedAnswer& /*answer*/) override {
    options = query.options;
  }
  QueryOptions options;
};

// Keeps the hits after which the last query resumed.
class AfterObserver final : public QueryObserver {
 public:
  void onQuery(const ObservedQuery& query, const ObservedAnswer& /*answer*/) override {
    after.assign(query.options.after.begin(), query.options.after.end());
  }
  std::vector<Hit> after;
};

TEST_P(OcclusionTest, AnObserverMayCopyTheFiltersAndKeepThem) {
  put(9, kStone);
  KeepingObserver observer;
  service_.setObserver(&observer);
  const auto token = std::make_shared<int>(0);
  EXPECT_EQ(sight({.filter = {.block_filter = [token](const Hit&) { return *token != 0; }}}),
            "clear");
  service_.setObserver(nullptr);
  EXPECT_EQ(token.use_count(), 2);
  EXPECT_FALSE(observer.options.filter.block_filter(Hit()));
  EXPECT_FALSE(observer.options.filter.entity_filter);
}

TEST_P(OcclusionTest, ReportsTheBlockerIfAsked) {
  put(9, kStone);
  addEntity(7, 20);
  const Segment segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  OcclusionResult result;
  const auto ask = [&](const QueryOptions& options) {
    return service_.occluded(segment, world_.allLevels(), options, result);
  };
  ASSERT_TRUE(ask({.pass = GetParam()}).ok());
  EXPECT_FALSE(result.blocker.has_value()) << "not asked for";
  ASSERT_TRUE(ask({.report_blocker = true, .pass = GetParam()}).ok());
  ASSERT_TRUE(result.blocker.has_value());
  EXPECT_EQ(textOf(*result.blocker), "stone@9!");
  EXPECT_EQ(result.blocker->t, 8.5 / 60);
  // Resumes after the blocker in the result itself.
  const QueryOptions after{.entities_block = true,
                           .report_blocker = true,
                           .after = {&*result.blocker, 1},
                           .pass = GetParam()};
  ASSERT_TRUE(ask(after).ok());
  ASSERT_TRUE(result.blocker.has_value());
  EXPECT_EQ(textOf(*result.blocker), "e7@20");
  ASSERT_TRUE(ask({.filter = {.blocks = false}, .report_blocker = true, .pass = GetParam()}).ok());
  EXPECT_FALSE(result.blocker.has_value()) << "nothing blocks";
}

TEST_P(OcclusionTest, AnObserverSeesTheBlockerAfterWhichTheQueryResumed) {
  put(9, kStone);
  put(20, kStone);
  const Segment segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  QueryOptions options{.report_blocker = true, .pass = GetParam()};
  OcclusionResult result;
  ASSERT_TRUE(service_.occluded(segment, world_.allLevels(), options, result).ok());
  ASSERT_TRUE(result.blocker.has_value());
  AfterObserver observer;
  service_.setObserver(&observer);
  options.after = {&*result.blocker, 1};
  ASSERT_TRUE(service_.occluded(segment, world_.allLevels(), options, result).ok());
  service_.setObserver(nullptr);
  ASSERT_EQ(observer.after.size(), 1U);
  EXPECT_EQ(textOf(observer.after.front()), "stone@9!");
  ASSERT_TRUE(result.blocker.has_value());
  EXPECT_EQ(textOf(*result.blocker), "stone@20!");
}

TEST_P(OcclusionTest, AnExceptionLeavesNoBlockerOfAnEarlierQuery) {
  put(9, kStone);
  const Segment segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  QueryOptions options{.report_blocker = true, .pass = GetParam()};
  OcclusionResult result;
  ASSERT_TRUE(service_.occluded(segment, world_.allLevels(), options, result).ok());
  ASSERT_TRUE(result.blocker.has_value());
  put(9, kAir);
  addEntity(7, 20);
  options.entities_block = true;
  options.filter.entity_filter = [](const Hit&) -> bool { throw std::runtime_error("refused"); };
  EXPECT_THROW(std::ignore = service_.occluded(segment, world_.allLevels(), options, result),
               std::runtime_error);
  EXPECT_EQ(result.occlusion, Occlusion::kUnknown);
  EXPECT_FALSE(result.blocker.has_value());
}

TEST_P(OcclusionTest, ABlockThatIsEnteredAtTheEndBlocks) {
  put(9, kStone);
  EXPECT_EQ(sight({}, {{0.5, 0.5, 0.5}, {9, 0.5, 0.5}}), "blocked");
  EXPECT_EQ(sight({}, {{0.5, 0.5, 0.5}, {9 - 1.0 / 65536, 0.5, 0.5}}), "clear");
  EXPECT_EQ(sight({}, {{10, 0.5, 0.5}, {20, 0.5, 0.5}}), "clear") << "floor names block 10";
  EXPECT_EQ(sight({}, {{20, 0.5, 0.5}, {10, 0.5, 0.5}}), "clear");
}

TEST_P(OcclusionTest, TheChannelDecidesWhatIsSolid) {
  put(9, kGlass);
  put(12, kMist);
  EXPECT_EQ(sight(), "blocked");
  EXPECT_EQ(sight({.filter = {.channel = kVisible}}), "clear");
  put(30, kStone);
  EXPECT_EQ(sight({.filter = {.channel = kVisible}}), "blocked");
}

TEST_P(OcclusionTest, EntitiesBlockOnlyByTheirCategories) {
  EntitySpec spec;
  spec.id = 3;
  spec.level = 1;
  spec.position = {5.5, 0.5, 0.5};
  spec.categories = 0b1100;
  ASSERT_TRUE(entities_.add(spec).ok());
  EXPECT_EQ(sight(), "clear");
  EXPECT_EQ(sight({.filter = {.categories = 0b0100}, .entities_block = true}), "blocked");
  EXPECT_EQ(sight({.filter = {.categories = 0b0011}, .entities_block = true}), "clear");
  const std::vector<EntityId> ignore = {99, 3};
  EXPECT_EQ(sight({.filter = {.categories = ~std::uint64_t{0}, .ignore = ignore},
                   .entities_block = true}),
            "clear");
}

TEST_P(OcclusionTest, AnEntityOfAnotherLevelOfTheMaskBlocksToo) {
  EntitySpec spec;
  spec.id = 3;
  spec.level = 0;
  spec.position = {5.5, 0.5, 0.5};
  ASSERT_TRUE(entities_.add(spec).ok());
  const Segment segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  const QueryOptions options{
      .filter = {.categories = 1}, .entities_block = true, .pass = GetParam()};
  EXPECT_EQ(service_.occluded(segment, LevelMask{0, 1}, options).value(), Occlusion::kBlocked);
  EXPECT_EQ(service_.occluded(segment, LevelMask{1}, options).value(), Occlusion::kClear);
}

TEST_P(OcclusionTest, BlocksAndEntitiesAroundTheStartBlockUnlessSkipped) {
  put(0, kStone);
  addEntity(1, 0.0625);
  EXPECT_EQ(sight(), "blocked");
  EXPECT_EQ(sight({.filter = {.skip_start_inside = true}}), "clear");
  EXPECT_EQ(sight({.filter = {.categories = 1, .skip_start_inside = true}, .entities_block = true}),
            "clear");
  put(0, kAir);
  EXPECT_EQ(sight({.filter = {.categories = 1}, .entities_block = true}), "blocked");
  put(1, kStone);
  EXPECT_EQ(sight({.filter = {.skip_start_inside = true}}), "blocked");
}

TEST_P(OcclusionTest, IsUnknownIfNothingKnownBlocks) {
  unload(2);  // blocks 32 to 47
  EXPECT_EQ(sight(), "unknown");
  EXPECT_EQ(sight({}, {{0.5, 0.5, 0.5}, {32, 0.5, 0.5}}), "clear") << "touched at a point";
  EXPECT_EQ(sight({}, {{0.5, 0.5, 0.5}, {32 + 1.0 / 65536, 0.5, 0.5}}), "unknown");
  put(50, kStone);
  EXPECT_EQ(sight(), "blocked") << "after the unknown, but known";
  put(50, kAir);
  ASSERT_TRUE(world_.placeProtoChunk(1, {2, 0, 0}).ok());
  EXPECT_EQ(sight(), "unknown") << "a placeholder has no content yet";
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kAir, world_.blockTypes())).ok());
  EXPECT_EQ(sight(), "clear") << "the coarser level knows";
}

TEST_P(OcclusionTest, ASegmentOfLengthZeroIsBlockedInASolidBlock) {
  put(3, kStone);
  const auto at = [](double x) { return Segment{{x, 0.5, 0.5}, {x, 0.5, 0.5}}; };
  EXPECT_EQ(sight({}, at(3.5)), "blocked");
  EXPECT_EQ(sight({}, at(3)), "blocked");
  EXPECT_EQ(sight({}, at(4)), "clear");
  EXPECT_EQ(sight({.filter = {.skip_start_inside = true}}, at(3.5)), "clear");
  EXPECT_EQ(sight({}, at(-3.5)), "unknown");
}

TEST_P(OcclusionTest, ABlockThatDefersDoesNotBlock) {
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kStone, world_.blockTypes())).ok());
  EXPECT_EQ(sight(), "clear") << "all four blocks on the line are loaded on the finer level";
  unload(3);
  EXPECT_EQ(sight(), "blocked");
  const Segment segment{{0.5, 0.5, 0.5}, {20.5, 0.5, 0.5}};
  EXPECT_EQ(sight({}, segment), "clear");
  EXPECT_EQ(service_.occluded(segment, LevelMask{0}, {.pass = GetParam()}).value(),
            Occlusion::kBlocked)
      << "the finer level is not in the mask";
}

TEST_P(OcclusionTest, TheCornerPolicyDecidesIfAnEdgeBlocks) {
  ASSERT_TRUE(world_.loadChunk(1, {0, 2, 0}, Chunk::uniform(kAir, world_.blockTypes())).ok());
  ASSERT_TRUE(world_.setBlock(1, {4, 37, 0}, kStone).ok());
  const Segment diagonal{{4, 36, 0.5}, {7, 39, 0.5}};  // through the corner (5, 37)
  EXPECT_EQ(sight({.corner = CornerPolicy::kBoth}, diagonal), "blocked");
  EXPECT_EQ(sight({.corner = CornerPolicy::kNeither}, diagonal), "clear");
  EXPECT_EQ(sight({.corner = CornerPolicy::kStaircase}, diagonal), "clear") << "x before y";
}

TEST_P(OcclusionTest, CallsNoCallbacksAndMayRunInsideACallback) {
  put(3, kWater);
  put(9, kStone);
  std::vector<std::string> seen;
  int predicates = 0;
  std::ignore = service_.onBlockHit(
      kWater,
      [&](const BlockHit&) {
        ++predicates;
        return false;
      },
      [&](const BlockHit&) {
        const int before = predicates;
        seen.push_back(sight());
        put(9, kAir);
        seen.push_back(sight());
        EXPECT_EQ(predicates, before);
        return HitResponse::kContinue;
      });
  std::ignore = service_.onBlockHit(kStone, [&](const BlockHit&) {
    ADD_FAILURE() << "the stone was gone, and occluded calls no callbacks";
    return HitResponse::kContinue;
  });
  EXPECT_EQ(shoot({.pass = GetParam()}), "water@3");
  EXPECT_EQ(seen, (std::vector<std::string>{"blocked", "clear"}));
}

TEST_P(OcclusionTest, ErrorsAreThoseOfAShot) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Segment segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  const LevelMask all = world_.allLevels();
  put(50, kStone);
  EXPECT_EQ(codeOf(segment, LevelMask()), kInvalid);
  EXPECT_EQ(codeOf(segment, LevelMask{5}), kInvalid);
  EXPECT_EQ(codeOf({{0, nan, 0}, {1, 0, 0}}, all), kInvalid);
  EXPECT_EQ(codeOf({{0, 0, 0}, {1, -1e300, 0}}, all), kRange);
  EXPECT_EQ(codeOf(segment, all, {.filter = {.channel = ChannelId{9}}}), kInvalid);
  EXPECT_EQ(codeOf(segment, all, {.max_steps = 1}), kExhausted);
  EXPECT_EQ(
      service_.occluded(FixedSegment{{0, 0, 0}, {0, -kMaxCoordinate - 1, 0}}, all).status().code(),
      kRange);
  EXPECT_EQ(sight(), "blocked") << "and it works on";
}

TEST_P(OcclusionTest, InactiveLevelsOfTheMaskAreIgnored) {
  put(50, kStone);
  const Segment segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  EXPECT_EQ(service_.occluded(segment, LevelMask{1, 7}, {.pass = GetParam()}).value(),
            Occlusion::kBlocked);
}

INSTANTIATE_TEST_SUITE_P(Passes, OcclusionTest,
                         testing::Values(SearchPass::kFast, SearchPass::kPlain),
                         [](const testing::TestParamInfo<SearchPass>& param) {
                           return param.param == SearchPass::kFast ? "Fast" : "Plain";
                         });

}  // namespace
}  // namespace fractalray::occlusion_test
