// SPDX-License-Identifier: Apache-2.0
// Checks a blast whose memory runs out at any of its allocations: std::bad_alloc passes through,
// the blast is empty, and can be filled again.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../query/blast.h"
#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"

namespace fractalray {
namespace {

using oracle::AllocationFailure;

TEST(BlastExhaustedMemoryTest, ABlastIsWholeOrEmpty) {
  if (!AllocationFailure::isSupported()) GTEST_SKIP() << "operator new cannot be replaced here";
  oracle::Rng rng("BlastExhaustedMemoryTest.ABlastIsWholeOrEmpty");
  World world({.block_types = oracle::sceneTypes()});
  EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  for (int i = 0; i < 400; ++i) {
    const BlockCoord block{rng.in(0, 15), rng.in(0, 15), rng.in(0, 15)};
    ASSERT_TRUE(world.setBlock(0, block, oracle::kStone).ok());
  }
  for (EntityId id = 1; id <= 70; ++id) {
    const double x = static_cast<double>(id % 10) + 3;
    ASSERT_TRUE(
        entities.add({.id = id, .shape = Box{{0.4, 0.9, 0.4}}, .position = {x, 8, 4}}).ok());
  }
  const std::vector<BlastRay> rays = *cubeFan(8, 0.4, 100);
  std::vector<std::int64_t> resistances(BlockTypeTable::index(oracle::kStone) + 1, 10);
  const BlastQuery query{
      .center = {8, 8, 8}, .radius = 9, .rays = rays, .resistances = resistances, .falloff = 1};
  const Blast expected = *service.blast(query);
  ASSERT_GT(expected.blocks.size(), 30U);
  ASSERT_EQ(expected.entities.size(), 70U);
  const auto nearby = [&] {
    return *service.blast(
        {.center = {12, 8, 4}, .radius = 2, .rays = std::span(rays).first(9), .falloff = 1});
  };
  ASSERT_FALSE(nearby().entities.empty());
  Blast blast = nearby();
  const std::size_t failures = oracle::failEachAllocation(
      [&] { ASSERT_TRUE(service.blast(query, LevelMask::all(), {}, blast).ok()); },
      [&](std::size_t n) {
        EXPECT_TRUE(blast.blocks.empty()) << n;
        EXPECT_TRUE(blast.entities.empty()) << n;
        EXPECT_EQ(blast.samples, 0U) << n;
        blast = nearby();
      });
  EXPECT_GT(failures, 10U);
  EXPECT_EQ(blast.blocks, expected.blocks);
  EXPECT_EQ(blast.entities, expected.entities);
  EXPECT_EQ(blast.samples, expected.samples);
}

}  // namespace
}  // namespace fractalray
