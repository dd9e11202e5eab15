// SPDX-License-Identifier: Apache-2.0
// No query takes more steps than estimated, in worlds and along lines made to be expensive, and
// the estimate is useful: small if there is little to examine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/shot_compare.h"
#include "hard_scene.h"

namespace fractalray::oracle {
namespace {

int scaled(int count) {
  return std::getenv("FRACTALRAY_LONG_TESTS") != nullptr ? 30 * count : count;
}

// The most that any query has taken of its estimate.
struct Seen {
  std::uint64_t most = 0;
  double closest = 0;  // the largest share of an estimate
  int queries = 0;
};

// Asks the same in every way that a line can be asked.
class Asker {
 public:
  Asker(const World& world, const EntityIndex& entities, const FixedSegment& segment,
        LevelMask levels, const ShotOptions& options)
      : service_(world, entities), segment_(segment), levels_(levels), options_(options) {}

  std::string check(Seen& seen) {
    std::string text = compare("shot", shotSteps(options_), seen);
    ShotOptions pausing = options_;
    pausing.on_hit = [](const Hit&) { return HitResponse::kContinue; };
    text += compare("shot with a callback", shotSteps(pausing), seen);
    text += compare("closest", closestSteps(), seen);
    if (options_.pass == SearchPass::kFast) text += compare("cursor", cursorSteps(), seen);
    return text + checkOccluded(seen);
  }

 private:
  std::string compare(const std::string& what, const QueryStats& stats, Seen& seen) const {
    return compare(what, stats, service_.estimateSteps(segment_, levels_, options_).value(), seen);
  }
  std::string compare(const std::string& what, const QueryStats& stats,
                      const StepEstimate& estimate, Seen& seen) const {
    ++seen.queries;
    seen.most = std::max(seen.most, stats.steps());
    if (estimate.steps() > 0) {
      seen.closest = std::max(
          seen.closest, static_cast<double>(stats.steps()) / static_cast<double>(estimate.steps()));
    }
    const bool holds = stats.steps() <= estimate.steps() && stats.ordered <= estimate.ordered &&
                       stats.listed <= estimate.listed && stats.cells <= estimate.blocks &&
                       stats.index_cells + stats.entities_tested <= estimate.entities;
    if (holds) return "";
    return what + " took " + std::to_string(stats.steps()) + " steps of " +
           std::to_string(estimate.steps()) + ": " + describe(segment_) + describe(options_) + "\n";
  }

  QueryStats shotSteps(const ShotOptions& options) const {
    return service_.shootSegment(segment_, levels_, options).value().stats;
  }
  QueryStats closestSteps() const {
    return service_.closestHit(segment_, levels_, options_).value().stats;
  }
  QueryStats cursorSteps() const {
    HitCursor cursor = service_.hitsAlong(segment_, levels_, options_).value();
    while (cursor.next().value() != nullptr) {
    }
    return cursor.shot().stats;
  }
  std::string checkOccluded(Seen& seen) const {
    const OcclusionOptions sight{.filter = options_.filter,
                                 .entities_block = true,
                                 .corner = options_.corner,
                                 .pass = options_.pass};
    OcclusionResult result;
    EXPECT_TRUE(service_.occluded(segment_, levels_, sight, result).ok());
    StepEstimate estimate = service_.estimateOcclusionSteps(segment_, levels_, sight).value();
    EXPECT_EQ(estimate.ordered, 0U) << "it puts nothing in order";
    return compare("occluded", result.stats, estimate, seen);
  }

