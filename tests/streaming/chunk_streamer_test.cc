// SPDX-License-Identifier: Apache-2.0
// The rules of the streamer, one by one: what it loads, in which order, and what it unloads.
// stream_budgets_test.cc has budgets and the memory limit, stream_want_test.cc want(),
// stream_source_test.cc sources that fail, stream_window_test.cc moves of the window,
// streamer_model_test.cc the random comparison with a model.
#include "../../streaming/chunk_streamer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "../../core/thread_executor.h"
#include "../../query/ray_query_service.h"
#include "streamer_fixture.h"

namespace fractalray {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Not;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

TEST_F(StreamerTest, LoadsTheChunksWithinTheLoadRadius) {
  stream(reach(0.5, 0));
  tick(kMiddle);
  // All chunks that share a face with that of the viewer are half a width away.
  EXPECT_EQ(world_.loadedChunks(0), 7U);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
  EXPECT_TRUE(isLoaded(0, {-1, 0, 0}));
  EXPECT_FALSE(isLoaded(0, {-1, -1, 0})) << "half a diagonal away";
  EXPECT_THAT(streamer_->loaded(), SizeIs(7));
  EXPECT_EQ(streamer_->loaded().front(), (ChunkOfLevel{0, {0, 0, 0}})) << "the nearest first";
}

TEST_F(StreamerTest, RequestsAreByPath) {
  stream(reach(0, 0));
  tick(kMiddle);
  EXPECT_THAT(source_.takeRequested(), ElementsAre("888_888"));
  tick(kMiddle);  // the viewer is at a corner of eight fine chunks, one of which is fertile
  EXPECT_THAT(source_.takeRequested(), ElementsAre("888_888_888"));
  EXPECT_TRUE(isLoaded(1, {8, 8, 8}));
}

TEST_F(StreamerTest, ExpandsOnlyFertileBlocks) {
  stream(reach(0, 20));
  ticks(3, kMiddle);
  EXPECT_THAT(source_.takeRequested(),
              ElementsAre("888_888", "888_888_000", "888_888_444", "888_888_888"))
      << "by default all types that are not empty in every channel";
  ASSERT_TRUE(world_.unloadChunk(1, {0, 0, 0}).ok());
  ASSERT_TRUE(world_.unloadChunk(1, {4, 4, 4}).ok());
  StreamOptions options = reach(0, 20);
  options.is_fertile = [](BlockTypeId type) { return type == oracle::kMist || type == kAir; };
  ASSERT_TRUE(streamer_->setOptions(options).ok());
  tick(kMiddle);
  EXPECT_THAT(source_.takeRequested(), AllOf(SizeIs(64), Not(Contains("888_888_000"))))
      << "even air may be fertile; the budget is 64";
  ticks(70, kMiddle);
  EXPECT_EQ(world_.loadedChunks(1), 4096U - 1) << "all blocks but a stone";
  EXPECT_TRUE(isLoaded(1, {8, 8, 8})) << "what is loaded stays";
}

TEST_F(StreamerTest, WalkingToAndFroLoadsNothingTwice) {
  StreamOptions options = reach(0.25, 0);
  options.radii[1] = std::nullopt;
  stream(options);
  for (int i = 0; i < 20; ++i)
    tick({i % 2 == 0 ? 0.2 : 0.5, 0.5, 0.5});  // in and out of the load radius of chunk -1
  EXPECT_THAT(source_.takeRequested(), ElementsAre("888_788", "888_888"));
  EXPECT_EQ(streamer_->stats().unloaded, 0U);
}

TEST_F(StreamerTest, UnloadsWhatIsOutOfTheKeepRadius) {
  stream(reach(0.25, 0));
  tick({0.2, 0.5, 0.5});
  ASSERT_TRUE(isLoaded(0, {-1, 0, 0}));
  tick({0.75, 0.5, 0.5});
  EXPECT_TRUE(isLoaded(0, {-1, 0, 0})) << "as far as the keep radius";
  tick({0.7501, 0.5, 0.5});
  EXPECT_EQ(state(0, {-1, 0, 0}), ChunkState::kAbsent);
  EXPECT_THAT(streamer_->unloaded(), ElementsAre(ChunkOfLevel{0, {-1, 0, 0}}));
  EXPECT_EQ(streamer_->stats().unloaded, 1U);
}

TEST_F(StreamerTest, TheSourceSeesAChunkBeforeItIsUnloaded) {
  stream(reach(0, 0));
  tick(kMiddle);
  ASSERT_TRUE(world_.setBlock(0, {3, 3, 3}, oracle::kGlass).ok());
  std::vector<std::string> stored;
  source_.on_unloading = [&](int level, const ChunkCoord& at, const Chunk& chunk) {
    EXPECT_EQ(chunk.block(indexInChunk({3, 3, 3})), oracle::kGlass);
    stored.push_back(window_.path(level, at)->text());
  };
  tick({3.5, 0.5, 0.5});
  EXPECT_THAT(stored, ElementsAre("888_888"));
}

TEST_F(StreamerTest, NearestFirstInWidthsOfTheirLevelAndCoarserFirst) {
  StreamOptions options = reach(1, 1);
  options.chunks_per_tick = 1;
  stream(options);
  std::vector<std::string> order;
  for (int i = 0; i < 5; ++i) {
    tick({0.53, 0.53, 0.53});
    order.push_back(source_.takeInOrder().at(0));
  }
  // 0 for both; then the fine chunk is out of reach, the coarse neighbours are 0.47 away.
  EXPECT_THAT(order, ElementsAre("888_888", "888_888_888", "888_889", "888_898", "888_988"));
}

TEST_F(StreamerTest, SeveralViewersShareTheirChunks) {
  stream(reach(0.5, 0));
  const std::vector<Vec3i> viewers = {unitsOf(kMiddle), unitsOf({1.5, 0.5, 0.5}),
                                      unitsOf({9.5, 0.5, 0.5}), unitsOf(kMiddle)};
  ASSERT_TRUE(streamer_->tick(viewers).ok());
  EXPECT_EQ(world_.loadedChunks(0), 7U + 5U + 7U);
  EXPECT_EQ(streamer_->stats().requested, 19U) << "each once";
  ASSERT_TRUE(streamer_->tick({}).ok());
  EXPECT_EQ(world_.loadedChunks(0), 0U) << "without viewers nothing is in reach";
}

TEST_F(StreamerTest, LeavesAloneWhatIsOutsideTheRoot) {
  World world({.levels = 2, .block_types = oracle::sceneTypes()});
  EntityIndex entities(world.frame());
  Window window(world, entities, ChunkPath::parse("0f8").value());
  auto streamer = ChunkStreamer::create(window, source_, reach(1, 0)).value();
  const Vec3i at = unitsOf(kMiddle);
  source_.setAnswer([&](const std::string&) { return Chunk(); });
  ASSERT_TRUE(streamer.tick({&at, 1}).ok());
  EXPECT_EQ(world.loadedChunks(0), 2U * 2U * 3U);
  EXPECT_EQ(world.chunkState(0, {-1, 0, 0}), ChunkState::kAbsent);
  EXPECT_EQ(world.chunkState(0, {0, 1, 0}), ChunkState::kAbsent);
}

TEST_F(StreamerTest, LevelsWithoutRadiiAndChunksOfTheEngineAreLeftAlone) {
  StreamOptions options = reach(1, 1);
  options.radii[0] = std::nullopt;
  stream(options);
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, *contentOf("888_888")).ok());
  ASSERT_TRUE(world_.loadChunk(1, {8, 8, 8}, Chunk()).ok());
  ticks(2, kMiddle);
  EXPECT_EQ(world_.loadedChunks(0), 1U);
  EXPECT_THAT(source_.takeRequested(), IsEmpty());
  ticks(2, {0.1, 0.05, 0.05});
  EXPECT_THAT(source_.takeRequested(), ElementsAre("888_888_000"));
  ticks(5, {30, 30, 30});
  EXPECT_FALSE(isLoaded(1, {0, 0, 0}));
  EXPECT_TRUE(isLoaded(0, {0, 0, 0})) << "the engine's own";
  EXPECT_TRUE(isLoaded(1, {8, 8, 8}));
}

