// SPDX-License-Identifier: Apache-2.0
// Checks the cost of a shot: work in proportion to what is loaded on its line and not to its
// length, and no memory once warm.
#include <gtest/gtest.h>

#include <cstddef>
#include <variant>
#include <vector>

#include "../../core/grid_walk.h"
#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"

namespace fractalray {
namespace {

using oracle::allocationCount;
using oracle::kStone;
using oracle::kWater;
using oracle::Rng;

TEST(ShotCostTest, TwoFarChunksOfTenLevelsAreReachedInFewSteps) {
  World world({.levels = 10, .block_types = oracle::sceneTypes()});
  EntityIndex entities(world.frame());
  const std::int64_t end = kMaxCoordinate / world.frame().chunkWidth(9) - 1;
  for (const std::int64_t x : {-end, end}) {
    ASSERT_TRUE(world.loadChunk(9, {x, 0, 0}, Chunk::uniform(kAir, world.blockTypes())).ok());
    ASSERT_TRUE(world.setBlock(9, {16 * x + 8, 8, 8}, x < 0 ? kWater : kStone).ok());
  }
  ASSERT_TRUE(entities.add({.id = 1, .level = 9, .position = {3, 8.5, 8.5}}).ok());
  const RayQueryService service(world, entities);
  const FixedSegment segment{{-kMaxCoordinate, 17 * 32768, 17 * 32768},
                             {kMaxCoordinate, 17 * 32768, 17 * 32768}};
  const ShotResult result =
      service.shootSegment(segment, world.allLevels(), {.report_unknown = true}).value();
  ASSERT_EQ(result.hits.size(), 3U);
  EXPECT_EQ(result.hits[0].block[0], 16 * -end + 8);
  EXPECT_EQ(result.hits[1].id, 1U);
  EXPECT_EQ(result.hits[2].block[0], 16 * end + 8);
  EXPECT_EQ(result.unknown_from, 0);
  EXPECT_LT(result.stats.steps(), 1000U);
  // The same along a crooked line, with coarse chunks missing around.
  const ShotResult slanted =
      service
          .shootSegment(
              FixedSegment{{-kMaxCoordinate, -kMaxCoordinate, 12345}, {kMaxCoordinate, 98765, 0}},
              world.allLevels())
          .value();
  EXPECT_TRUE(slanted.hits.empty());
  EXPECT_LT(slanted.stats.steps(), 2000U);
}

TEST(ShotCostTest, AnEmptyWorldCostsNextToNothing) {
  const World world({.levels = 10, .block_types = nullptr});
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  const FixedSegment diagonal{{-kMaxCoordinate, -kMaxCoordinate, -kMaxCoordinate},
                              {kMaxCoordinate, kMaxCoordinate - 1, kMaxCoordinate - 2}};
  const ShotResult result =
      service.shootSegment(diagonal, world.allLevels(), {.report_unknown = true}).value();
  EXPECT_EQ(result.unknown_from, 0);
  EXPECT_LT(result.stats.steps(), 100U);
}

TEST(ShotCostTest, AWallOnAFineLevelShortensTheCoarserPasses) {
  World world({.levels = 2, .block_types = oracle::sceneTypes()});
  EntityIndex entities(world.frame());
  for (std::int64_t x = 0; x < 20; ++x) {  // 320 coarse blocks, and an entity in each chunk
    ASSERT_TRUE(world.loadChunk(0, {x, 0, 0}, Chunk::uniform(kWater, world.blockTypes())).ok());
    EntitySpec spec;
    spec.id = static_cast<EntityId>(x);
    spec.position = {static_cast<double>(256 * x + 128), 0.5, 0.5};
    ASSERT_TRUE(entities.add(spec).ok());
  }
  ASSERT_TRUE(world.loadChunk(1, {0, 0, 0}, Chunk::uniform(kAir, world.blockTypes())).ok());
  ASSERT_TRUE(world.setBlock(1, {9, 0, 0}, kStone).ok());
  const RayQueryService service(world, entities);
  const Segment segment{{0.5, 0.5, 0.5}, {5000, 0.5, 0.5}};
  const ShotResult result = service.shootSegment(segment, world.allLevels()).value();
  ASSERT_EQ(result.hits.size(), 1U);
  EXPECT_LT(result.stats.steps(), 40U);
  EXPECT_EQ(result.stats.entities_tested, 0U);
}

TEST(ShotCostTest, AWallOnAFineLevelEndsTheDescentOverCoarseAreas) {
  World world({.levels = 2, .block_types = oracle::sceneTypes()});
  const EntityIndex entities(world.frame());
  for (std::int64_t area = 0; area < 300; ++area) {  // each 4,096 fine blocks wide
    const ChunkCoord at{16 * area, 0, 0};
    ASSERT_TRUE(world.loadChunk(0, at, Chunk::uniform(kAir, world.blockTypes())).ok());
  }
  const BlockCoord wall{5 * 4096, 0, 0};
  ASSERT_TRUE(world.loadChunk(1, chunkOf(wall), Chunk::uniform(kStone, world.blockTypes())).ok());
  const RayQueryService service(world, entities);
  const Segment segment{{0.5, 0.5, 0.5}, {300 * 4096, 0.5, 0.5}};
  const ShotResult result = service.shootSegment(segment, world.allLevels()).value();
  ASSERT_EQ(result.hits.size(), 1U);
  EXPECT_EQ(result.hits[0].block, wall);
  EXPECT_LT(result.stats.steps(), 60U);
}

TEST(ShotCostTest, ResumingAfterARemovedWallDoesNotRestart) {
  World world({.levels = 1, .block_types = oracle::sceneTypes()});
  const EntityIndex entities(world.frame());
  constexpr std::int64_t kBlocks = 192;
  for (std::int64_t x = 0; x < kBlocks; ++x) {
    const BlockCoord block{x, 0, 0};
    if (x % kChunkSize == 0) {
      const ChunkCoord chunk = chunkOf(block);
      ASSERT_TRUE(world.loadChunk(0, chunk, Chunk::uniform(kAir, world.blockTypes())).ok());
    }
    ASSERT_TRUE(world.setBlock(0, block, x % 2 == 0 ? kWater : kStone).ok());
  }
  RayQueryService service(world, entities);
  std::ignore = service.onBlockHit(kWater, [&](const BlockHit& hit) {  // opens the wall after it
    EXPECT_TRUE(world.setBlock(0, {hit.block[0] + 1, 0, 0}, kAir).ok());
    return HitResponse::kContinue;
  });
  const ShotResult shot =
      service.shootSegment({{0.5, 0.5, 0.5}, {kBlocks, 0.5, 0.5}}, LevelMask{0}).value();
  EXPECT_EQ(shot.hits.size(), 96U);
  EXPECT_LT(shot.stats.cells, 96U * 10U) << "each of 96 gatherings examines the block or two ahead";
}

// A line through chunks of mixed blocks that ends at no wall, with nothing around it, then with
// chunks around it loaded too, near and far, before its start and after its end.
void checkThatTheWorldAroundCostsNothing(const Vec3i& from_chunk, const Vec3i& to_chunk) {
  World world({.levels = 3, .block_types = oracle::sceneTypes()});
  const EntityIndex entities(world.frame());
  const std::int64_t width = world.frame().chunkWidth(2);
  const FixedSegment segment{from_chunk * width + Vec3i{width / 3, width / 5, width / 7},
                             to_chunk * width + Vec3i{12345, 777, 99}};
  Rng rng("ShotCostTest.Around");
  for (const GridCell<3>& cell : GridWalk<3>(segment.from, segment.to, {width, width, width})) {
    const ChunkCoord at{cell.cell.values};
    ASSERT_TRUE(world.loadChunk(2, at, Chunk::uniform(kAir, world.blockTypes())).ok());
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(world.setBlock(2, blockOf(at, rng.below(kBlocksPerChunk)), kWater).ok());
    }
  }
  const RayQueryService service(world, entities);
  const auto ask = [&] {
    EXPECT_EQ(service.occluded(segment, world.allLevels()).value(), Occlusion::kClear);
    return service.shootSegment(segment, world.allLevels(), {.report_unknown = true}).value();
  };
  const ShotResult alone = ask();
  ASSERT_GT(alone.hits.size(), 5U);
  EXPECT_LT(alone.stats.cells, 3 * alone.hits.size()) << "it examines hardly more than it hits";
  for (const std::int64_t reach : {20, 300}) {
    for (int i = 0; i < 12000; ++i) {
      const ChunkCoord at{rng.in(-reach, reach), rng.in(-reach, reach), rng.in(-reach, reach)};
      if (world.chunk(2, at) != nullptr) continue;
      ASSERT_TRUE(world.loadChunk(2, at, Chunk::uniform(kStone, world.blockTypes())).ok());
    }
    const ShotResult among = ask();
    ASSERT_EQ(among.hits.size(), alone.hits.size());
    EXPECT_EQ(among.stats.cells, alone.stats.cells);
    // Parts that the line misses by a hair may be examined, and regions that it leaves at once.
    EXPECT_LE(among.stats.chunks, alone.stats.chunks + 2);
    EXPECT_LE(among.stats.steps(), alone.stats.steps() + 10) << "chunks around up to " << reach;
  }
}

TEST(ShotCostTest, TheWorldAroundCostsNothingInAnArea) {
  checkThatTheWorldAroundCostsNothing({5, 6, 7}, {14, 9, 12});
  checkThatTheWorldAroundCostsNothing({-3, -9, -2}, {-12, -4, -11});
}
TEST(ShotCostTest, TheWorldAroundCostsNothingInSomeAreas) {
  checkThatTheWorldAroundCostsNothing({5, 6, 7}, {40, -9, 12});
}
TEST(ShotCostTest, TheWorldAroundCostsNothingInManyAreas) {
  checkThatTheWorldAroundCostsNothing({70, 6, 7}, {-60, -9, 120});
}

TEST(ShotCostTest, AWallAtACornerEndsTheSearch) {
  World world({.levels = 1, .block_types = oracle::sceneTypes()});
  const EntityIndex entities(world.frame());
  for (std::int64_t i = 0; i < 8; ++i) {  // along the diagonal, empty at first, then solid
    const BlockTypeId type = i < 2 ? kAir : kStone;
    ASSERT_TRUE(world.loadChunk(0, {i, i, i}, Chunk::uniform(type, world.blockTypes())).ok());
  }
  const RayQueryService service(world, entities);
  const std::int64_t end = 8 * world.frame().chunkWidth(0);
  const ShotResult shot =
      service.shootSegment(FixedSegment{{0, 0, 0}, {end, end, end}}, LevelMask{0}).value();
  ASSERT_EQ(shot.hits.size(), 1U);
  EXPECT_EQ(shot.hits[0].block, (BlockCoord{32, 32, 32}));
  EXPECT_LT(shot.stats.cells, 20U);
  EXPECT_EQ(shot.stats.chunks, 1U);
}

// The wall is next to the diagonal, so there are more blocks of the same corner to examine, but
// none after it.
TEST(ShotCostTest, AWallNextToACornerEndsTheSearch) {
  World world({.levels = 1, .block_types = oracle::sceneTypes()});
  const EntityIndex entities(world.frame());
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(kAir, world.blockTypes())).ok());
  ASSERT_TRUE(world.fillBox(0, {2, 0, 0}, {15, 15, 15}, kStone).ok());
  const RayQueryService service(world, entities);
  const std::int64_t end = 16 * kUnitsPerBlock;
  const ShotResult shot =
      service.shootSegment(FixedSegment{{0, 0, 0}, {end, end, end}}, LevelMask{0}).value();
  ASSERT_EQ(shot.hits.size(), 1U);
  EXPECT_EQ(shot.hits[0].block, (BlockCoord{2, 1, 1}));
  EXPECT_LT(shot.stats.cells, 12U);
}

