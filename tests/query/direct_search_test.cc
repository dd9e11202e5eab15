// SPDX-License-Identifier: Apache-2.0
// Checks which queries the direct search for the first block answers, and which it leaves to the
// passes; that both give the same answers is in direct_search_property_test.cc.
#include "../../query/internal/search/direct_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "shot_fixture.h"

namespace fractalray {
namespace {

using internal::InstructionSet;
using ::testing::ElementsAre;

// The answers as text, with "direct " before it if the direct search has given it.
class DirectSearchTest : public CorridorTest {
 protected:
  DirectSearchTest() {
    put(5, kWater);
    put(9, kStone);
  }

  static constexpr Segment kAlong{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};

  std::string closest(const QueryOptions& options = {}, const Segment& segment = kAlong) {
    const ClosestHit closest = service_.closestHit(segment, world_.allLevels(), options).value();
    const std::string text = closest.hit.has_value() ? textOf(*closest.hit) : "none";
    return (closest.stats.direct != 0 ? "direct " : "") + text;
  }
  std::string shoot(const QueryOptions& options = {}) {
    shot_ = service_.shootSegment(kAlong, world_.allLevels(), options).value();
    std::string text = shot_.stats.direct != 0 ? "direct" : "stream";
    for (const Hit& hit : shot_.hits)
      text += " " + textOf(hit);
    return text;
  }
  std::string occluded(const Segment& segment = kAlong) {
    OcclusionResult result;
    EXPECT_TRUE(service_.occluded(segment, world_.allLevels(), {}, result).ok());
    const std::string text = result.occlusion == Occlusion::kBlocked ? "blocked"
                             : result.occlusion == Occlusion::kClear ? "clear"
                                                                     : "unknown";
    return (result.stats.direct != 0 ? "direct " : "") + text;
  }