  RayQueryService service_;
  FixedSegment segment_;
  LevelMask levels_;
  ShotOptions options_;
};

TEST(StepEstimateTest, HoldsInHardScenes) {
  Rng rng("StepEstimateTest.Hard");
  Seen seen;
  for (int round = 0; round < scaled(60); ++round) {
    const HardScene scene(rng, 1 + rng.below(4));
    std::vector<EntityId> ignore;
    for (int id = rng.below(14); id > 0; --id)
      ignore.push_back(static_cast<EntityId>(id));
    for (int shot = 0; shot < 60; ++shot) {
      ShotOptions options = hardOptions(rng, ignore);
      if (rng.oneIn(4)) options.pass = SearchPass::kPlain;
      Asker asker(scene.world(), scene.entities(), scene.segment(rng), scene.levels(rng), options);
      ASSERT_EQ(asker.check(seen), "") << "round " << round << ", shot " << shot;
    }
  }
  EXPECT_GT(seen.most, 500U);
  EXPECT_GT(seen.closest, 0.05) << "it is not far off everywhere";
}

TEST(StepEstimateTest, HoldsInRandomScenes) {
  Rng rng("StepEstimateTest.Random");
  Seen seen;
  for (int round = 0; round < scaled(40); ++round) {
    const auto scene =
        randomScene(rng, 1 + rng.below(6), rng.pick({0, 20, 200}), rng.pick({5, 300, 3000}));
    for (int shot = 0; shot < 60; ++shot) {
      ShotOptions options = hardOptions(rng, {});
      if (rng.oneIn(4)) options.pass = SearchPass::kPlain;
      Asker asker(scene->world, scene->entities, randomSegment(rng, *scene),
                  scene->world.allLevels(), options);
      ASSERT_EQ(asker.check(seen), "") << "round " << round << ", shot " << shot;
    }
  }
  EXPECT_GT(seen.closest, 0.05);
}

// Everything is there: each block and corner of a full world, and a crowd in every chunk.
TEST(StepEstimateTest, HoldsWhereEverythingIsOccupied) {
  World world({.levels = 2, .block_types = sceneTypes()});
  EntityIndex entities(world.frame());
  Rng rng("StepEstimateTest.Full");
  for (std::int64_t x = -3; x < 3; ++x) {
    for (std::int64_t y = -3; y < 3; ++y) {
      for (std::int64_t z = -3; z < 3; ++z) {
        ASSERT_TRUE(world.loadChunk(1, {x, y, z}, Chunk::uniform(kWater, world.blockTypes())).ok());
      }
    }
  }
  std::vector<EntitySpec> crowd;
  for (EntityId id = 1; id <= 3000; ++id) {
    EntitySpec spec{.id = id, .level = 1, .shape = Sphere{static_cast<double>(rng.below(16))}};
    for (int axis = 0; axis < 3; ++axis)
      spec.position[axis] = static_cast<double>(rng.in(-48 * 4, 48 * 4)) / 4;
    crowd.push_back(spec);
  }
  ASSERT_TRUE(entities.addAll(crowd).ok());
  Seen seen;
  const std::int64_t block = kUnitsPerBlock;
  for (int shot = 0; shot < scaled(300); ++shot) {
    const auto point = [&] {
      const std::int64_t grid = rng.pick({16 * block, 4 * block, block, std::int64_t{1}});
      Vec3i at;
      for (int axis = 0; axis < 3; ++axis)
        at[axis] = rng.in(-50 * block / grid, 50 * block / grid) * grid;
      return at;
    };
    FixedSegment segment{point(), point()};
    if (rng.oneIn(3)) segment.to[rng.below(3)] = segment.from[rng.below(3)];
    if (rng.oneIn(6)) segment.to = segment.from + Vec3i{rng.in(-3, 3), rng.in(-3, 3), 1};
    if (rng.oneIn(6)) segment.end_time = rng.in(1, kWholeLine);
    const ShotOptions options{.corner = static_cast<CornerPolicy>(rng.below(3)),
                              .report_unknown = rng.oneIn(2),
                              .pass = rng.oneIn(3) ? SearchPass::kPlain : SearchPass::kFast};
    Asker asker(world, entities, segment, world.allLevels(), options);
    ASSERT_EQ(asker.check(seen), "") << "shot " << shot;
  }
  EXPECT_GT(seen.closest, 0.1);
}

// The area and the region of a chunk are examined also by lines that are far from the chunk.
TEST(StepEstimateTest, LinesOutsideTheBoxOfTheChunksTakeNoSteps) {
  World world({.levels = 1, .block_types = sceneTypes()});
  EntityIndex entities(world.frame());
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(kStone, world.blockTypes())).ok());
  Seen seen;
  std::uint64_t most = 0;
  // With a filter the passes search, not the direct search.
  const ShotOptions options{.filter = {.block_filter = [](const Hit&) { return true; }}};
  for (const std::int64_t chunks : {2, 3, 8, 15}) {  // from the chunk, in its region and its area
    const std::int64_t y = (chunks * 16 + 8) * kUnitsPerBlock;
    for (const std::int64_t length : {1, 40, 200, 300, 900}) {
      const FixedSegment segment{{0, y, 0}, {length * kUnitsPerBlock, y, 0}};
      Asker asker(world, entities, segment, world.allLevels(), options);
      ASSERT_EQ(asker.check(seen), "") << chunks << " chunks away, " << length << " long";
      const RayQueryService service(world, entities);
      most = std::max(
          most, service.shootSegment(segment, world.allLevels(), options).value().stats.steps());
    }
  }
  EXPECT_EQ(most, 0U);
}

