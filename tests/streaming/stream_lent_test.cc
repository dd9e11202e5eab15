// SPDX-License-Identifier: Apache-2.0
// Sources that lend their own ids: what they write to them counts, and they learn when they may be
// freed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../query/ray_query_service.h"
#include "streamer_fixture.h"

namespace fractalray {
namespace {

using StreamLentTest = StreamerTest;

TEST_F(StreamLentTest, WhatTheEngineWritesWhileItsAnswerWaitsIsHit) {
  keepRequests();
  const IdLayout layout = IdLayout::make({.id_bytes = 1, .strides = {1, 16, 256}}).value();
  const RayQueryService service(world_, windowed_.entities);
  const int block = indexInChunk({8, 8, 8});
  std::vector<BlockTypeId> ids(kBlocksPerChunk, kAir);
  std::vector<std::uint8_t> narrow(kBlocksPerChunk, 0);
  for (const bool is_narrow : {false, true}) {
    stream(coarse(0));
    tick(kMiddle);
    absl::StatusOr<Chunk> lent =
        is_narrow ? Chunk::borrowed(narrow.data(), layout, world_.blockTypes())
                  : Chunk::borrowed(Chunk::Ids(ids.data(), kBlocksPerChunk), world_.blockTypes());
    ASSERT_TRUE(source_.takeKept("888_888").answer(*std::move(lent)).ok());
    ids[static_cast<std::size_t>(block)] = oracle::kStone;
    narrow[static_cast<std::size_t>(block)] =
        static_cast<std::uint8_t>(BlockTypeTable::index(oracle::kStone));
    tick(kMiddle);
    ASSERT_TRUE(isLoaded(0, {0, 0, 0}));
    const auto hit = service.closestHit(Segment{{10, 136, 136}, {250, 136, 136}});
    ASSERT_TRUE(hit.ok()) << hit.status();
    ASSERT_TRUE(hit->hit.has_value()) << is_narrow;
    EXPECT_EQ(hit->hit->block, (BlockCoord{8, 8, 8}));
    ASSERT_TRUE(world_.unloadChunk(0, {0, 0, 0}).ok());
  }
}

// --- Answers that are accepted and not loaded ---

TEST_F(StreamLentTest, AnAnswerThatIsOutOfReachBeforeItIsLoadedIsDropped) {
  keepRequests();
  stream(coarse(0));
  tick(kMiddle);
  ASSERT_TRUE(source_.takeKept("888_888").answer(Chunk()).ok());
  tick({5.5, 0.5, 0.5});
  EXPECT_THAT(source_.takeDropped(), ElementsAre("888_888"));
  ChunkRequest late = source_.takeKept("888_d88");
  tick(kMiddle);
  EXPECT_FALSE(late.answer(Chunk()).ok());
  ASSERT_TRUE(source_.takeKept("888_888").answer(Chunk()).ok());
  tick(kMiddle);
  ASSERT_TRUE(isLoaded(0, {0, 0, 0}));
  tick({5.5, 0.5, 0.5});
  EXPECT_THAT(source_.takeDropped(), IsEmpty()) << "refused, or loaded and unloaded";
}

TEST_F(StreamLentTest, AnAnswerThatCannotBeLoadedIsDroppedBeforeTheNextRequest) {
  BlockTypeTable others;
  BlockTypeId unknown{};
  for (const char* const name : {"a", "b", "c", "d", "e", "f", "g", "h", "i"})
    unknown = *others.add({.name = name});
  std::vector<std::string> calls;
  source_.setAnswer([&](const std::string& path) -> absl::StatusOr<Chunk> {
    for (const std::string& dropped : source_.takeDropped())
      calls.push_back("dropped " + dropped);
    calls.push_back("request " + path);
    return Chunk::uniform(unknown, others);
  });
  stream(coarse(0));
  ticks(3, kMiddle);
  EXPECT_THAT(calls, ElementsAre("request 888_888", "dropped 888_888", "request 888_888"));
  EXPECT_THAT(source_.takeDropped(), ElementsAre("888_888"));
}

TEST_F(StreamLentTest, AnswersForChunksThatAMoveDropsAreDropped) {
  keepRequests();
  stream(coarse(0));
  tick(kMiddle);
  ASSERT_TRUE(window_.descend({8, 8, 8}).ok());
  ASSERT_TRUE(source_.takeKept("888_888").answer(Chunk()).ok());
  const Vec3i after{};
  ASSERT_TRUE(streamer_->tick({&after, 1}).ok());
  EXPECT_THAT(source_.takeDropped(), ElementsAre("888_888"));
}

TEST_F(StreamLentTest, AnEngineThatLoadsItsOwnDropsTheAnswer) {
  keepRequests();
  stream(coarse(0));
  tick(kMiddle);
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(source_.takeKept("888_888").answer(Chunk()).ok());
  tick(kMiddle);
  EXPECT_THAT(source_.takeDropped(), ElementsAre("888_888"));
}

TEST_F(StreamLentTest, TheEndOfTheStreamerDropsWhatIsNotLoaded) {
  keepRequests();
  stream(coarse(0.5));
  tick(kMiddle);
  ASSERT_TRUE(source_.takeKept("888_888").answer(Chunk()).ok());
  ASSERT_TRUE(source_.takeKept("888_988").answer(absl::InternalError("disk on fire")).ok());
  streamer_.reset();
  EXPECT_THAT(source_.takeDropped(), ElementsAre("888_888")) << "no other was a chunk";
}

// --- Exceptions ---

TEST_F(StreamLentTest, ATickThatEndsWithAnExceptionSaysWhatItHasUnloaded) {
  stream(coarse(0.5));
  tick(kMiddle);
  ASSERT_EQ(streamer_->stats().chunks, 7U);
  int calls = 0;
  source_.on_unloading = [&](int, const ChunkCoord&, const Chunk&) {
    if (++calls == 3) throw std::runtime_error("disk full");
  };
  const Vec3i away = unitsOf({9.5, 0.5, 0.5});
  EXPECT_THROW(streamer_->tick({&away, 1}).IgnoreError(), std::runtime_error);
  EXPECT_THAT(streamer_->unloaded(), SizeIs(2));
  for (const ChunkOfLevel& chunk : streamer_->unloaded())
    EXPECT_FALSE(isLoaded(chunk.level, chunk.chunk));
  EXPECT_EQ(world_.loadedChunks(0), 5U);
  EXPECT_EQ(streamer_->stats().chunks, 5U);
}

}  // namespace
}  // namespace fractalray