  ShotResult shot_;  // of shoot()
};

TEST_F(DirectSearchTest, AnswersPlainQueries) {
  EXPECT_EQ(closest(), "direct water@5");
  EXPECT_EQ(closest({.filter = {.solid_only = true}}), "direct stone@9!");
  EXPECT_EQ(closest({}, {{0.5, 1.5, 0.5}, {60.5, 1.5, 0.5}}), "direct none");
  EXPECT_EQ(closest({.filter = {.skip_start_inside = true}}), "direct water@5");
  EXPECT_EQ(occluded(), "direct blocked");
  EXPECT_EQ(occluded({{0.5, 1.5, 0.5}, {60.5, 1.5, 0.5}}), "direct clear");
}

TEST_F(DirectSearchTest, LeavesTheRestToThePasses) {
  EXPECT_EQ(closest({.filter = {.block_filter = [](const Hit&) { return true; }}}), "water@5");
  EXPECT_EQ(closest({.pass = SearchPass::kPlain}), "water@5");
  EXPECT_EQ(closest({}, {{5.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}), "water@5") << "starts inside";
  EXPECT_EQ(closest({}, {{4.5, 1.5, 0.5}, {5.5, 0.5, 0.5}}), "water@5") << "through an edge";
  EXPECT_EQ(closest({}, {{5.5, 0.5, 0.5}, {5.5, 0.5, 0.5}}), "water@5") << "a point";
}

TEST_F(DirectSearchTest, TakesNoMoreStepsThanItMay) {
  const ClosestHit closest = service_.closestHit(kAlong, world_.allLevels()).value();
  const std::uint64_t steps = closest.stats.steps();
  ASSERT_GT(steps, 1U);
  QueryOptions options{.max_steps = steps};
  EXPECT_TRUE(service_.closestHit(kAlong, world_.allLevels(), options).ok());
  for (options.max_steps = 0; options.max_steps < steps; ++options.max_steps) {
    const absl::StatusOr<ClosestHit> other =
        service_.closestHit(kAlong, world_.allLevels(), options);
    EXPECT_TRUE(!other.ok() || other->stats.steps() <= options.max_steps) << options.max_steps;
  }
}

TEST_F(DirectSearchTest, CountsTheStepsUpToItsBlockOnly) {
  put(5, kAir);
  put(9, kAir);
  for (const bool is_mirrored : {false, true}) {
    const auto along = [is_mirrored](std::int64_t x) { return is_mirrored ? 60 - x : x; };
    const Segment line = is_mirrored ? Segment{kAlong.to, kAlong.from} : kAlong;
    const auto stats = [&] { return service_.closestHit(line, world_.allLevels()).value().stats; };
    const BlockCoord next_to_line{along(20), 1, 0};
    ASSERT_TRUE(world_.setBlock(1, next_to_line, kStone).ok());
    put(along(36), kWater);
    const QueryStats before = stats();
    EXPECT_EQ(before.direct, 1U);
    EXPECT_EQ(before.skips, 5U) << "the region, two of its chunks, and a brick of each";
    EXPECT_EQ(before.cells, 1U);
    for (std::int64_t x = 37; x <= 60; ++x)
      put(along(x), kWater);
    EXPECT_EQ(stats().steps(), before.steps());
    EXPECT_EQ(stats().chunks, before.chunks);
    for (std::int64_t x = 0; x <= 60; ++x)
      put(x, kAir);
    ASSERT_TRUE(world_.setBlock(1, next_to_line, kAir).ok());
  }
}

TEST_F(DirectSearchTest, ServesQueriesThatHitEntitiesToo) {
  addEntity(7, 3);
  EXPECT_EQ(closest(), "direct e7@3");
  EXPECT_EQ(closest({.filter = {.categories = 0}}), "direct water@5");
  EXPECT_EQ(closest({.filter = {.entities = false}}), "direct water@5");
}

TEST_F(DirectSearchTest, AnswersShotsThatEndAtTheirFirstBlock) {
  EXPECT_EQ(shoot(), "direct water@5 stone@9!") << "the search continues after the water";
  put(5, kAir);
  EXPECT_EQ(shoot(), "direct stone@9!");
  EXPECT_EQ(shoot({.max_hits = 0}), "direct") << "it shows that a hit would have followed";
  EXPECT_EQ(shoot({.report_unknown = true}), "direct stone@9!");
  EXPECT_EQ(shoot({.max_steps = 100}), "direct stone@9!");
  EXPECT_EQ(shoot({.on_hit = [](const Hit&) { return HitResponse::kContinue; }}),
            "direct stone@9!");
  onBlock(kStone);
  EXPECT_EQ(shoot(), "direct stone@9!");
  EXPECT_THAT(calls_, ElementsAre("stone@9!"));
  put(12, kStone);
  onBlock(kStone, HitResponse::kAgain, [&](const BlockHit&) { put(9, kAir); });
  EXPECT_EQ(shoot(), "direct stone@9 stone@12!") << "the passes continue after the wall that fell";
  put(12, kAir);
  EXPECT_EQ(shoot(), "direct") << "nothing to call the callback for";
}

TEST_F(DirectSearchTest, ThePassesContinueAfterManyPermeableBlocks) {
  for (int x = 5; x < 40; ++x)
    put(x, kWater);
  put(50, kStone);
  addEntity(7, 30);
  EXPECT_EQ(shoot().substr(0, 23), "stream water@5 water@6 ");
  EXPECT_EQ(shot_.hits.size(), 37U);
  const std::uint64_t steps = shot_.stats.steps();
  EXPECT_EQ(shoot({.max_hits = 2}), "stream water@5 water@6");
  EXPECT_TRUE(shot_.truncated);
  EXPECT_LT(shot_.stats.steps(), steps / 2);
  onBlock(kWater, HitResponse::kContinue, [&](const BlockHit&) { put(20, kAir); });
  EXPECT_EQ(shoot({.max_hits = 17}).substr(0, 13), "stream water@");
  EXPECT_EQ(shot_.hits.back().block.x(), 22) << "what was air when its turn came is no hit";
}

TEST_F(DirectSearchTest, ThePassesBeginAtAPermeableBlockOfSeveralLevels) {
  ASSERT_TRUE(world_.loadChunk(0, {3, 3, 3}, Chunk()).ok());
  put(5, kAir);
  put(9, kAir);
  for (std::int64_t x = 10; x < 30; ++x)
    ASSERT_TRUE(world_.setBlock(1, {x, 1, 0}, kStone).ok());  // next to the line
  put(40, kWater);
  put(44, kStone);
  EXPECT_EQ(shoot(), "stream water@40 stone@44!");
  const std::uint64_t steps = shot_.stats.steps();
  EXPECT_EQ(shoot({.filter = {.block_filter = [](const Hit&) { return true; }}}),
            "stream water@40 stone@44!");
  EXPECT_LT(steps, shot_.stats.steps());
  addEntity(7, 30);
  EXPECT_EQ(shoot(), "stream e7@30 water@40 stone@44!");
}

TEST_F(DirectSearchTest, AnswersShotsAmongEntities) {
  put(5, kAir);
  addEntity(6, 40);
  EXPECT_EQ(shoot(), "direct stone@9!") << "an entity beyond the wall";
  EXPECT_EQ(shot_.stats.entities_tested, 0U);
  addEntity(7, 3);
  EXPECT_EQ(shoot(), "direct e7@3 stone@9!");
  EXPECT_EQ(shoot({.max_hits = 1}), "direct e7@3");
  EXPECT_TRUE(shot_.truncated);
  EXPECT_EQ(shoot({.filter = {.categories = 0}}), "direct stone@9!");
  put(5, kWater);
  EXPECT_EQ(shoot(), "direct e7@3 water@5 stone@9!");
}

TEST_F(DirectSearchTest, AnswersShotsWithCallbacksAmongEntities) {
  put(5, kAir);
  put(12, kStone);
  addEntity(7, 3);
  onBlock(kWater);
  EXPECT_EQ(shoot(), "direct e7@3 stone@9!");
  onBlock(kStone);
  onEntity(0);
  EXPECT_EQ(shoot(), "direct e7@3 stone@9!");
  EXPECT_THAT(calls_, ElementsAre("e7@3", "stone@9!"));
  onEntity(0, HitResponse::kContinue, [&](const EntityHit&) { put(9, kAir); });
  EXPECT_EQ(shoot(), "direct e7@3 stone@12!") << "the passes continue after the wall that fell";
}

TEST_F(DirectSearchTest, LooksForNoEntitiesOnceTheWallDecides) {
  addEntity(7, 3);
  QueryOptions options{.entities_block = true};
  OcclusionResult result;
  ASSERT_TRUE(service_.occluded(kAlong, world_.allLevels(), options, result).ok());
  EXPECT_EQ(result.occlusion, Occlusion::kBlocked);
  EXPECT_EQ(result.stats.index_cells + result.stats.entities_tested, 0U);
  put(9, kAir);
  ASSERT_TRUE(service_.occluded(kAlong, world_.allLevels(), options, result).ok());
  EXPECT_EQ(result.occlusion, Occlusion::kBlocked) << "by the entity";
  EXPECT_EQ(result.stats.entities_tested, 1U);
}

TEST_F(DirectSearchTest, AnswersShotsInBatches) {
  put(5, kAir);
  addEntity(7, 3);
  const BatchQuery query{.line = kAlong, .levels = world_.allLevels()};
  ShotBatch batch;
  ASSERT_TRUE(service_.shootSegment(std::span(&query, 1), {}, batch).ok());
  EXPECT_EQ(batch.shots[0].stats.direct, 1U);
  ASSERT_EQ(batch.hits.size(), 2U);
  EXPECT_EQ(textOf(batch.hits[0]) + " " + textOf(batch.hits[1]), "e7@3 stone@9!");
}

TEST_F(DirectSearchTest, EndsARayAtItsEndTime) {
  for (const double distance : {4.5, 4.4}) {
    const Ray ray{.origin = {0.5, 0.5, 0.5}, .direction = {1, 0, 0}, .max_distance = distance};
    const ClosestHit closest = service_.closestHit(ray, world_.allLevels()).value();
    EXPECT_EQ(closest.stats.direct, 1U);
    EXPECT_EQ(closest.hit.has_value(), distance == 4.5) << distance;
  }
}

TEST_F(DirectSearchTest, FindsTheFinerOfTwoBlocksAtTheSameTime) {
  // Block 0 of the coarser level has its chunk loaded, so that it defers; block 4 has not.
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kGlass, world_.blockTypes())).ok());
  EXPECT_EQ(closest({}, {{90.5, 0.5, 0.5}, {0.5, 0.5, 0.5}}), "coarse glass@5!") << "starts inside";
  EXPECT_EQ(closest(), "direct water@5");
  put(5, kAir);
  put(9, kAir);
  EXPECT_EQ(closest({}, {{0.5, 0.5, 0.5}, {90.5, 0.5, 0.5}}), "direct coarse glass@4!")
      << "the coarser block after the corridor";
}