// Hills of a hundred chunks, with air above: what a server is asked about.
class TerrainEstimateTest : public testing::Test {
 protected:
  TerrainEstimateTest() {
    for (std::int64_t x = -12; x < 12; ++x) {
      for (std::int64_t z = -12; z < 12; ++z) {
        for (std::int64_t y = 0; y < 4; ++y)
          load({x, y, z});
      }
    }
  }
  void load(const ChunkCoord& at) {
    std::vector<BlockTypeId> ids(kBlocksPerChunk, kAir);
    for (int index = 0; index < kBlocksPerChunk; ++index) {
      const BlockCoord block = blockOf(at, index);
      const double hill = 20 + 9 * std::sin(static_cast<double>(block[0]) / 17) +
                          9 * std::cos(static_cast<double>(block[2]) / 23);
      if (static_cast<double>(block[1]) < hill) ids[static_cast<std::size_t>(index)] = kStone;
    }
    const auto chunk = Chunk::copied(Chunk::Ids(ids), world_.blockTypes());
    EXPECT_TRUE(world_.loadChunk(2, at, *chunk).ok());
  }

  World world_{{.levels = 3, .block_types = sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
};

TEST_F(TerrainEstimateTest, GrowsWithTheLengthAndNoFaster) {
  for (const double length : {1.0, 10.0, 100.0, 300.0}) {
    const Segment flat{{-150.5, 60.5, 3.5}, {-150.5 + length, 58, 4}};
    const std::uint64_t shot = service_.estimateSteps(flat).value().steps();
    EXPECT_LT(shot, 3000 + 40 * static_cast<std::uint64_t>(length)) << length;
    const std::uint64_t sight = service_.estimateOcclusionSteps(flat).value().steps();
    EXPECT_LT(sight, 200 + 20 * static_cast<std::uint64_t>(length)) << length;
    EXPECT_LT(sight, shot);
  }
}

TEST_F(TerrainEstimateTest, ALineWithoutEndIsBoundedByWhatIsLoaded) {
  const Ray ray{.origin = {0.5, 60, 0.5}, .direction = {1, 0.1, 0.3}};
  const std::uint64_t estimate = service_.estimateSteps(ray).value().steps();
  EXPECT_LT(estimate, 200'000U);
  EXPECT_LE(service_.shootSegment(ray).value().stats.steps(), estimate);
  EXPECT_LT(service_.estimateOcclusionSteps(ray).value().steps(), 10'000U);
}

// Entities elsewhere count no more than as many as are in the fullest chunks that a line could
// cross.
TEST_F(TerrainEstimateTest, EntitiesElsewhereHardlyCount) {
  std::vector<EntitySpec> specs;
  for (EntityId id = 0; id < 20'000; ++id) {
    const auto at = static_cast<double>(id);
    specs.push_back({.id = id, .level = 2, .position = {16 * at + 8, 80.5, 8.5}});
  }
  ASSERT_TRUE(entities_.addAll(specs).ok());
  const Segment segment{{-100, 70, 0}, {-50, 60, 20}};
  const StepEstimate estimate = service_.estimateSteps(segment).value();
  EXPECT_GT(estimate.entities, 0U);
  EXPECT_LT(estimate.entities, 5'000U);
  ASSERT_TRUE(entities_.removeAll(entities_.all()).ok());
  EXPECT_EQ(service_.estimateSteps(segment).value().entities, 0U);
}

TEST(StepEstimateTest, AnEmptyWorldIsNextToNothing) {
  const World world({.levels = 10, .block_types = nullptr});
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  const FixedSegment diagonal{{-kMaxCoordinate, -kMaxCoordinate, -kMaxCoordinate},
                              {kMaxCoordinate, kMaxCoordinate - 1, kMaxCoordinate - 2}};
  const ShotOptions options{.report_unknown = true};
  const StepEstimate estimate = service.estimateSteps(diagonal, LevelMask::all(), options).value();
  EXPECT_LE(estimate.steps(), 100U);
  const ShotResult shot = service.shootSegment(diagonal, LevelMask::all(), options).value();
  EXPECT_LE(shot.stats.steps(), estimate.steps());
}

// A budget of the estimate ends no query, and one of what the query takes less one does.
TEST(StepEstimateTest, IsOfTheUnitOfMaxSteps) {
  Rng rng("StepEstimateTest.Unit");
  for (int round = 0; round < 20; ++round) {
    const HardScene scene(rng, 1 + rng.below(4));
    const RayQueryService service(scene.world(), scene.entities());
    const FixedSegment segment = scene.segment(rng);
    ShotOptions options;
    options.max_steps = service.estimateSteps(segment).value().steps();
    const absl::StatusOr<ShotResult> shot =
        service.shootSegment(segment, LevelMask::all(), options);
    ASSERT_TRUE(shot.ok()) << shot.status();
    if (shot->stats.steps() == 0) continue;
    options.max_steps = shot->stats.steps() - 1;
    EXPECT_FALSE(service.shootSegment(segment, LevelMask::all(), options).ok());
  }
}

// Steps that were spent on what is unknown are not there for later slices.
TEST(StepEstimateTest, StepsOfTheUnknownCountInLaterSlices) {
  World world({.levels = 1, .block_types = sceneTypes()});
  const EntityIndex entities(world.frame());
  for (std::int64_t x = 0; x < 200; ++x) {
    const ChunkCoord at{x < 100 ? x : x + 1, 0, 0};  // with a gap after the first 100
    ASSERT_TRUE(world.loadChunk(0, at, Chunk::uniform(kWater, world.blockTypes())).ok());
  }
  const RayQueryService service(world, entities);
  const Segment line{{0.5, 0.5, 0.5}, {3215.5, 0.5, 0.5}};
  ShotOptions options{.report_unknown = true};
  options.on_hit = [](const Hit&) { return HitResponse::kContinue; };
  const ShotResult whole = service.shootSegment(line, LevelMask::all(), options).value();
  ASSERT_EQ(whole.hits.size(), 3200U);
  ASSERT_TRUE(whole.unknown_from.has_value());
  options.max_steps = whole.stats.steps();
  EXPECT_TRUE(service.shootSegment(line, LevelMask::all(), options).ok());
  options.max_steps = whole.stats.steps() - 1;
  EXPECT_TRUE(
      absl::IsResourceExhausted(service.shootSegment(line, LevelMask::all(), options).status()));
}

TEST(StepEstimateTest, ChangesAndAllocatesNothing) {
  Rng rng("StepEstimateTest.Const");
  const auto scene = randomScene(rng, 4, 100, 300);
  RayQueryService service(scene->world, scene->entities);
  int calls = 0;
  service.onBlockHit([&](const BlockHit&) {
    ++calls;
    return HitResponse::kContinue;
  });
  const SceneVersion before = service.version();
  const FixedSegment segment = randomSegment(rng, *scene);
  const StepEstimate first = service.estimateSteps(segment).value();
  const std::size_t allocations = allocationCount();
  EXPECT_EQ(service.estimateSteps(segment).value(), first);
  EXPECT_EQ(allocationCount(), allocations);
  EXPECT_EQ(service.version(), before);
  EXPECT_EQ(calls, 0);
}

TEST(StepEstimateTest, HasTheErrorsOfItsQuery) {
  const World world({.levels = 2, .block_types = nullptr});
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Segment segment{{0, 0, 0}, {1, 0, 0}};
  EXPECT_TRUE(absl::IsInvalidArgument(service.estimateSteps(segment, LevelMask()).status()));
  EXPECT_TRUE(
      absl::IsInvalidArgument(service.estimateSteps(Segment{{nan, 0, 0}, {1, 0, 0}}).status()));
  EXPECT_TRUE(absl::IsOutOfRange(service.estimateSteps(Segment{{0, 0, 0}, {1e15, 0, 0}}).status()));
  EXPECT_TRUE(
      absl::IsInvalidArgument(service.estimateOcclusionSteps(segment, LevelMask()).status()));
}

}  // namespace
}  // namespace fractalray::oracle