TEST_F(StreamerTest, AChunkThatTheEngineUnloadsIsLoadedAgain) {
  stream(reach(0, 0));
  tick(kMiddle);
  ASSERT_TRUE(world_.unloadChunk(0, {0, 0, 0}).ok());
  tick(kMiddle);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
  EXPECT_THAT(source_.takeRequested(), ElementsAre("888_888", "888_888"));
  EXPECT_EQ(streamer_->stats().chunks, 1U);
  EXPECT_EQ(streamer_->stats().bytes, world_.chunk(0, {0, 0, 0})->bytes());
}

TEST_F(StreamerTest, AnIdleTickLeavesTheWorldAlone) {
  stream(reach(1, 1));
  ticks(10, kMiddle);
  const std::uint64_t version = world_.version();
  ticks(10, kMiddle);
  EXPECT_EQ(world_.version(), version);
  EXPECT_EQ(streamer_->stats().ticks, 20U);
  ASSERT_TRUE(world_.setBlock(0, {9, 8, 8}, oracle::kStone).ok());
  tick(kMiddle);
  EXPECT_TRUE(isLoaded(1, {9, 8, 8})) << "an edit makes a block fertile";
}

// Levels are searched by asking the predicate for the types of blocks without a loaded chunk.
TEST_F(StreamerTest, ATickSearchesOnlyWhereSomethingMayBeMissing) {
  int asked = 0;
  StreamOptions options = reach(0.7, 0.7);
  options.is_fertile = [&asked](BlockTypeId type) {
    ++asked;
    return type == oracle::kStone;
  };
  stream(options);
  ticks(10, kMiddle);
  const auto asked_in_tick = [&](const Vec3d& viewer) {
    asked = 0;
    tick(viewer);
    return asked;
  };
  EXPECT_EQ(asked_in_tick(kMiddle + Vec3d{0.0001, 0, 0}), 0) << "a small move";
  EXPECT_GT(asked_in_tick(kMiddle + Vec3d{0.07, 0, 0}), 0) << "more than a fine chunk";
  ticks(10, kMiddle);
  ASSERT_TRUE(world_.setBlock(0, {9, 8, 8}, oracle::kMist).ok());
  EXPECT_GT(asked_in_tick(kMiddle), 0) << "an edit";
  EXPECT_EQ(asked_in_tick(kMiddle + Vec3d{0.0001, 0, 0}), 0);
  ASSERT_TRUE(streamer_->setOptions(options).ok());
  EXPECT_GT(asked_in_tick(kMiddle), 0) << "other options";
}