// The line of a Ray is far longer than the world; only its way to the loaded box counts.
TEST_F(DirectSearchTest, AnswersRaysFromOutside) {
  const Ray ray{
      .origin = {-700.5, 30.5, 0.25}, .direction = {705.75, -30, 0.25}, .max_distance = 1000};
  const ClosestHit closest = service_.closestHit(ray).value();
  ASSERT_TRUE(closest.hit.has_value());
  EXPECT_EQ(textOf(*closest.hit), "water@5");
  EXPECT_EQ(closest.stats.direct, 1U);
}

TEST_F(DirectSearchTest, AnswersInfiniteRays) {
  const ClosestHit along =
      service_.closestHit(Ray{.origin = {0.5, 0.5, 0.5}, .direction = {1, 1e-9, -1e-9}}).value();
  ASSERT_TRUE(along.hit.has_value());
  EXPECT_EQ(textOf(*along.hit), "water@5");
  EXPECT_EQ(along.hit->face, (Face{0, -1}));
  EXPECT_DOUBLE_EQ(along.hit->distance, 4.5);
  EXPECT_EQ(along.stats.direct, 1U);
  const ClosestHit none =
      service_.closestHit(Ray{.origin = {0.5, 1.5, 0.5}, .direction = {1, 0.5, 0.25}}).value();
  EXPECT_FALSE(none.hit.has_value());
  EXPECT_EQ(none.stats.direct, 1U);
}