TEST(ShotCostTest, AWarmQueryDoesNotAllocate) {
  Rng rng("ShotCostTest.Warm");
  std::size_t hits = 0;
  std::size_t blocked = 0;
  for (int round = 0; round < 16; ++round) {
    const auto scene = oracle::randomScene(rng, 1 + round % 5, 30, 300);
    RayQueryService service(scene->world, scene->entities);
    std::ignore =
        service.onBlockHit(kWater, [](const BlockHit&) { return HitResponse::kContinue; });
    service.onEntityHit(EntityClassId{}, [](const EntityHit&) { return HitResponse::kContinue; });
    std::vector<FixedSegment> segments;
    for (int i = 0; i < 50; ++i)
      segments.push_back(oracle::randomSegment(rng, *scene));
    const QueryOptions options{.report_unknown = true,
                               .pass = round % 4 == 3 ? SearchPass::kPlain : SearchPass::kFast};
    const QueryOptions sight{
        .filter = {.categories = 1}, .entities_block = true, .pass = options.pass};
    const LevelMask levels = scene->world.allLevels();
    ShotResult result;
    ClosestHit closest;
    for (const bool warm : {false, true}) {
      const std::size_t before = allocationCount();
      for (const FixedSegment& segment : segments) {
        ASSERT_TRUE(service.shootSegment(segment, levels, options, result).ok());
        hits += result.hits.size();
        ASSERT_TRUE(service.closestHit(segment, levels, options, closest).ok());
        ASSERT_EQ(closest.hit.has_value(), !result.hits.empty());
        ASSERT_TRUE(service.closestHit(segment, levels, options).ok());
        const Occlusion occlusion = service.occluded(segment, levels, sight).value();
        blocked += occlusion == Occlusion::kBlocked ? 1 : 0;
      }
      if (warm) {
        EXPECT_EQ(allocationCount() - before, 0U) << "round " << round;
      }
    }
  }
  EXPECT_GT(hits, 300U);
  EXPECT_GT(blocked, 100U);
}

}  // namespace
}  // namespace fractalray
