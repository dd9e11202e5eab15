// SPDX-License-Identifier: Apache-2.0
// Changes made through the streamer: in loaded chunks and in others, reverted, refused, all or
// nothing. tests/formats/change_model_test.cc compares them, in a file, with a model.
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../oracle/allocations.h"
#include "fake_changes.h"
#include "streamer_fixture.h"

namespace fractalray {
namespace {

using oracle::kGlass;
using oracle::kStone;
using oracle::kWater;

constexpr BlockCoord kStoneBlock{8, 8, 8};  // of the coarse chunk (0, 0, 0)

class StreamChangesTest : public StreamerTest {
 protected:
  void streamWithChanges(const StreamOptions& options) { stream(options, &changes_); }
  // Loads the coarse chunk (0, 0, 0) alone.
  void loadCoarse() {
    streamWithChanges(coarse(0));
    tick(kMiddle);
  }
  // Unloads it, and loads it again.
  void reload() {
    tick({9.5, 0.5, 0.5});
    ASSERT_FALSE(isLoaded(0, {0, 0, 0}));
    tick(kMiddle);
  }
  BlockTypeId block(const BlockCoord& at, int level = 0) const {
    return world_.block(level, at).value();
  }
  static BlockChange change(const std::string& path, const BlockCoord& at,
                            std::optional<BlockTypeId> type) {
    return {.chunk = ChunkPath::parse(path).value(), .block = indexInChunk(at), .type = type};
  }