TEST_F(StreamerTest, ManySmallMovesLoadAndUnloadAsOneLargeMoveDoes) {
  stream(coarse(0.7));
  constexpr int kSteps = 700;
  for (int step = 0; step <= kSteps; ++step) {
    const double x = 0.5 + 3.0 * step / kSteps;
    tick({x, 0.5, 0.5});
    for (std::int64_t chunk = -1; chunk < 6; ++chunk) {
      const double gap =
          std::max({0.0, static_cast<double>(chunk) - x, x - static_cast<double>(chunk) - 1});
      if (gap < 0.699) {
        EXPECT_TRUE(isLoaded(0, {chunk, 0, 0})) << x << " " << chunk;
      } else if (gap > 1.201) {
        EXPECT_FALSE(isLoaded(0, {chunk, 0, 0})) << x << " " << chunk;
      }
    }
  }
}

TEST_F(StreamerTest, RefusesBadOptions) {
  const auto message = [&](const StreamOptions& options) {
    const absl::Status status = ChunkStreamer::create(window_, source_, options).status();
    EXPECT_EQ(status.code(), kInvalid);
    return std::string(status.message());
  };
  EXPECT_THAT(message({}), HasSubstr("radii for 0 levels and the frame has 2"));
  StreamOptions options = reach(1, 1);
  options.radii[1] = StreamRadii{3, 2};
  EXPECT_THAT(message(options), HasSubstr("level 1 are out of order"));
  for (const double bad : {-0.5, 64.5, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    options.radii[1] = StreamRadii{bad, bad};
    EXPECT_THAT(message(options), HasSubstr("each must be from 0 to 64"));
  }
  const std::vector<std::pair<std::string, void (*)(StreamOptions&)>> zeros = {
      {"chunks_per_tick", [](StreamOptions& o) { o.chunks_per_tick = 0; }},
      {"bytes_per_tick", [](StreamOptions& o) { o.bytes_per_tick = 0; }},
      {"max_bytes", [](StreamOptions& o) { o.max_bytes = 0; }},
      {"max_pending", [](StreamOptions& o) { o.max_pending = 0; }},
      {"answer_ticks", [](StreamOptions& o) { o.answer_ticks = 0; }},
      {"retry_ticks", [](StreamOptions& o) { o.retry_ticks = 0; }},
      {"max_retry_ticks", [](StreamOptions& o) { o.max_retry_ticks = 0; }},
      {"want_ticks", [](StreamOptions& o) { o.want_ticks = 0; }},
  };
  for (const auto& [name, set] : zeros) {
    StreamOptions zero = reach(1, 1);
    set(zero);
    EXPECT_THAT(message(zero), HasSubstr(name + " is 0"));
  }
  options = reach(1, 1);
  options.max_retry_ticks = 7;
  EXPECT_THAT(message(options), HasSubstr("at least retry_ticks, which is 8"));
  stream(reach(1, 1));
  EXPECT_EQ(streamer_->setOptions(options).code(), kInvalid);
  EXPECT_EQ(streamer_->options().max_retry_ticks, 4096U) << "unchanged";
}

TEST_F(StreamerTest, RefusesViewersOutsideTheFrameAndTicksInQueries) {
  stream(reach(0, 0));
  const Vec3i far{0, kMaxCoordinate + 1, 0};
  const absl::Status outside = streamer_->tick({&far, 1});
  EXPECT_EQ(outside.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(outside.message()), HasSubstr("viewer 0"));
  const Vec3i edge{kMaxCoordinate, kMaxCoordinate, -kMaxCoordinate};
  EXPECT_TRUE(streamer_->tick({&edge, 1}).ok());
  tick(kMiddle);
  RayQueryService service(world_, windowed_.entities);
  absl::Status nested;
  service.onBlockHit([&](const BlockHit&) {
    nested = streamer_->tick({});
    return HitResponse::kStop;
  });
  ASSERT_TRUE(service.shootSegment({.from = {8, 8, 8}, .to = {250, 250, 250}}).ok());
  EXPECT_EQ(nested.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
}

}  // namespace
}  // namespace fractalray
