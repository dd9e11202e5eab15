// SPDX-License-Identifier: Apache-2.0
// What a shot may cost: work by what is loaded on its way and not by its length, and no memory once
// warm.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <variant>
#include <vector>

#include "fractalray/query/ray_query_service.h"
#include "fractalray/tests/oracle/random_scene.h"

namespace {

std::size_t allocations = 0;

void* allocate(std::size_t size) {
  ++allocations;
  void* const memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new[](std::size_t size) {
  return allocate(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace fractalray {
namespace {

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
  const UnitSegment segment{{-kMaxCoordinate, 17 * 32768, 17 * 32768},
                            {kMaxCoordinate, 17 * 32768, 17 * 32768}};
  const ShotResult result =
      service.shootUnits(segment, world.allLevels(), {.report_unknown = true}).value();
  ASSERT_EQ(result.hits.size(), 3U);
  EXPECT_EQ(std::get<BlockHit>(result.hits[0]).block[0], 16 * -end + 8);
  EXPECT_EQ(std::get<EntityHit>(result.hits[1]).id, 1U);
  EXPECT_EQ(std::get<BlockHit>(result.hits[2]).block[0], 16 * end + 8);
  EXPECT_EQ(result.unknown_from, 0);
  EXPECT_LT(result.stats.steps(), 1000U);
  // The same along a crooked line, with coarse chunks missing around.
  const ShotResult slanted =
      service
          .shootUnits({{-kMaxCoordinate, -kMaxCoordinate, 12345}, {kMaxCoordinate, 98765, 0}},
                      world.allLevels())
          .value();
  EXPECT_TRUE(slanted.hits.empty());
  EXPECT_LT(slanted.stats.steps(), 2000U);
}

TEST(ShotCostTest, AnEmptyWorldCostsNextToNothing) {
  const World world({.levels = 10, .block_types = nullptr});
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  const UnitSegment diagonal{{-kMaxCoordinate, -kMaxCoordinate, -kMaxCoordinate},
                             {kMaxCoordinate, kMaxCoordinate - 1, kMaxCoordinate - 2}};
  const ShotResult result =
      service.shootUnits(diagonal, world.allLevels(), {.report_unknown = true}).value();
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

TEST(ShotCostTest, AWarmShotIntoTheSameResultDoesNotAllocate) {
  Rng rng("ShotCostTest.Warm");
  std::size_t hits = 0;
  for (int round = 0; round < 10; ++round) {
    const auto scene = oracle::randomScene(rng, 1 + round % 5, 30, 300);
    RayQueryService service(scene->world, scene->entities);
    service.onBlockHit(kWater, [](const BlockHit&) { return HitResponse::kContinue; });
    service.onEntityHit(EntityClassId{}, [](const EntityHit&) { return HitResponse::kContinue; });
    std::vector<UnitSegment> segments;
    for (int i = 0; i < 50; ++i)
      segments.push_back(oracle::randomSegment(rng, *scene));
    const ShotOptions options{.report_unknown = true};
    ShotResult result;
    for (const bool warm : {false, true}) {
      const std::size_t before = allocations;
      for (const UnitSegment& segment : segments) {
        ASSERT_TRUE(service.shootUnits(segment, scene->world.allLevels(), options, result).ok());
        hits += result.hits.size();
      }
      if (warm) {
        EXPECT_EQ(allocations - before, 0U) << "round " << round;
      }
    }
  }
  EXPECT_GT(hits, 300U);
}

}  // namespace
}  // namespace fractalray