TEST_F(DirectSearchTest, InfiniteRaysTakeNoStepsAfterWhatIsThere) {
  put(5, kAir);
  put(9, kAir);
  addEntity(7, 3);
  const Ray up{.origin = {0.5, 0.5, 0.5}, .direction = {0.7, 0.5, 0.3}};
  Ray short_up = up;
  short_up.max_distance = 100;
  const QueryOptions by_passes{.filter = {.block_filter = [](const Hit&) { return true; }}};
  for (const QueryOptions& options : {QueryOptions{}, by_passes}) {
    const ClosestHit far = service_.closestHit(up, world_.allLevels(), options).value();
    const ClosestHit near = service_.closestHit(short_up, world_.allLevels(), options).value();
    EXPECT_FALSE(far.hit.has_value());
    EXPECT_EQ(far.stats.steps(), near.stats.steps());
  }
}

// Such a line is rounded, and comes so close to an edge of the water that the passes decide.
TEST_F(DirectSearchTest, LeavesInfiniteRaysCloseToAnEdgeToThePasses) {
  for (const double up : {1 - 1e-12, 1.0, 1 + 1e-12}) {
    const Ray ray{.origin = {4.5, 1.5, 0.5}, .direction = {1, -up, 0}};
    const ClosestHit closest = service_.closestHit(ray).value();
    ASSERT_TRUE(closest.hit.has_value());
    EXPECT_EQ(textOf(*closest.hit), "water@5");
    EXPECT_EQ(closest.hit->face.axis, up < 1 ? 1 : 0) << up;
    EXPECT_EQ(closest.stats.direct, 0U) << up;
  }
}

