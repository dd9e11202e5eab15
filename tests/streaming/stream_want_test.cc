// SPDX-License-Identifier: Apache-2.0
// The chunks that want() names, on a line or one by one: they come first, for a while.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "streamer_fixture.h"

namespace fractalray {
namespace {

using StreamWantTest = StreamerTest;

// The segment through the chunks (0 to 4, 0, 0) of level 0, in finest-block widths.
constexpr Segment kAlong{{10, 136, 136}, {5 * 256 - 10, 136, 136}};

TEST_F(StreamWantTest, WantNamesTheMissingChunksOnALineNearestFirst) {
  stream(coarse(0));
  tick(kMiddle);
  const auto named = streamer_->want(kAlong, LevelMask{0}, 3);
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_THAT(*named, ElementsAre(ChunkOfLevel{0, {1, 0, 0}}, ChunkOfLevel{0, {2, 0, 0}},
                                  ChunkOfLevel{0, {3, 0, 0}}));
  EXPECT_FALSE(isLoaded(0, {1, 0, 0})) << "only tick loads";
  tick(kMiddle);
  EXPECT_THAT(streamer_->loaded(),
              ElementsAre(ChunkOfLevel{0, {1, 0, 0}}, ChunkOfLevel{0, {2, 0, 0}},
                          ChunkOfLevel{0, {3, 0, 0}}));
  tick(kMiddle);
  EXPECT_TRUE(isLoaded(0, {3, 0, 0})) << "kept out of reach";
}

TEST_F(StreamWantTest, WantedChunksAreKeptForAWhileAndComeFirst) {
  StreamOptions options = coarse(0.5);
  options.want_ticks = 5;
  options.chunks_per_tick = 1;
  stream(options);
  const ChunkOfLevel far{0, {0, 40, 0}};
  EXPECT_EQ(streamer_->want({&far, 1}).value(), 1U);
  tick(kMiddle);
  EXPECT_TRUE(isLoaded(0, {0, 40, 0})) << "before what is merely near";
  ticks(4, kMiddle);
  EXPECT_TRUE(isLoaded(0, {0, 40, 0}));
  tick(kMiddle);
  EXPECT_FALSE(isLoaded(0, {0, 40, 0}));
}

TEST_F(StreamWantTest, AWantedChunkIsDroppedInTimeAlsoIfNothingElseChanges) {
  StreamOptions options = coarse(0);
  options.want_ticks = 5;
  stream(options);
  const ChunkOfLevel far{0, {0, 40, 0}};
  ASSERT_EQ(streamer_->want({&far, 1}).value(), 1U);
  ticks(5, kMiddle);
  EXPECT_TRUE(isLoaded(0, {0, 40, 0}));
  tick(kMiddle);
  EXPECT_FALSE(isLoaded(0, {0, 40, 0}));
}

TEST_F(StreamWantTest, WhatIsWantedInEveryTickIsNotUnloaded) {
  StreamOptions options = reach(0, 0);
  options.want_ticks = 5;
  stream(options);
  const Vec3d viewer{0.9, 0.1, 0.9};
  const ChunkOfLevel far{1, {16 * 40 + 8, 8, 8}};  // in the chunk (40, 0, 0) of level 0
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(streamer_->want({&far, 1}).ok());
    ASSERT_TRUE(streamer_->want(kAlong, LevelMask::all(), 100).ok());
    tick(viewer);
  }
  EXPECT_TRUE(isLoaded(0, {40, 0, 0}));
  EXPECT_TRUE(isLoaded(1, far.chunk));
  for (std::int64_t i = 0; i < 5; ++i) {
    EXPECT_TRUE(isLoaded(0, {i, 0, 0})) << i;
    EXPECT_TRUE(isLoaded(1, {16 * i + 8, 8, 8})) << i;
  }
  EXPECT_EQ(streamer_->stats().unloaded, 0U);
  EXPECT_EQ(streamer_->stats().requested, 12U) << "each once";
  ticks(5, viewer);
  EXPECT_EQ(streamer_->stats().chunks, 2U) << "the viewer's own, and one within the keep radius";
}

TEST_F(StreamWantTest, AWantedChunkIsKeptAlsoIfItWasLoadedInReach) {
  StreamOptions options = coarse(0);
  options.want_ticks = 5;
  stream(options);
  const ChunkOfLevel first{0, {0, 0, 0}};
  tick(kMiddle);
  for (int i = 1; i < 50; ++i) {
    tick({0.5 + 0.05 * i, 0.5, 0.5});
    EXPECT_TRUE(isLoaded(0, {0, 0, 0})) << i;
    EXPECT_EQ(streamer_->want({&first, 1}).value(), 0U);
  }
  ticks(6, {3, 0.5, 0.5});
  EXPECT_FALSE(isLoaded(0, {0, 0, 0}));
}

TEST_F(StreamWantTest, AWantedChunkNearAViewerIsKeptIfTheViewerJumps) {
  StreamOptions options = coarse(1);
  options.want_ticks = 5;
  stream(options);
  const ChunkOfLevel near{0, {0, 0, 0}};
  const Vec3d far{40.5, 0.5, 0.5};
  tick(kMiddle);
  ASSERT_TRUE(isLoaded(0, {0, 0, 0}));
  ASSERT_TRUE(isLoaded(0, {1, 0, 0}));
  EXPECT_EQ(streamer_->want({&near, 1}).value(), 0U);
  ticks(5, far);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
  EXPECT_FALSE(isLoaded(0, {1, 0, 0})) << "nobody wants it";
  tick(far);
  EXPECT_FALSE(isLoaded(0, {0, 0, 0}));
}

TEST_F(StreamWantTest, AWantedChunkThatTheEngineUnloadsIsLoadedAgain) {
  stream(coarse(0));
  const ChunkOfLevel far{0, {0, 40, 0}};
  ASSERT_EQ(streamer_->want({&far, 1}).value(), 1U);
  for (const bool names_it_again : {false, true}) {
    tick(kMiddle);
    ASSERT_TRUE(isLoaded(0, {0, 40, 0}));
    ASSERT_TRUE(world_.unloadChunk(0, {0, 40, 0}).ok());
    if (names_it_again) {
      EXPECT_EQ(streamer_->want({&far, 1}).value(), 1U);
    }
    tick(kMiddle);
    EXPECT_TRUE(isLoaded(0, {0, 40, 0})) << names_it_again;
    EXPECT_EQ(streamer_->stats().chunks, 2U);
    EXPECT_EQ(streamer_->stats().bytes,
              world_.chunk(0, {0, 0, 0})->bytes() + world_.chunk(0, {0, 40, 0})->bytes());
  }
}

TEST_F(StreamWantTest, AWantedChunkThatTheEngineUnloadsIsNotLoadedIfItsLevelIsNoLongerStreamed) {
  stream(coarse(0));
  const ChunkOfLevel far{0, {0, 40, 0}};
  ASSERT_EQ(streamer_->want({&far, 1}).value(), 1U);
  tick(kMiddle);
  StreamOptions options = coarse(0);
  options.radii[0] = std::nullopt;
  ASSERT_TRUE(streamer_->setOptions(options).ok());
  ASSERT_TRUE(world_.unloadChunk(0, {0, 40, 0}).ok());
  ticks(2, kMiddle);
  EXPECT_EQ(world_.loadedChunks(0), 0U);
}

TEST_F(StreamWantTest, WantFindsFinerChunksInLoadedFertileBlocks) {
  StreamOptions options = reach(0, 0);
  options.is_fertile = [](BlockTypeId type) { return type == oracle::kStone; };
  stream(options);
  const Vec3d viewer{0.9, 0.1, 0.9};
  tick(viewer);
  const auto named = streamer_->want(kAlong, LevelMask{1}, 10);
  ASSERT_TRUE(named.ok());
  // Through the stone [8, 8, 8] of the loaded chunk; the coarse ones first of all.
  EXPECT_THAT(*named, ElementsAre(ChunkOfLevel{1, {8, 8, 8}}, ChunkOfLevel{0, {1, 0, 0}},
                                  ChunkOfLevel{0, {2, 0, 0}}, ChunkOfLevel{0, {3, 0, 0}},
                                  ChunkOfLevel{0, {4, 0, 0}}));
  tick(viewer);
  EXPECT_THAT(*streamer_->want(kAlong, LevelMask::all(), 2),
              ElementsAre(ChunkOfLevel{1, {24, 8, 8}}, ChunkOfLevel{1, {40, 8, 8}}));
}

TEST_F(StreamWantTest, WantNamesTheCoarsestMissingAncestor) {
  stream(reach(0, 0));
  const std::vector<ChunkOfLevel> wanted = {
      {1, {16 * 7 + 8, 8, 8}}, {1, {16 * 7 + 9, 8, 8}}, {0, {-0x1000, 0, 0}}};
  EXPECT_EQ(streamer_->want(wanted).value(), 2U) << "the last is outside the root";
  tick(kMiddle);
  EXPECT_TRUE(isLoaded(0, {7, 0, 0}));
  EXPECT_EQ(streamer_->want(wanted).value(), 1U) << "9 is air";
  tick(kMiddle);
  EXPECT_TRUE(isLoaded(1, {16 * 7 + 8, 8, 8}));
  EXPECT_EQ(streamer_->want(wanted).value(), 0U);
}

TEST_F(StreamWantTest, WantRefusesBadInput) {
  stream(reach(0, 0));
  EXPECT_THAT(std::string(streamer_->want(kAlong, LevelMask{0}, 0).status().message()),
              HasSubstr("limit is 0"));
  EXPECT_EQ(streamer_->want(kAlong, LevelMask{7}, 1).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(streamer_->want(Segment{{0, 0, 0}, {1e300, 0, 0}}, LevelMask{0}, 1).status().code(),
            absl::StatusCode::kOutOfRange);
  const ChunkOfLevel bad{2, {0, 0, 0}};
  EXPECT_THAT(std::string(streamer_->want({&bad, 1}).status().message()),
              HasSubstr("level 2 is not active"));
}

TEST_F(StreamWantTest, WantEndsWithTheRootHoweverLongTheLine) {
  stream(reach(0, 0));
  const double far = 35184372088832.0;  // 2^45
  const auto named =
      streamer_->want(Segment{{-far, 136, 136}, {far, 136, 136}}, LevelMask{0}, 1000);
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_THAT(*named, SizeIs(256));
  EXPECT_EQ(named->front(), (ChunkOfLevel{0, {-0x88, 0, 0}}));
  EXPECT_THAT(*streamer_->want(Segment{{far, 0, far}, {far, far, far}}, LevelMask{0}, 1000),
              IsEmpty());
}

}  // namespace
}  // namespace fractalray
