// SPDX-License-Identifier: Apache-2.0
// Blocks that changes make fertile, or no longer so, and the chunks into which they expand.
#include "fake_changes.h"
#include "streamer_fixture.h"

namespace fractalray::stream_fertile_test {
namespace {

using oracle::kGlass;

constexpr BlockCoord kStoneBlock{8, 8, 8};  // of the coarse chunk (0, 0, 0)

class StreamFertileTest : public StreamerTest {
 protected:
  FakeChanges changes_;
};

TEST_F(StreamFertileTest, ABlockThatIsNoLongerFertileLosesItsChunks) {
  stream(reach(0, 0), &changes_);
  ticks(3, kMiddle);
  ASSERT_TRUE(isLoaded(1, {8, 8, 8}));
  ASSERT_TRUE(streamer_->setBlock(1, {130, 130, 130}, kGlass).ok());
  ASSERT_TRUE(streamer_->setBlock(0, kStoneBlock, kAir, 10).ok());
  tick(kMiddle);
  EXPECT_FALSE(isLoaded(1, {8, 8, 8}));
  EXPECT_EQ(streamer_->revertChanges(10).value(), 1U);
  ticks(2, kMiddle);
  EXPECT_EQ(world_.block(1, {130, 130, 130}).value(), kGlass)
      << "changes in a block outlive those of the block";
}

TEST_F(StreamFertileTest, AnInfertileBlockLosesItsChunksAlsoIfItWasChangedWhileUnloaded) {
  stream(reach(0, 0), &changes_);
  ticks(3, kMiddle);
  ASSERT_TRUE(isLoaded(1, {8, 8, 8}));
  ASSERT_TRUE(world_.unloadChunk(0, {0, 0, 0}).ok());
  ASSERT_TRUE(streamer_->setBlock(0, kStoneBlock, kAir).ok());
  ticks(2, kMiddle);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
  EXPECT_FALSE(isLoaded(1, {8, 8, 8}));
}

TEST_F(StreamFertileTest, ABlockThatIsFertileAgainKeepsItsChunks) {
  stream(reach(0, 0), &changes_);
  ticks(3, kMiddle);
  ASSERT_TRUE(streamer_->setBlock(0, kStoneBlock, kAir).ok());
  ASSERT_TRUE(streamer_->setBlock(0, kStoneBlock, kGlass).ok());
  ticks(3, kMiddle);
  EXPECT_TRUE(isLoaded(1, {8, 8, 8}));
  EXPECT_EQ(streamer_->stats().unloaded, 0U);
  ASSERT_TRUE(streamer_->setBlock(0, kStoneBlock, kAir).ok());
  tick(kMiddle);
  EXPECT_FALSE(isLoaded(1, {8, 8, 8}));
}

// With a budget of one chunk a tick, most of them wait while finer chunks in them are requested.
TEST(StreamFertileLevelsTest, WhatIsRequestedInChunksThatWaitToBeUnloadedLeavesWithThem) {
  World world({.levels = 3, .block_types = oracle::sceneTypes()});
  EntityIndex entities(world.frame());
  Window window(world, entities, ChunkPath::parse("888").value());
  FakeSource source(
      [&](const std::string&) { return Chunk::uniform(oracle::kStone, world.blockTypes()); });
  StreamOptions options{.radii = {StreamRadii{0, 0}, StreamRadii{0, 0}, StreamRadii{0, 0}}};
  options.chunks_per_tick = 1;
  FakeChanges changes;
  ChunkStreamer streamer = ChunkStreamer::create(window, source, options, &changes).value();
  const std::int64_t middle = world.frame().chunkWidth(0) / 2;
  const Vec3i viewer{middle, middle, middle};  // at a corner of eight chunks of each finer level
  const auto ticks = [&](int count) {
    for (int i = 0; i < count; ++i)
      ASSERT_TRUE(streamer.tick({&viewer, 1}).ok());
  };
  ticks(1 + 8 + 2);
  ASSERT_EQ(world.loadedChunks(1), 8U);
  ASSERT_EQ(world.loadedChunks(2), 2U);
  for (int i = 0; i < 8; ++i) {
    const BlockCoord block{7 + (i & 1), 7 + (i >> 1 & 1), 7 + (i >> 2)};
    ASSERT_TRUE(streamer.setBlock(0, block, kAir).ok());
  }
  ticks(40);
  EXPECT_EQ(world.loadedChunks(0), 1U);
  EXPECT_EQ(world.loadedChunks(1), 0U);
  EXPECT_EQ(world.loadedChunks(2), 0U);
}

}  // namespace
}  // namespace fractalray::stream_fertile_test
