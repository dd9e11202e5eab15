// SPDX-License-Identifier: Apache-2.0
// Budgets of chunks and bytes per tick, and the limit of memory: what is loaded in spite of them,
// and what is dropped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fake_changes.h"
#include "streamer_fixture.h"

namespace fractalray {
namespace {

using StreamBudgetsTest = StreamerTest;

TEST_F(StreamBudgetsTest, BudgetsBoundRequestsLoadsAndUnloadsOfATick) {
  StreamOptions options = reach(1, 0);
  options.chunks_per_tick = 3;
  options.radii[1] = std::nullopt;
  stream(options);
  tick(kMiddle);
  EXPECT_THAT(source_.takeRequested(), SizeIs(3));
  EXPECT_THAT(streamer_->loaded(), SizeIs(3));
  ticks(20, kMiddle);
  const std::size_t loaded = world_.loadedChunks(0);
  EXPECT_EQ(loaded, 27U);
  tick({50, 0.5, 0.5});
  EXPECT_THAT(streamer_->unloaded(), SizeIs(3));
  ticks(20, {50, 0.5, 0.5});
  EXPECT_FALSE(isLoaded(0, {0, 0, 0}));
}

TEST_F(StreamBudgetsTest, AByteBudgetLetsOneChunkThroughInAnyCase) {
  StreamOptions options = reach(1, 0);
  options.bytes_per_tick = 1;
  options.radii[1] = std::nullopt;
  stream(options);
  for (std::size_t i = 1; i <= 27; ++i) {
    tick(kMiddle);
    EXPECT_EQ(world_.loadedChunks(0), i);
    EXPECT_EQ(world_.loadedChunks(0) + world_.protoChunks(0), 27U) << "the others wait as proto";
  }
  EXPECT_THAT(source_.takeRequested(), SizeIs(testing::Ge(27)));
}

TEST_F(StreamBudgetsTest, TheByteBudgetCountsChunksWithTheirChanges) {
  source_.setAnswer(
      [this](const std::string&) { return Chunk::uniform(oracle::kStone, world_.blockTypes()); });
  FakeChanges changes;
  StreamOptions options = coarse(0.5);
  options.bytes_per_tick = 5000;  // of many chunks of one type, not of one with ids
  stream(options, &changes);
  for (const ChunkCoord& at : {ChunkCoord{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}})
    ASSERT_TRUE(streamer_->setBlock(0, blockOf(at, 5), oracle::kGlass).ok());
  for (std::size_t i = 1; i <= 4; ++i) {
    tick(kMiddle);
    EXPECT_EQ(world_.loadedChunks(0), i);
  }
  tick(kMiddle);
  EXPECT_EQ(world_.loadedChunks(0), 7U);
}

TEST_F(StreamBudgetsTest, WithMemoryFullTheLeastNeededIsDroppedForWhatIsNeededMore) {
  stream(reach(1, 0));
  tick(kMiddle);
  const std::size_t of_chunk = world_.chunk(0, {1, 1, 1})->bytes();
  StreamOptions options = reach(1, 0);
  options.radii[1] = std::nullopt;
  options.max_bytes = 8 * of_chunk;
  ASSERT_TRUE(streamer_->setOptions(options).ok());
  tick(kMiddle);
  EXPECT_EQ(world_.loadedChunks(0), 8U);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
  EXPECT_FALSE(isLoaded(0, {1, 1, 1}));
  source_.takeRequested();
  ticks(50, kMiddle);
  EXPECT_THAT(source_.takeRequested(), SizeIs(testing::Le(1))) << "nothing is loaded to be dropped";
  ticks(5, {1.5, 0.5, 0.5});
  EXPECT_TRUE(isLoaded(0, {2, 0, 0}));
  EXPECT_FALSE(isLoaded(0, {-1, 0, 0}));
  EXPECT_LE(streamer_->stats().bytes, options.max_bytes);
  EXPECT_GT(streamer_->stats().evicted, 0U);
}

// A chunk grows with the first finer chunk in it, by what no request knows.
TEST_F(StreamBudgetsTest, NothingIsLoadedToBeDroppedHoweverTightTheLimit) {
  source_.setAnswer(
      [this](const std::string&) { return Chunk::uniform(oracle::kStone, world_.blockTypes()); });
  StreamOptions options = reach(0, 0);
  stream(options);
  ticks(3, kMiddle);
  ASSERT_EQ(streamer_->stats().chunks, 9U) << "a coarse one, and eight fine ones";
  const std::size_t bytes = streamer_->stats().bytes;
  for (std::size_t less = 0; less < bytes - 100; ++less) {
    options.max_bytes = bytes - less;
    ASSERT_TRUE(streamer_->setOptions(options).ok());
    ticks(2, kMiddle);
    const std::uint64_t requested = streamer_->stats().requested;
    ticks(3, kMiddle);
    EXPECT_EQ(streamer_->stats().requested, requested) << options.max_bytes;
    EXPECT_LE(streamer_->stats().bytes, options.max_bytes);
  }
}

TEST_F(StreamBudgetsTest, AChunkLargerThanTheMemoryFails) {
  StreamOptions options = reach(0, 0);
  options.max_bytes = 100;
  stream(options);
  tick(kMiddle);
  const absl::Status error = streamer_->error(0, {0, 0, 0});
  EXPECT_EQ(error.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(error.message()), HasSubstr("max_bytes is 100"));
  EXPECT_EQ(state(0, {0, 0, 0}), ChunkState::kProto);
}

TEST_F(StreamBudgetsTest, BytesAreThoseOfTheChunksWhoeverEditsThem) {
  stream(reach(0.7, 0.7));
  const auto bytes = [this] {
    std::size_t sum = 0;
    for (int level = 0; level < 2; ++level) {
      world_.forEachLoaded(level,
                           [&](const ChunkCoord&, const Chunk& chunk) { sum += chunk.bytes(); });
    }
    return sum;
  };
  for (int i = 0; i < 5; ++i) {
    tick(kMiddle);
    EXPECT_EQ(streamer_->stats().bytes, bytes()) << i;
  }
  ASSERT_TRUE(world_.setBlock(1, {130, 130, 130}, oracle::kMist).ok());
  tick(kMiddle);
  EXPECT_EQ(streamer_->stats().bytes, bytes());
  ASSERT_TRUE(world_.unloadChunk(1, {8, 8, 8}).ok());
  tick(kMiddle);
  EXPECT_EQ(streamer_->stats().bytes, bytes()) << "a finer chunk is a part of its parent's bytes";
}

// A snapshot copies borrowed ids without an edit; an edit makes the streamer count again.
TEST_F(StreamBudgetsTest, BorrowedChunksCountWithTheCopyOfTheirIdsFromTheStart) {
  std::vector<BlockTypeId> ids(kBlocksPerChunk, oracle::kStone);
  ids[5] = oracle::kGlass;
  const std::vector<std::uint8_t> narrow(kBlocksPerChunk, 1);
  const IdLayout layout = IdLayout::make({.id_bytes = 1, .strides = {1, 16, 256}}).value();
  source_.setAnswer([&](const std::string& path) -> absl::StatusOr<Chunk> {
    if (path == "888_888") return Chunk::borrowed(narrow.data(), layout, world_.blockTypes());
    return Chunk::borrowed(Chunk::Ids(ids.data(), kBlocksPerChunk), world_.blockTypes());
  });
  StreamOptions options = coarse(1);
  options.max_bytes = 10 * kBlocksPerChunk * sizeof(BlockTypeId);
  stream(options);
  ticks(30, kMiddle);
  EXPECT_EQ(streamer_->stats().chunks, 9U) << "with copies, 10 would be too large";
  const StreamStats before = streamer_->stats();
  const auto snapshot = world_.snapshot();
  std::size_t bytes = 0;
  world_.forEachLoaded(0, [&](const ChunkCoord&, const Chunk& chunk) { bytes += chunk.bytes(); });
  EXPECT_EQ(bytes, before.bytes);
  ASSERT_TRUE(world_.loadChunk(0, {50, 0, 0}, Chunk()).ok());
  tick(kMiddle);
  EXPECT_EQ(streamer_->stats().bytes, before.bytes);
  EXPECT_EQ(streamer_->stats().evicted, before.evicted);
}

}  // namespace
}  // namespace fractalray
