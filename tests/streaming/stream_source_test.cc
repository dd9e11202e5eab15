// SPDX-License-Identifier: Apache-2.0
// Sources that answer late, out of order, twice, with errors or not at all, that throw, or run on
// many threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../core/thread_executor.h"
#include "streamer_fixture.h"

namespace fractalray {
namespace {

class StreamSourceTest : public StreamerTest {
 protected:
  // Ticks until a request is made; returns the number of ticks.
  int ticksToNextRequest() {
    source_.takeRequested();
    for (int i = 1; i < 100; ++i) {
      tick(kMiddle);
      if (!source_.takeRequested().empty()) return i;
    }
    return -1;
  }
};

TEST_F(StreamSourceTest, AChunkIsProtoUntilItsAnswerArrives) {
  keepRequests();
  stream(coarse(0));
  ticks(3, kMiddle);
  EXPECT_EQ(state(0, {0, 0, 0}), ChunkState::kProto);
  EXPECT_EQ(streamer_->stats().pending, 1U);
  EXPECT_THAT(source_.takeRequested(), SizeIs(1)) << "requested once";
  ASSERT_TRUE(source_.takeKept("888_888").answer(contentOf("888_888")).ok());
  EXPECT_EQ(state(0, {0, 0, 0}), ChunkState::kProto) << "only tick changes the world";
  tick(kMiddle);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
  EXPECT_EQ(streamer_->stats().pending, 0U);
}

TEST_F(StreamSourceTest, ALateAnswerLetsTheFinerChunksBeRequested) {
  keepRequests();
  stream(reach(0, 0));
  ticks(3, kMiddle);
  ASSERT_TRUE(source_.takeKept("888_888").answer(contentOf("888_888")).ok());
  ticks(2, kMiddle);
  ASSERT_TRUE(source_.takeKept("888_888_888").answer(Chunk()).ok());
  tick(kMiddle);
  EXPECT_TRUE(isLoaded(1, {8, 8, 8}));
}

TEST_F(StreamSourceTest, LateAnswersAreLoadedInTheOrderOfNeedNotOfArrival) {
  keepRequests();
  StreamOptions options = coarse(0.5);
  options.bytes_per_tick = 1;
  stream(options);
  tick({0.4, 0.45, 0.5});
  for (const char* const path : {"888_889", "888_788", "888_888"})
    ASSERT_TRUE(source_.takeKept(path).answer(contentOf(path)).ok());
  std::vector<ChunkOfLevel> order;
  for (int i = 0; i < 3; ++i) {
    tick({0.4, 0.45, 0.5});
    order.insert(order.end(), streamer_->loaded().begin(), streamer_->loaded().end());
  }
  EXPECT_THAT(order, ElementsAre(ChunkOfLevel{0, {0, 0, 0}}, ChunkOfLevel{0, {-1, 0, 0}},
                                 ChunkOfLevel{0, {0, 0, 1}}));
}

TEST_F(StreamSourceTest, AnswersThatComeTwiceOrTooLateAreRefused) {
  keepRequests();
  stream(coarse(0));
  tick(kMiddle);
  ChunkRequest request = source_.takeKept("888_888");
  EXPECT_TRUE(request.isWanted());
  ASSERT_TRUE(request.answer(contentOf("888_888")).ok());
  EXPECT_FALSE(request.isWanted());
  EXPECT_EQ(request.answer(Chunk()).code(), absl::StatusCode::kFailedPrecondition);
  tick(kMiddle);
  EXPECT_EQ(world_.block(0, {8, 8, 8}).value(), oracle::kStone) << "the first answer counts";

  tick({5.5, 0.5, 0.5});
  ChunkRequest late = source_.takeKept("888_d88");
  tick({9.5, 0.5, 0.5});
  EXPECT_FALSE(late.isWanted());
  EXPECT_EQ(state(0, {5, 0, 0}), ChunkState::kAbsent);
  EXPECT_EQ(late.answer(Chunk()).code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(streamer_->stats().cancelled, 1U);

  ChunkRequest orphan = source_.takeKept("988_188");
  EXPECT_EQ(orphan.path().text(), "988_188");
  streamer_.reset();
  EXPECT_EQ(orphan.answer(Chunk()).code(), absl::StatusCode::kCancelled);
}

TEST_F(StreamSourceTest, WhatDoesNotExistIsNotRequestedAgain) {
  source_.setAnswer([](const std::string&) { return absl::NotFoundError("beyond the map"); });
  stream(coarse(0));
  ticks(50, kMiddle);
  EXPECT_THAT(source_.takeRequested(), SizeIs(1));
  EXPECT_EQ(state(0, {0, 0, 0}), ChunkState::kAbsent);
  EXPECT_EQ(streamer_->error(0, {0, 0, 0}).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(streamer_->stats().nonexistent, 1U);
  EXPECT_EQ(streamer_->stats().failed, 0U);
  tick({5.5, 0.5, 0.5});
  tick(kMiddle);
  EXPECT_THAT(source_.takeRequested(), SizeIs(2)) << "out of reach it is forgotten";
}

TEST_F(StreamSourceTest, WhatDoesNotExistIsRequestedAgainAfterAShortWayOutOfReach) {
  source_.setAnswer([this](const std::string& path) -> absl::StatusOr<Chunk> {
    if (path == "888_788") return absl::NotFoundError("beyond the map");
    return contentOf(path);
  });
  StreamOptions options = coarse(0.25);
  options.radii[0] = StreamRadii{0.25, 0.25};
  stream(options);
  ticks(3, {0.2, 0.5, 0.5});
  tick({0.3, 0.5, 0.5});
  EXPECT_TRUE(streamer_->error(0, {-1, 0, 0}).ok()) << "out of reach";
  source_.takeRequested();
  tick({0.2, 0.5, 0.5});
  EXPECT_THAT(source_.takeRequested(), ElementsAre("888_788"));
  EXPECT_EQ(streamer_->error(0, {-1, 0, 0}).code(), absl::StatusCode::kNotFound);
}

TEST_F(StreamSourceTest, FailuresKeepTheChunkProtoAndAreRetriedAfterGrowingDelays) {
  source_.setAnswer([](const std::string&) { return absl::InternalError("disk on fire"); });
  stream(coarse(0));
  tick(kMiddle);
  EXPECT_EQ(state(0, {0, 0, 0}), ChunkState::kProto);
  const absl::Status error = streamer_->error(0, {0, 0, 0});
  EXPECT_EQ(error.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(
      std::string(error.message()),
      HasSubstr("chunk [0, 0, 0] of level 0 could not be loaded (failure 1): disk on fire"));
  EXPECT_EQ(ticksToNextRequest(), 2);
  EXPECT_EQ(ticksToNextRequest(), 4);
  EXPECT_EQ(ticksToNextRequest(), 6) << "the maximum";
  EXPECT_EQ(ticksToNextRequest(), 6);
  EXPECT_EQ(streamer_->stats().failed, 5U);
  EXPECT_EQ(streamer_->stats().failing, 1U);
  source_.setAnswer([this](const std::string& path) { return contentOf(path); });
  EXPECT_EQ(ticksToNextRequest(), 6);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
  EXPECT_TRUE(streamer_->error(0, {0, 0, 0}).ok());
  EXPECT_EQ(streamer_->stats().failing, 0U);
}

TEST_F(StreamSourceTest, ExceptionsDroppedRequestsAndBadChunksAreFailures) {
  stream(coarse(0));
  const auto error_of = [&](FakeSource::Answer answer, const Vec3d& viewer, const ChunkCoord& at) {
    source_.setAnswer(std::move(answer));
    tick(viewer);
    EXPECT_EQ(state(0, at), ChunkState::kProto);
    return streamer_->error(0, at);
  };
  EXPECT_THAT(std::string(error_of(
                              [](const std::string&) -> std::optional<absl::StatusOr<Chunk>> {
                                throw std::runtime_error("no such shard");
                              },
                              kMiddle, {0, 0, 0})
                              .message()),
              HasSubstr("the source has thrown: no such shard"));
  EXPECT_EQ(error_of([](const std::string&)
                         -> std::optional<absl::StatusOr<Chunk>> { throw std::bad_alloc(); },
                     {3.5, 0.5, 0.5}, {3, 0, 0})
                .code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(
      std::string(
          error_of([](const std::string&) -> std::optional<absl::StatusOr<Chunk>> { throw 7; },
                   {6.5, 0.5, 0.5}, {6, 0, 0})
              .message()),
      HasSubstr("the source has thrown"));
  BlockTypeTable others;
  BlockTypeId unknown{};
  for (const char* const name : {"a", "b", "c", "d", "e", "f", "g", "h", "i"})
    unknown = *others.add({.name = name});
  EXPECT_THAT(
      std::string(error_of([&](const std::string&) { return Chunk::uniform(unknown, others); },
                           {9.5, 0.5, 0.5}, {9, 0, 0})
                      .message()),
      HasSubstr("has type 9; the table ends at 8"));
  keepRequests();
  tick({12.5, 0.5, 0.5});
  source_.kept().clear();
  tick({12.5, 0.5, 0.5});
  EXPECT_THAT(std::string(streamer_->error(0, {12, 0, 0}).message()),
              HasSubstr("dropped the request unanswered"));
}

TEST_F(StreamSourceTest, ARequestWithoutAnAnswerTimesOutLaterEachTime) {
  keepRequests();
  StreamOptions options = coarse(0);
  options.max_retry_ticks = 30;
  stream(options);
  tick(kMiddle);
  EXPECT_EQ(ticksToNextRequest(), 10 + 2);
  EXPECT_EQ(streamer_->error(0, {0, 0, 0}).code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(ticksToNextRequest(), 20 + 4);
  EXPECT_EQ(ticksToNextRequest(), 30 + 8) << "the maximum";
  EXPECT_EQ(streamer_->stats().timed_out, 3U);
  EXPECT_EQ(source_.takeKept("888_888").answer(Chunk()).code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(source_.takeKept("888_888").answer(Chunk()).code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(source_.takeKept("888_888").answer(Chunk()).code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(source_.takeKept("888_888").answer(Chunk()).ok()) << "the last one is wanted";
  tick(kMiddle);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
}

TEST_F(StreamSourceTest, TheLargestNumberOfTicksIsForEver) {
  constexpr auto kForEver = std::numeric_limits<std::uint64_t>::max();
  keepRequests();
  StreamOptions options = coarse(0);
  options.answer_ticks = options.want_ticks = kForEver;
  options.retry_ticks = options.max_retry_ticks = kForEver;
  stream(options);
  const ChunkOfLevel far_away{0, {5, 0, 0}};
  ASSERT_EQ(streamer_->want({&far_away, 1}).value(), 1U);
  ticks(20, kMiddle);
  EXPECT_EQ(streamer_->stats().pending, 2U) << "none has timed out, and both are wanted";
  ASSERT_TRUE(source_.takeKept("888_888").answer(absl::InternalError("disk on fire")).ok());
  ticks(20, kMiddle);
  EXPECT_EQ(streamer_->stats().requested, 2U) << "not requested again";
  EXPECT_EQ(streamer_->stats().failing, 1U);
}

TEST_F(StreamSourceTest, ALongTimeForAnAnswerStaysLongAfterFailures) {
  source_.setAnswer([](const std::string&) { return absl::InternalError("disk on fire"); });
  StreamOptions options = coarse(0);
  options.answer_ticks = std::uint64_t{1} << 60;
  stream(options);
  ticks(100, kMiddle);
  ASSERT_GT(streamer_->stats().failed, 4U);
  keepRequests();
  ticks(100, kMiddle);
  EXPECT_EQ(streamer_->stats().pending, 1U);
  EXPECT_EQ(streamer_->stats().timed_out, 0U);
}

TEST_F(StreamSourceTest, PendingRequestsAreBounded) {
  keepRequests();
  StreamOptions options = coarse(1);
  options.max_pending = 5;
  stream(options);
  ticks(5, kMiddle);
  EXPECT_THAT(source_.takeRequested(), SizeIs(5));
  EXPECT_EQ(world_.protoChunks(0), 5U);
  ASSERT_TRUE(source_.kept()[2].second.answer(Chunk()).ok());
  tick(kMiddle);
  tick(kMiddle);
  EXPECT_THAT(source_.takeRequested(), SizeIs(1));
}

TEST_F(StreamSourceTest, AnEngineThatLoadsAPendingChunkItselfKeepsItsOwn) {
  keepRequests();
  stream(coarse(0));
  tick(kMiddle);
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(source_.kept()[0].second.answer(contentOf("888_888")).ok());
  tick(kMiddle);
  EXPECT_TRUE(world_.chunk(0, {0, 0, 0})->isEmpty());
  EXPECT_EQ(streamer_->stats().chunks, 0U);
}

TEST_F(StreamSourceTest, AnExceptionOfUnloadingKeepsTheChunk) {
  stream(coarse(0));
  tick(kMiddle);
  source_.on_unloading = [](int, const ChunkCoord&, const Chunk&) {
    throw std::runtime_error("disk full");
  };
  const Vec3i away = unitsOf({5.5, 0.5, 0.5});
  EXPECT_THROW(streamer_->tick({&away, 1}).IgnoreError(), std::runtime_error);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
  EXPECT_EQ(streamer_->stats().chunks, 1U);
  source_.on_unloading = nullptr;
  ticks(2, {5.5, 0.5, 0.5});
  EXPECT_FALSE(isLoaded(0, {0, 0, 0}));
  EXPECT_TRUE(isLoaded(0, {5, 0, 0}));
}

TEST_F(StreamSourceTest, ASourceThatTicksIsRefused) {
  absl::Status nested;
  stream(coarse(0));
  source_.setAnswer([&](const std::string&) {
    nested = streamer_->tick({});
    return Chunk();
  });
  tick(kMiddle);
  EXPECT_EQ(nested.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
}

// Returns the chunks that each tick loads, on a walk with a source of which some requests fail.
std::vector<std::vector<ChunkOfLevel>> walkWith(ParallelFor parallel_for) {
  WindowedWorld windowed;
  FakeSource source([&](const std::string& path) -> std::optional<absl::StatusOr<Chunk>> {
    oracle::Rng rng(path);
    if (rng.oneIn(5)) throw std::runtime_error(path);
    if (rng.oneIn(5)) return absl::NotFoundError(path);
    return Chunk::uniform(oracle::kStone, windowed.world.blockTypes());
  });
  StreamOptions options{.radii = {StreamRadii{1.5, 2}, StreamRadii{2, 3}}};
  options.max_bytes = 60 * Chunk().bytes();
  ChunkStreamer streamer = ChunkStreamer::create(windowed.window, source, options).value();
  std::vector<std::vector<ChunkOfLevel>> loaded;
  for (std::int64_t i = 0; i < 60; ++i) {
    const Vec3i viewer{i * 3000000, i * 1000000, 0};
    EXPECT_TRUE(streamer.tick({&viewer, 1}, parallel_for).ok());
    loaded.emplace_back(streamer.loaded().begin(), streamer.loaded().end());
  }
  EXPECT_GT(streamer.stats().evicted, 0U);
  EXPECT_GT(streamer.stats().failed, 0U);
  return loaded;
}

TEST(StreamExecutorTest, TheOutcomeDoesNotDependOnThreads) {
  const auto serial = walkWith(runSerially);
  const ThreadExecutor threads(3);
  EXPECT_EQ(walkWith(threads), serial);
  const auto backwards = [](std::size_t tasks, absl::FunctionRef<void(std::size_t)> task) {
    for (std::size_t i = tasks; i > 0; --i)
      task(i - 1);
  };
  EXPECT_EQ(walkWith(backwards), serial);
}

TEST_F(StreamSourceTest, AnswersMayArriveFromAnyThreadAtAnyTime) {
  keepRequests();
  stream(coarse(3));
  std::vector<std::thread> threads;
  for (int i = 0; i < 30; ++i) {
    tick({0.5 + 0.3 * i, 0.5, 0.5});
    threads.emplace_back([kept = std::exchange(source_.kept(), {})]() mutable {
      for (auto& [path, request] : kept) {
        if (request.isWanted()) request.answer(Chunk()).IgnoreError();
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  source_.setAnswer([](const std::string&) { return Chunk(); });
  ticks(30, {9.2, 0.5, 0.5});
  EXPECT_EQ(streamer_->stats().chunks, world_.loadedChunks(0));
  EXPECT_TRUE(isLoaded(0, {9, 0, 0}));
}

TEST_F(StreamSourceTest, AParallelForThatThrowsLosesNoChunk) {
  stream(coarse(0.5));
  const Vec3i at = unitsOf(kMiddle);
  const auto failing = [](std::size_t, absl::FunctionRef<void(std::size_t)> task) {
    task(2);
    throw std::runtime_error("no threads");
  };
  EXPECT_THROW(streamer_->tick({&at, 1}, failing).IgnoreError(), std::runtime_error);
  ticks(10, kMiddle);
  EXPECT_EQ(world_.loadedChunks(0), 7U);
}

}  // namespace
}  // namespace fractalray