  FakeChanges changes_;
};

TEST_F(StreamChangesTest, AChangeIsMadeAtOnceAndWheneverItsChunkIsLoaded) {
  loadCoarse();
  ASSERT_TRUE(streamer_->setBlock(0, {1, 2, 3}, kGlass).ok());
  ASSERT_TRUE(streamer_->setBlock(0, kStoneBlock, kAir).ok());
  EXPECT_EQ(block({1, 2, 3}), kGlass);
  EXPECT_EQ(block(kStoneBlock), kAir);
  reload();
  EXPECT_EQ(block({1, 2, 3}), kGlass);
  EXPECT_EQ(block(kStoneBlock), kAir);
  EXPECT_EQ(block({0, 0, 0}), kStone) << "as supplied";
}

TEST_F(StreamChangesTest, AChunkThatIsNotLoadedGetsItsChangesWhenItIs) {
  streamWithChanges(reach(0, 0));
  const std::vector<BlockChange> changes = {
      streamer_->changeOf(0, {1, 2, 3}, kGlass).value(),
      change("888_888_888", {5, 5, 5}, kWater),      // finer than what is loaded
      change("888_888_888_555", {1, 1, 1}, kWater),  // finer than the frame
      change("123", {1, 1, 1}, kWater),              // coarser than the frame
      change("", {0, 0, 0}, kWater),                 // in the root
  };
  ASSERT_TRUE(streamer_->setBlocks(changes).ok());
  EXPECT_EQ(changes_.blocks.size(), 5U);
  ticks(3, kMiddle);
  EXPECT_EQ(block({1, 2, 3}), kGlass);
  EXPECT_EQ(block({16 * 8 + 5, 16 * 8 + 5, 16 * 8 + 5}, 1), kWater);
}

TEST_F(StreamChangesTest, AnAnswerThatIsOnItsWayGetsTheChanges) {
  keepRequests();
  streamWithChanges(coarse(0));
  tick(kMiddle);
  ChunkRequest request = source_.takeKept("888_888");
  ASSERT_TRUE(request.answer(contentOf("888_888")).ok());
  ASSERT_TRUE(streamer_->setBlock(0, {1, 2, 3}, kGlass).ok());
  tick(kMiddle);
  EXPECT_EQ(block({1, 2, 3}), kGlass);
}

TEST_F(StreamChangesTest, ChangesFollowTheWindow) {
  streamWithChanges(reach(0, 0));
  ticks(3, kMiddle);
  ASSERT_TRUE(streamer_->setBlock(1, {130, 130, 130}, kGlass, 100).ok());
  ASSERT_TRUE(window_.descend({8, 8, 8}).ok());
  ASSERT_TRUE(streamer_->setBlock(0, {3, 3, 3}, kWater).ok());
  EXPECT_EQ(block({2, 2, 2}), kGlass);
  EXPECT_EQ(block({3, 3, 3}), kWater);
  EXPECT_EQ(streamer_->revertChanges(100).value(), 1U);
  EXPECT_EQ(block({2, 2, 2}), kStone) << "the type that the source had supplied on level 1";
  ASSERT_TRUE(window_.climb().ok());
  ASSERT_TRUE(window_.climb().ok());  // drops the chunk
  ASSERT_TRUE(window_.descend({8, 8, 8}).ok());
  ticks(3, kMiddle);
  EXPECT_EQ(block({131, 131, 131}, 1), kWater);
  EXPECT_EQ(block({130, 130, 130}, 1), kStone);
}

TEST_F(StreamChangesTest, ARevertedBlockHasTheTypeThatTheSourceSuppliesForIt) {
  loadCoarse();
  ASSERT_TRUE(streamer_->setBlock(0, kStoneBlock, kWater, 50).ok());
  ASSERT_TRUE(streamer_->setBlock(0, kStoneBlock, kGlass, 60).ok()) << "replaces it";
  ASSERT_TRUE(streamer_->setBlock(0, {1, 1, 1}, kGlass, 61).ok());
  EXPECT_EQ(streamer_->revertChanges(59).value(), 0U);
  EXPECT_EQ(block(kStoneBlock), kGlass);
  EXPECT_EQ(streamer_->revertChanges(60).value(), 1U);
  EXPECT_EQ(block(kStoneBlock), kStone);
  EXPECT_EQ(block({1, 1, 1}), kGlass);
  reload();
  EXPECT_EQ(block(kStoneBlock), kStone);
  EXPECT_EQ(block({1, 1, 1}), kGlass);
  EXPECT_EQ(streamer_->revertChanges(61).value(), 1U) << "of a chunk that was loaded with it";
  EXPECT_EQ(block({1, 1, 1}), kAir);
  EXPECT_TRUE(changes_.blocks.empty());
}

TEST_F(StreamChangesTest, AChangeWithoutATypeRevertsTheBlockAtOnce) {
  loadCoarse();
  ASSERT_TRUE(streamer_->setBlock(0, kStoneBlock, kWater).ok());
  ASSERT_TRUE(streamer_->setBlock(0, kStoneBlock, std::nullopt).ok());
  EXPECT_EQ(block(kStoneBlock), kStone);
  EXPECT_TRUE(changes_.blocks.empty());
  ASSERT_TRUE(streamer_->setBlock(0, kStoneBlock, std::nullopt).ok()) << "there is none to revert";
  EXPECT_EQ(block(kStoneBlock), kStone);
}

TEST_F(StreamChangesTest, RevertsAreLimited) {
  loadCoarse();
  for (std::int64_t x = 0; x < 10; ++x)
    ASSERT_TRUE(streamer_->setBlock(0, {x, 3, 3}, kGlass, x).ok());
  EXPECT_EQ(streamer_->revertChanges(100, 4).value(), 4U);
  EXPECT_EQ(streamer_->revertChanges(100, 4).value(), 4U);
  EXPECT_EQ(streamer_->revertChanges(100, 4).value(), 2U);
  EXPECT_TRUE(changes_.blocks.empty());
  EXPECT_EQ(streamer_->revertChanges(0, 0).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(StreamChangesTest, BorrowedIdsAreNeverWritten) {
  std::array<BlockTypeId, kBlocksPerChunk> ids{};
  ids[7] = kStone;
  const std::array<BlockTypeId, kBlocksPerChunk> before = ids;
  source_.setAnswer(
      [&](const std::string&) { return Chunk::borrowedForWriting(ids, world_.blockTypes()); });
  loadCoarse();
  ASSERT_TRUE(world_.chunk(0, {0, 0, 0})->isBorrowedForWriting());
  ASSERT_TRUE(streamer_->setBlock(0, {7, 0, 0}, kGlass, 1).ok());
  EXPECT_EQ(block({7, 0, 0}), kGlass);
  EXPECT_EQ(ids, before);
  reload();
  EXPECT_EQ(block({7, 0, 0}), kGlass);
  EXPECT_EQ(streamer_->revertChanges(1).value(), 1U);
  EXPECT_EQ(block({7, 0, 0}), kStone);
  EXPECT_EQ(ids, before);
}

TEST_F(StreamChangesTest, AnIdWithoutATypeFailsAlsoInAChangedChunk) {
  const std::array<BlockTypeId, 2> types = {kAir, kStone};
  const IdLayout layout =
      IdLayout::make({.id_bytes = 1, .strides = {1, 16, 256}, .types = types}).value();
  std::vector<std::uint8_t> ids(kBlocksPerChunk, 0);
  loadCoarse();
  ASSERT_TRUE(streamer_->setBlock(0, {1, 2, 3}, kGlass).ok());
  source_.setAnswer([&](const std::string&) -> absl::StatusOr<Chunk> {
    ids[5] = 0;
    absl::StatusOr<Chunk> lent = Chunk::borrowed(ids.data(), layout, world_.blockTypes());
    ids[5] = 7;
    return lent;
  });
  reload();
  EXPECT_FALSE(isLoaded(0, {0, 0, 0})) << "not as air";
}

TEST_F(StreamChangesTest, IdsStayLentIfNothingIsChanged) {
  std::array<BlockTypeId, kBlocksPerChunk> ids{};
  source_.setAnswer(
      [&](const std::string&) { return Chunk::borrowedForWriting(ids, world_.blockTypes()); });
  loadCoarse();
  changes_.writing = absl::ResourceExhaustedError("the disk is full");
  EXPECT_FALSE(streamer_->setBlock(0, {7, 0, 0}, kGlass).ok());
  EXPECT_TRUE(world_.chunk(0, {0, 0, 0})->isBorrowedForWriting());
  EXPECT_EQ(block({7, 0, 0}), kAir);
  changes_.writing = absl::OkStatus();
  EXPECT_TRUE(streamer_->setBlock(0, {7, 0, 0}, std::nullopt).ok()) << "there is none to revert";
  ids[9] = kStone;
  EXPECT_TRUE(world_.refreshBlock(0, {9, 0, 0}).ok()) << "still the engine's ids";
}

TEST_F(StreamChangesTest, SnapshotsDoNotSeeLaterChanges) {
  loadCoarse();
  const auto before = world_.snapshot();
  ASSERT_TRUE(streamer_->setBlock(0, kStoneBlock, kGlass, 1).ok());
  const auto after = world_.snapshot();
  ASSERT_TRUE(streamer_->revertChanges(1).ok());
  EXPECT_EQ(before->block(0, kStoneBlock).value(), kStone);
  EXPECT_EQ(after->block(0, kStoneBlock).value(), kGlass);
}

TEST_F(StreamChangesTest, BadChangesAreRefusedWhole) {
  loadCoarse();
  const auto refused = [&](const BlockChange& bad) {
    const std::array<BlockChange, 2> both = {streamer_->changeOf(0, {1, 2, 3}, kGlass).value(),
                                             bad};
    const absl::Status status = streamer_->setBlocks(both);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(block({1, 2, 3}), kAir);
    EXPECT_TRUE(changes_.blocks.empty());
    return std::string(status.message());
  };
  BlockChange bad = change("888_888", {0, 0, 0}, kGlass);
  bad.block = kBlocksPerChunk;
  EXPECT_THAT(refused(bad), HasSubstr("block 4096 is not in a chunk"));
  bad.block = -1;
  EXPECT_THAT(refused(bad), HasSubstr("block -1 is not in a chunk"));
  EXPECT_THAT(refused(change("888_888", {0, 0, 0}, BlockTypeId{99})),
              HasSubstr("block type 99 is not in the table, which ends at 8"));
  bad = change("888_888", {0, 0, 0}, std::nullopt);
  bad.reverts_at = 5;
  EXPECT_THAT(refused(bad), HasSubstr("reverts at 5, but has no type"));
  EXPECT_EQ(streamer_->setBlock(2, {0, 0, 0}, kGlass).code(), absl::StatusCode::kInvalidArgument);
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(streamer_->setBlock(0, {kFar, 0, 0}, kGlass).code(), absl::StatusCode::kOutOfRange);
}

TEST_F(StreamChangesTest, WhatCannotBeRecordedIsNotDone) {
  loadCoarse();
  ASSERT_TRUE(streamer_->setBlock(0, {1, 1, 1}, kGlass, 1).ok());
  changes_.writing = absl::ResourceExhaustedError("the disk is full");
  const std::vector<BlockChange> changes = {
      streamer_->changeOf(0, {1, 1, 1}, kWater).value(),
      streamer_->changeOf(0, kStoneBlock, kAir).value(),
      streamer_->changeOf(0, kStoneBlock, kGlass).value(),
      change("888_888_888", {1, 1, 1}, kGlass),
  };
  EXPECT_EQ(streamer_->setBlocks(changes).message(), "the disk is full");
  EXPECT_EQ(streamer_->revertChanges(1).status().message(), "the disk is full");
  EXPECT_EQ(block({1, 1, 1}), kGlass);
  EXPECT_EQ(block(kStoneBlock), kStone);
  changes_.writing = absl::OkStatus();
  ASSERT_TRUE(streamer_->revertChanges(1).ok());
  EXPECT_EQ(block({1, 1, 1}), kAir);
  ASSERT_TRUE(streamer_->setBlocks(changes).ok());
  EXPECT_EQ(block(kStoneBlock), kGlass);
}

TEST_F(StreamChangesTest, AChunkWhoseChangesCannotBeReadIsNotLoadedWithoutThem) {
  ASSERT_TRUE(changes_.record(std::array{change("888_888", kStoneBlock, kGlass)}).ok());
  changes_.reading = absl::DataLossError("bad sector");
  loadCoarse();
  EXPECT_EQ(state(0, {0, 0, 0}), ChunkState::kProto);
  EXPECT_THAT(std::string(streamer_->error(0, {0, 0, 0}).message()), HasSubstr("bad sector"));
  EXPECT_EQ(streamer_->revertChanges(1).status().code(), absl::StatusCode::kDataLoss);
  changes_.reading = absl::OkStatus();
  ticks(3, kMiddle);
  EXPECT_EQ(block(kStoneBlock), kGlass);
}

TEST_F(StreamChangesTest, ChunksOfTheEngineAreLeftAlone) {
  streamWithChanges(coarse(0));
  ASSERT_TRUE(world_.loadChunk(0, {5, 0, 0}, Chunk()).ok());
  const absl::Status status = streamer_->setBlock(0, {16 * 5, 0, 0}, kGlass);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("chunk [5, 0, 0] of level 0 was not loaded by this streamer"));
  EXPECT_TRUE(changes_.blocks.empty());
}

TEST_F(StreamChangesTest, AChunkOfTheEngineKeepsNoOtherFromReverting) {
  loadCoarse();
  ASSERT_TRUE(streamer_->setBlock(0, {1, 1, 1}, kGlass, 5).ok());
  ASSERT_TRUE(streamer_->setBlock(0, {16 * 5, 0, 0}, kGlass, 5).ok());
  ASSERT_TRUE(world_.loadChunk(0, {5, 0, 0}, Chunk::uniform(kWater, world_.blockTypes())).ok());
  EXPECT_EQ(streamer_->revertChanges(5).value(), 2U);
  EXPECT_EQ(block({1, 1, 1}), kAir);
  EXPECT_EQ(block({16 * 5, 0, 0}), kWater);
  EXPECT_TRUE(changes_.blocks.empty());
}

TEST_F(StreamChangesTest, WithoutChangesOrWithinATickNothingIsSet) {
  stream(coarse(0));
  tick(kMiddle);
  EXPECT_EQ(streamer_->setBlock(0, kStoneBlock, kGlass).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(block(kStoneBlock), kStone);
  EXPECT_EQ(streamer_->revertChanges(1).value(), 0U);
  streamer_.reset();
  absl::Status within;
  source_.setAnswer([&](const std::string&) {
    within = streamer_->setBlock(0, kStoneBlock, kGlass);
    return Chunk();
  });
  streamWithChanges(coarse(0));
  tick({5.5, 0.5, 0.5});
  EXPECT_THAT(std::string(within.message()), HasSubstr("within a tick"));
}

// Runs out of memory at every allocation of an edit, of a revert and of a load.
TEST_F(StreamChangesTest, MemoryThatRunsOutChangesNothing) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP() << "operator new is not replaced";
  for (const bool has_snapshot : {false, true}) {
    for (std::size_t n = 0;; ++n) {
      ASSERT_LT(n, 1000U);
      changes_.blocks.clear();
      loadCoarse();
      const std::vector<BlockChange> changes = {
          streamer_->changeOf(0, {1, 1, 1}, kGlass, 9).value(),
          streamer_->changeOf(0, kStoneBlock, kAir, 9).value(),
          change("888_888_888", {1, 1, 1}, kGlass),
      };
      const auto snapshot = has_snapshot ? world_.snapshot() : nullptr;
      bool is_set = false;
      bool has_failed = false;
      {
        const oracle::AllocationFailure failure(n);
        try {
          is_set = streamer_->setBlocks(changes).ok();
        } catch (const std::bad_alloc&) {
        }
        has_failed = failure.hasFailed();
      }
      EXPECT_EQ(is_set, !has_failed) << n;
      EXPECT_EQ(block({1, 1, 1}), is_set ? kGlass : kAir) << n;
      EXPECT_EQ(block(kStoneBlock), is_set ? kAir : kStone) << n;
      EXPECT_EQ(changes_.blocks.size(), is_set ? 3U : 0U) << n;
      ASSERT_TRUE(streamer_->setBlocks(changes).ok());
      reload();
      EXPECT_EQ(streamer_->revertChanges(9).value(), 2U);
      EXPECT_EQ(block(kStoneBlock), kStone) << n;
      streamer_.reset();
      ASSERT_TRUE(world_.unloadChunk(0, {0, 0, 0}).ok());
      if (!has_failed || HasFailure()) break;
    }
  }
}

TEST_F(StreamChangesTest, AChunkIsNotLoadedWithoutItsChangesIfMemoryRunsOut) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP() << "operator new is not replaced";
  ASSERT_TRUE(changes_.record(std::array{change("888_888", kStoneBlock, kGlass)}).ok());
  for (std::size_t n = 0;; ++n) {
    ASSERT_LT(n, 1000U);
    keepRequests();
    streamWithChanges(coarse(0));
    tick(kMiddle);
    ASSERT_TRUE(source_.takeKept("888_888").answer(contentOf("888_888")).ok());
    source_.setAnswer([this](const std::string& path) { return contentOf(path); });
    bool has_failed = false;
    {
      const oracle::AllocationFailure failure(n, oracle::AllocationFailure::Extent::kOne);
      const Vec3i at = unitsOf(kMiddle);
      try {
        streamer_->tick({&at, 1}).IgnoreError();
      } catch (const std::bad_alloc&) {
      }
      has_failed = failure.hasFailed();
    }
    if (isLoaded(0, {0, 0, 0})) {
      EXPECT_EQ(block(kStoneBlock), kGlass) << n;
    }
    ticks(8, kMiddle);
    EXPECT_EQ(block(kStoneBlock), kGlass) << n;
    EXPECT_EQ(streamer_->stats().chunks, 1U) << n;
    streamer_.reset();
    ASSERT_TRUE(world_.unloadChunk(0, {0, 0, 0}).ok());
    if (!has_failed || HasFailure()) break;
  }
}

}  // namespace
}  // namespace fractalray