TEST_F(DirectSearchTest, SkipsALevelOfWhichAllDefers) {
  put(5, kAir);
  put(9, kAir);
  const auto steps = [&](const Segment& segment) {
    return service_.closestHit(segment, world_.allLevels()).value().stats.steps();
  };
  const std::uint64_t alone = steps(kAlong);
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kGlass, world_.blockTypes())).ok());
  EXPECT_EQ(closest(), "direct none");
  EXPECT_EQ(steps(kAlong), alone) << "the corridor has no gap";
  EXPECT_EQ(occluded(), "direct clear");
  unload(2);
  EXPECT_EQ(closest(), "direct coarse glass@2!");
  EXPECT_EQ(occluded(), "direct blocked");
  load(2);
  EXPECT_EQ(closest({}, {{0.5, 0.5, 0.5}, {64, 0.5, 0.5}}), "direct coarse glass@4!")
      << "it ends at the plane in which the corridor ends";
}

// Under a level of which all defers, the next one does so too only if that level has no gap around
// the line.
class CoveredLevelsTest : public ::testing::Test {
 protected:
  CoveredLevelsTest() {
    load(0, {0, 0, 0}, oracle::kStone);
    load(2, {1, 1, 1}, kAir);
  }

  void load(int level, const ChunkCoord& at, BlockTypeId type) {
    EXPECT_TRUE(world_.loadChunk(level, at, Chunk::uniform(type, world_.blockTypes())).ok());
  }
  // Returns the levels of the hits of a line in the chunk on level 2, one by one and in a batch.
  std::vector<int> levelsOfHits() const {
    const RayQueryService service(world_, entities_);
    const Segment line{{17.5, 17.5, 17.5}, {30.5, 30.1, 29.3}};
    std::vector<int> levels;
    const std::optional<Hit> single = service.closestHit(line)->hit;
    levels.push_back(single.has_value() ? single->level : -1);
    const ClosestBatch batch = service.closestHit(std::vector<Segment>(8, line)).value();
    for (const Hit& hit : batch.answers)
      levels.push_back(hit.isBlock() ? hit.level : -1);
    return levels;
  }

  World world_{{.levels = 3, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
};

TEST_F(CoveredLevelsTest, DeferIfTheLevelBetweenIsLoadedThere) {
  load(1, {0, 0, 0}, oracle::kStone);
  EXPECT_THAT(levelsOfHits(), ::testing::Each(-1));
}
TEST_F(CoveredLevelsTest, DoNotDeferIfItIsLoadedElsewhere) {
  for (const ChunkCoord& at : {ChunkCoord{1, 0, 0}, ChunkCoord{-1, 0, 0}}) {
    load(1, at, oracle::kStone);
    EXPECT_THAT(levelsOfHits(), ::testing::Each(0)) << at[0];
    ASSERT_TRUE(world_.unloadChunk(1, at).ok());
  }
}
TEST_F(CoveredLevelsTest, DoNotDeferIfItHasAGapThere) {
  load(1, {1, 0, 0}, oracle::kStone);
  load(1, {-1, 0, 0}, oracle::kStone);
  EXPECT_THAT(levelsOfHits(), ::testing::Each(0));
}

TEST(InstructionSetTest, IsOneThatTheProcessorHas) {
  EXPECT_TRUE(internal::isSupported(InstructionSet::kBaseline));
  EXPECT_TRUE(internal::isSupported(internal::instructionSet()));
}

// ctest runs it with each value of the variable (CMakeLists.txt).
TEST(InstructionSetTest, IsTheNewestUpToTheOneOfTheEnvironment) {
  const char* const variable = std::getenv("FRACTALRAY_INSTRUCTION_SET");
  const std::string_view name = variable != nullptr ? variable : "";
  InstructionSet expected = InstructionSet::kBaseline;
  if (name != "baseline" && internal::isSupported(InstructionSet::kV3))
    expected = InstructionSet::kV3;
  if (name != "baseline" && name != "v3" && internal::isSupported(InstructionSet::kV4))
    expected = InstructionSet::kV4;
  EXPECT_EQ(internal::instructionSet(), expected) << name;
}

}  // namespace
}  // namespace fractalray
