// SPDX-License-Identifier: Apache-2.0
// Checks the cost of a search for blocks: no memory once warm, and work in proportion to the loaded
// space nearby, however large its reach.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../../query/block_search.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"

namespace fractalray {
namespace {

using oracle::kStone;
using oracle::kVisible;
using oracle::kWater;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kEnd = 0x1p45;  // the frame's, in finest-block widths

class BlockSearchCostTest : public testing::Test {
 protected:
  void load(const ChunkCoord& at, const Chunk& chunk = Chunk()) {
    ASSERT_TRUE(world_.loadChunk(0, at, chunk).ok());
  }
  BlockSearchStats inSphere(const Vec3d& center, double radius, const QueryFilter& filter = {}) {
    EXPECT_TRUE(
        blocksInSphere(world_, center, radius, LevelMask::all(), filter, found_, &stats_).ok());
    return stats_;
  }
  BlockSearchStats inBox(const Vec3d& min, const Vec3d& max) {
    EXPECT_TRUE(blocksInBox(world_, min, max, LevelMask::all(), {}, found_, &stats_).ok());
    return stats_;
  }
  void set(const BlockCoord& at) { ASSERT_TRUE(world_.setBlock(0, at, kStone).ok()); }

  World world_{{.levels = 1, .block_types = oracle::sceneTypes()}};
  std::vector<FoundBlock> found_;
  BlockSearchStats stats_;
};

TEST_F(BlockSearchCostTest, AnEmptyWorldCostsNothing) {
  EXPECT_EQ(inSphere({1, 2, 3}, kInfinity), BlockSearchStats());
  EXPECT_EQ(inBox({-kEnd, -kEnd, -kEnd}, {kEnd, kEnd, kEnd}), BlockSearchStats());
  ASSERT_TRUE(world_.placeProtoChunk(0, {0, 0, 0}).ok());
  EXPECT_EQ(inSphere({1, 2, 3}, kInfinity), BlockSearchStats());
}

TEST_F(BlockSearchCostTest, ASearchOfTheWholeFrameCostsAsMuchAsIsLoaded) {
  load({0, 0, 0});
  load({1, 0, 0});  // holds nothing
  load({1000, -1000, 30000000000});
  set({3, 3, 3});
  set({16000, -16000, 16 * 30000000000});
  for (const BlockSearchStats& stats :
       {inSphere({5, 5, 5}, kInfinity), inSphere({kEnd, kEnd, kEnd}, 4 * kEnd),
        inBox({-kEnd, -kEnd, -kEnd}, {kEnd, kEnd, kEnd})}) {
    EXPECT_LE(stats.cubes, 8U + 2U * 21U) << "eight to begin with, and the path down to each";
    EXPECT_EQ(stats.chunks, 2U);
    EXPECT_EQ(stats.bricks, 2U);
    EXPECT_EQ(stats.blocks, 2U);
    EXPECT_EQ(found_.size(), 2U);
  }
}

TEST_F(BlockSearchCostTest, TheWorkDependsOnlyOnTheSpaceNearby) {
  for (int x = 0; x < 8; ++x) {
    for (int z = 0; z < 8; ++z)
      load({x, 0, z}, Chunk::uniform(kStone, world_.blockTypes()));
  }
  const BlockSearchStats small = inSphere({63.5, 8.5, 63.5}, 2);
  EXPECT_LE(small.cubes, 8U);
  EXPECT_EQ(small.chunks, 4U);
  EXPECT_LE(small.bricks, 12U);
  EXPECT_EQ(small.blocks, found_.size()) << "blocks are examined within reach only";
  const BlockSearchStats point = inBox({63.5, 8.5, 63.5}, {63.5, 8.5, 63.5});
  EXPECT_EQ(point.chunks, 1U);
  EXPECT_EQ(point.bricks, 1U);
  EXPECT_EQ(point.blocks, 1U);
  EXPECT_EQ(inSphere({64, 8.5, 64}, 500).blocks, 64U * 4096U);
  EXPECT_EQ(inSphere({64, 300, 64}, 200).blocks, 0U);
}

TEST_F(BlockSearchCostTest, BlocksThatTheChannelLeavesOutAreExamined) {
  load({0, 0, 0});
  ASSERT_TRUE(world_.fillBox(0, {0, 0, 0}, {3, 3, 3}, oracle::kGlass).ok());
  EXPECT_EQ(inSphere({1, 1, 1}, 50, {.channel = kVisible}).blocks, 64U);
  EXPECT_TRUE(found_.empty());
  EXPECT_EQ(inSphere({1, 1, 1}, 50, {.blocks = false}), BlockSearchStats());
}

TEST_F(BlockSearchCostTest, DeferredBlocksAreNotExamined) {
  World world({.levels = 2, .block_types = oracle::sceneTypes()});
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(kWater, world.blockTypes())).ok());
  ASSERT_TRUE(world.expandBlock(0, {1, 1, 1}).ok());
  std::vector<FoundBlock> found;
  BlockSearchStats stats;
  ASSERT_TRUE(blocksInBox(world, {17, 17, 17}, {18, 18, 18}, {0}, {}, found, &stats).ok());
  EXPECT_EQ(stats.blocks, 1U);
  ASSERT_TRUE(
      blocksInBox(world, {17.5, 17.5, 17.5}, {17.5, 17.5, 17.5}, {0, 1}, {}, found, &stats).ok());
  EXPECT_EQ(stats.blocks, 1U) << "only that of the finer level";
}

TEST_F(BlockSearchCostTest, NothingIsAllocatedOnceWarm) {
  for (int x = 0; x < 4; ++x)
    load({x, 0, 0}, Chunk::uniform(kWater, world_.blockTypes()));
  const QueryFilter filter;
  const LevelMask all = LevelMask::all();
  const auto search = [&] {
    bool ok = true;
    for (double x = 0; x < 60; x += 3.7) {
      const Vec3d point{x, 8, 8};
      ok = ok && blocksInSphere(world_, point, 6, all, filter, found_).ok() && !found_.empty();
      ok = ok && blocksInBox(world_, point - Vec3d{5, 5, 5}, point, all, filter, found_).ok();
    }
    return ok && blocksInSphere(world_, {0, 0, 0}, kInfinity, all, filter, found_, &stats_).ok();
  };
  ASSERT_TRUE(search());
  const std::size_t before = oracle::allocationCount();
  ASSERT_TRUE(search());
  EXPECT_EQ(oracle::allocationCount(), before);
}

}  // namespace
}  // namespace fractalray
