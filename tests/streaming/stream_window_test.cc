// SPDX-License-Identifier: Apache-2.0
// Streaming while the window moves: requests are by path, and answers find their chunks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../streaming/internal/anchor_follower.h"
#include "../../streaming/internal/stream_records.h"
#include "../oracle/rng.h"
#include "streamer_fixture.h"

namespace fractalray {
namespace {

using StreamWindowTest = StreamerTest;

TEST_F(StreamWindowTest, AnAnswerAfterARecentringIsLoadedAtTheNewIndex) {
  keepRequests();
  stream(coarse(0));
  tick(kMiddle);
  ASSERT_TRUE(window_.recenter({-3, 0, 0}).ok());
  EXPECT_EQ(state(0, {3, 0, 0}), ChunkState::kProto) << "moved along";
  ASSERT_TRUE(source_.takeKept("888_888").answer(contentOf("888_888")).ok());
  tick({3.5, 0.5, 0.5});
  EXPECT_TRUE(isLoaded(0, {3, 0, 0}));
  EXPECT_THAT(source_.takeRequested(), SizeIs(1)) << "not requested again";
}

TEST(SingleLevelWindowTest, AStreamerFollowsMoves) {
  World world({.levels = 1, .block_types = oracle::sceneTypes()});
  EntityIndex entities(world.frame());
  Window window(world, entities, ChunkPath::parse("888").value());
  FakeSource source([&](const std::string&) -> std::optional<absl::StatusOr<Chunk>> {
    return Chunk::uniform(oracle::kStone, world.blockTypes());
  });
  auto streamer = ChunkStreamer::create(window, source, {.radii = {StreamRadii{0, 0.5}}}).value();
  constexpr std::int64_t kMiddleOfChunk = std::int64_t{1} << 19;  // in units
  const Vec3i viewer{kMiddleOfChunk, kMiddleOfChunk, kMiddleOfChunk};
  ASSERT_TRUE(streamer.tick({&viewer, 1}).ok());
  ASSERT_TRUE(window.recenter({1, 0, 0}).ok());
  ASSERT_TRUE(streamer.tick({&viewer, 1}).ok());
  EXPECT_NE(world.chunk(0, {-1, 0, 0}), nullptr) << "moved along";
  EXPECT_NE(world.chunk(0, {0, 0, 0}), nullptr);
  EXPECT_EQ(streamer.stats().loaded, 2U);
}

TEST_F(StreamWindowTest, AnAnswerAfterADescentIsLoadedOnItsNewLevel) {
  StreamOptions options = reach(0, 0);
  stream(options);
  tick(kMiddle);
  keepRequests();
  tick(kMiddle);
  ASSERT_TRUE(window_.descend({8, 8, 8}).ok());
  ASSERT_TRUE(source_.takeKept("888_888_888").answer(Chunk()).ok());
  tick(kMiddle);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
  EXPECT_EQ(streamer_->stats().chunks, 1U) << "the move dropped the other";
  EXPECT_EQ(streamer_->stats().bytes, world_.chunk(0, {0, 0, 0})->bytes());
}

TEST_F(StreamWindowTest, AnAnswerForALevelThatIsGoneIsRefused) {
  keepRequests();
  stream(reach(0, 0));
  tick(kMiddle);
  ASSERT_TRUE(window_.descend({8, 8, 8}).ok());
  tick(kMiddle);
  EXPECT_EQ(source_.takeKept("888_888").answer(Chunk()).code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(streamer_->stats().cancelled, 1U);
  EXPECT_EQ(source_.takeRequested().back(), "888_888_888") << "level 0 is now there";
}

TEST_F(StreamWindowTest, SeveralMovesBetweenTwoTicksAreFollowedAtOnce) {
  keepRequests();
  stream(coarse(0));
  tick(kMiddle);
  ASSERT_TRUE(window_.climb().ok());
  ASSERT_TRUE(window_.recenter({0, 0, 1}).ok());
  ASSERT_TRUE(window_.descend({8, 8, 8 - 16}).ok());
  EXPECT_EQ(window_.anchor().text(), "888_888");
  ASSERT_TRUE(source_.takeKept("888_888").answer(Chunk()).ok());
  tick(kMiddle);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
}

TEST_F(StreamWindowTest, ChunksThatAMoveDropsAndBringsBackAreLoadedAgain) {
  stream(coarse(0));
  tick(kMiddle);
  ASSERT_TRUE(window_.descend({8, 8, 8}).ok());
  ASSERT_TRUE(window_.climb().ok());
  EXPECT_FALSE(isLoaded(0, {0, 0, 0}));
  tick(kMiddle);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
  EXPECT_EQ(streamer_->stats().bytes, world_.chunk(0, {0, 0, 0})->bytes());
}

// The chunks for which the source was called before they were unloaded, and their blocks [8, 8, 8].
struct Unloading {
  ChunkOfLevel chunk;
  BlockTypeId type;
};

TEST_F(StreamWindowTest, TheSourceSeesTheChunksThatAMoveDropsBeforeItDropsThem) {
  std::vector<Unloading> unloading;
  source_.on_unloading = [&](int level, const ChunkCoord& at, const Chunk& chunk) {
    EXPECT_TRUE(isLoaded(level, at));
    unloading.push_back({{level, at}, chunk.block(indexInChunk({8, 8, 8}))});
  };
  stream(reach(0, 0));
  ticks(3, kMiddle);
  ASSERT_TRUE(isLoaded(1, {8, 8, 8}));
  ASSERT_TRUE(window_.recenter({1, 0, 0}).ok());
  EXPECT_THAT(unloading, IsEmpty()) << "it keeps all";
  ASSERT_TRUE(window_.recenter({-1, 0, 0}).ok());
  ASSERT_TRUE(world_.setBlock(0, {8, 8, 8}, oracle::kGlass).ok());
  ASSERT_TRUE(window_.descend({8, 8, 8}).ok());
  ASSERT_THAT(unloading, SizeIs(1)) << "level 0 is dropped, level 1 is kept";
  EXPECT_EQ(unloading[0].chunk, (ChunkOfLevel{0, {0, 0, 0}}));
  EXPECT_EQ(unloading[0].type, oracle::kGlass);
  ASSERT_TRUE(window_.climb().ok());
  ASSERT_TRUE(window_.climb().ok());
  ASSERT_THAT(unloading, SizeIs(2)) << "the finest level is dropped, without a tick in between";
  EXPECT_EQ(unloading[1].chunk, (ChunkOfLevel{1, {8, 8, 8}}));
}

TEST_F(StreamWindowTest, ASourceMayNameChunksWhileAMoveDropsOthers) {
  stream(coarse(2));
  ticks(5, kMiddle);
  std::size_t unloading = 0;
  source_.on_unloading = [&](int, const ChunkCoord& at, const Chunk&) {
    ++unloading;
    for (std::int64_t x = 20; x < 70; ++x) {
      const ChunkOfLevel chunk{0, {x, at[1], at[2]}};
      EXPECT_TRUE(streamer_->want({&chunk, 1}).ok());
    }
  };
  ASSERT_TRUE(window_.descend({8, 8, 8}).ok());
  EXPECT_EQ(unloading, streamer_->stats().loaded) << "all are of level 0";
  tick(kMiddle);
}

TEST_F(StreamWindowTest, LevelsOfTheSameReachAreNotSearchedAgainAfterAMove) {
  std::size_t calls = 0;
  StreamOptions options = reach(0.7, 0.7);
  options.is_fertile = [&](BlockTypeId type) {
    ++calls;
    return type == oracle::kStone;
  };
  stream(options);
  ticks(10, kMiddle);
  ASSERT_TRUE(isLoaded(1, {8, 8, 8}));
  ASSERT_TRUE(window_.recenter({3, 0, 0}).ok());
  calls = 0;
  tick(kMiddle - Vec3d{3, 0, 0});
  EXPECT_EQ(calls, 0U) << "level 1 is complete, as it was";
  tick(kMiddle - Vec3d{2.9, 0, 0});
  EXPECT_GT(calls, 0U) << "the viewer has moved";
}

TEST_F(StreamWindowTest, BytesAreThoseOfTheChunksAfterEachMove) {
  StreamOptions options = reach(0.7, 0.7);
  stream(options);
  const auto expectBytes = [this](const std::string& when) {
    std::size_t sum = 0;
    for (int level = 0; level < 2; ++level) {
      world_.forEachLoaded(level,
                           [&](const ChunkCoord&, const Chunk& chunk) { sum += chunk.bytes(); });
    }
    EXPECT_EQ(streamer_->stats().bytes, sum) << when;
  };
  ticks(5, kMiddle);
  ASSERT_TRUE(isLoaded(1, {8, 8, 8}));
  ASSERT_TRUE(window_.climb().ok());
  ASSERT_TRUE(isLoaded(1, {8, 8, 8})) << "it was level 0";
  keepRequests();
  const Vec3d climbed = (kMiddle + Vec3d{8, 8, 8}) / 16.0;
  tick(climbed);
  expectBytes("a climb takes the finer chunks, which are a part of the bytes");
  ASSERT_TRUE(world_.setBlock(1, {8 * 16 + 3, 8 * 16 + 3, 8 * 16 + 3}, oracle::kGlass).ok());
  ASSERT_TRUE(window_.recenter({1, 0, 0}).ok());
  tick(climbed - Vec3d{1, 0, 0});
  expectBytes("an edit just before a move is noticed");
  ASSERT_TRUE(window_.recenter({-1, 0, 0}).ok());
  ASSERT_TRUE(world_.unloadChunk(1, {8, 8, 8}).ok());
  tick(climbed);
  expectBytes("so is one just after it");
}

TEST_F(StreamWindowTest, AnExceptionOfUnloadingKeepsTheWindow) {
  stream(coarse(0));
  tick(kMiddle);
  source_.on_unloading = [](int, const ChunkCoord&, const Chunk&) {
    throw std::runtime_error("disk full");
  };
  const std::uint64_t version = world_.version();
  EXPECT_THROW(window_.descend({8, 8, 8}).IgnoreError(), std::runtime_error);
  EXPECT_EQ(window_.anchor().text(), "888_888");
  EXPECT_EQ(world_.version(), version);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
  streamer_.reset();
  EXPECT_TRUE(window_.descend({8, 8, 8}).ok()) << "the streamer no longer sees moves";
}

TEST_F(StreamWindowTest, PathsOfAMillionStepsArePossible) {
  std::string deep;
  for (int i = 0; i < 1'000'000; ++i)
    deep += i == 0 ? "888" : "_888";
  WindowedWorld windowed(deep);
  auto& [world, entities, window] = windowed;
  std::size_t steps = 0;
  struct Source : ChunkSource {
    explicit Source(std::size_t& of_path) : steps(of_path) {}
    void request(ChunkRequest request) override {
      steps = request.path().steps().size();
      request.answer(Chunk()).IgnoreError();
    }
    std::size_t& steps;
  } source(steps);
  ChunkStreamer streamer = ChunkStreamer::create(window, source, coarse(0)).value();
  const Vec3i at = unitsOf(kMiddle);
  ASSERT_TRUE(streamer.tick({&at, 1}).ok());
  EXPECT_EQ(steps, 1'000'000U);
  EXPECT_NE(world.chunk(0, {0, 0, 0}), nullptr);
  ASSERT_TRUE(window.climb().ok());
  ASSERT_TRUE(streamer.tick({&at, 1}).ok());
  EXPECT_EQ(steps, 999'999U);
}

// Compares FrameShift with the maps of single moves.
TEST(FrameShiftTest, IsTheCompositionOfTheMoves) {
  oracle::Rng rng("FrameShiftTest");
  for (int round = 0; round < 300; ++round) {
    const int levels = 1 + rng.below(10);
    World world({.levels = levels});
    EntityIndex entities(world.frame());
    Window window(world, entities, ChunkPath::parse("777_777_777_777_777_777").value());
    const ChunkPath before = window.anchor();
    const int level = rng.below(levels);
    const ChunkCoord chunk{rng.in(-40, 40), rng.in(-40, 40), rng.in(-40, 40)};
    if (!world.frame().contains(level, chunk)) continue;
    std::optional<ChunkOfLevel> expected = ChunkOfLevel{level, chunk};
    bool has_left = false;
    for (int move = rng.below(5); move > 0; --move) {
      const ChunkCoord to{rng.in(-20, 20), rng.in(-20, 20), rng.in(-20, 20)};
      const int kind = rng.below(3);
      const auto moved = kind == 0   ? window.descend(to)
                         : kind == 1 ? window.climb()
                                     : window.recenter(to);
      if (!moved.ok()) continue;
      if (!expected.has_value()) continue;
      const auto after = moved->frame_move.chunkAfter(expected->level, expected->chunk);
      has_left = has_left || !after.has_value();
      expected =
          after.has_value()
              ? std::optional(ChunkOfLevel{moved->frame_move.levelAfter(expected->level), *after})
              : std::nullopt;
    }
    const internal::FrameShift shift(world.frame(), before, window.anchor());
    const auto found = shift.chunkAfter(level, chunk);
    // A chunk that has left may be back in the frame.
    if (!has_left) {
      EXPECT_EQ(found, expected) << round;
    }
    const auto path = before.inFrame(chunk, level);
    if (found.has_value() && path.ok()) {
      EXPECT_EQ(*window.path(found->level, found->chunk), *path) << round;
    }
  }
}

TEST(FrameShiftTest, FarMovesLeaveNothing) {
  const Frame frame(3);
  const ChunkPath near = ChunkPath::parse(
                             "000_000_000_000_000_000_000_000_000_000_000_000_000_000"
                             "_000_000_000_000_001")
                             .value();
  const ChunkPath far = ChunkPath::parse(
                            "100_000_000_000_000_000_000_000_000_000_000_000_000_000"
                            "_000_000_000_000_001")
                            .value();
  EXPECT_EQ(internal::FrameShift(frame, near, far).chunkAfter(0, {0, 0, 0}), std::nullopt);
  EXPECT_EQ(internal::FrameShift(frame, far, near).chunkAfter(2, {0, 0, 0}), std::nullopt);
  EXPECT_EQ(internal::FrameShift(frame, near, {}).chunkAfter(0, {0, 0, 0}), std::nullopt);
  EXPECT_EQ(internal::FrameShift(frame, near, near).chunkAfter(2, {5, 0, 0}),
            (ChunkOfLevel{2, {5, 0, 0}}));
}

// The records of a streamer, and the chunks of those that a shift drops.
class StreamRecordsTest : public testing::Test {
 protected:
  void add(int level, const ChunkCoord& chunk) {
    records_.reserve(level);
    records_.insert(level, chunk, std::make_unique<internal::StreamRecord>());
  }
  void follow(const std::string& before, const std::string& after) {
    dropped_.clear();
    const internal::FrameShift shift(frame_, ChunkPath::parse(before).value(),
                                     ChunkPath::parse(after).value());
    records_.follow(frame_, shift,
                    [this](internal::StreamRecord& record) { dropped_.push_back(record.at()); });
  }

  Frame frame_{2};
  internal::StreamRecords records_;
  std::vector<ChunkOfLevel> dropped_;
};

TEST_F(StreamRecordsTest, ChunksAreThoseOfTheFrameAfterEachMove) {
  add(0, {3, 0, 0});
  add(1, {0, 0, 0});
  add(1, {-5, 7, 9});
  for (int round = 0; round < 100; ++round) {
    follow("888_888", "887_888");
    EXPECT_NE(records_.find(0, {3, 0, 16}), nullptr);
    ASSERT_NE(records_.find(1, {-5, 7, 265}), nullptr);
    EXPECT_EQ(records_.find(1, {-5, 7, 265})->at(), (ChunkOfLevel{1, {-5, 7, 265}}));
    EXPECT_EQ(records_.find(1, {-5, 7, 9}), nullptr);
    follow("887_888", "888_888");
    EXPECT_NE(records_.find(1, {-5, 7, 9}), nullptr);
    EXPECT_THAT(dropped_, IsEmpty());
  }
  add(1, {1, 1, 1});
  EXPECT_EQ(records_.size(1), 3U);
}

TEST_F(StreamRecordsTest, ALevelThatBecomesInactiveIsDropped) {
  add(0, {3, 0, 0});
  add(1, {2, 1, 1});
  follow("888", "888_001");
  EXPECT_THAT(dropped_, ElementsAre(ChunkOfLevel{0, {3, 0, 0}}));
  ASSERT_NE(records_.find(0, {2, 1, 0}), nullptr);
  EXPECT_EQ(records_.find(0, {2, 1, 0})->at(), (ChunkOfLevel{0, {2, 1, 0}}));
  EXPECT_EQ(records_.size(0) + records_.size(1), 1U);
  add(1, {9, 9, 9});
  follow("888_001", "888");
  EXPECT_THAT(dropped_, ElementsAre(ChunkOfLevel{1, {9, 9, 9}}));
  EXPECT_NE(records_.find(1, {2, 1, 1}), nullptr);
}

TEST_F(StreamRecordsTest, WhatLeavesTheFrameIsDroppedAndTheRestStays) {
  const std::int64_t edge = (kMaxCoordinate >> frame_.chunkShift(1)) - 1;
  add(1, {edge, 0, 0});
  add(1, {0, 0, 0});
  follow("988_888", "888_888");
  EXPECT_THAT(dropped_, ElementsAre(ChunkOfLevel{1, {edge, 0, 0}}));
  EXPECT_NE(records_.find(1, {256, 0, 0}), nullptr);
  EXPECT_EQ(records_.size(1), 1U);
  add(1, {edge, 0, 0});
  follow("888_888", "988_888");
  EXPECT_THAT(dropped_, IsEmpty());
  EXPECT_NE(records_.find(1, {edge - 256, 0, 0}), nullptr);
}

}  // namespace
}  // namespace fractalray
