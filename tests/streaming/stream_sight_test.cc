// SPDX-License-Identifier: Apache-2.0
// The loop of docs/streaming.md: a streamer that loads what the rays of a visibility stream find.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

#include "../../streaming/visibility_stream.h"
#include "streamer_fixture.h"

namespace fractalray {
namespace {

class StreamSightTest : public StreamerTest {
 protected:
  // A hall of air, the chunks (0 to 2, 0, 0), in stone.
  absl::StatusOr<Chunk> hallAt(const std::string& path) {
    const bool is_air = path == "888_888" || path == "888_988" || path == "888_a88";
    return is_air ? Chunk() : Chunk::uniform(oracle::kStone, world_.blockTypes());
  }
  void loop(int count, VisibilityStream& sight) {
    for (int i = 0; i < count; ++i) {
      tick(kMiddle);
      ASSERT_TRUE(sight.tick(service_, {.from = unitsOf(kMiddle)}).ok());
      ASSERT_TRUE(streamer_->want(sight.unknown()).ok());
      ASSERT_TRUE(streamer_->want(sight.entered()).ok());
    }
  }

  RayQueryService service_{world_, windowed_.entities};
};

TEST_F(StreamSightTest, WhatIsInSightAndOutOfReachIsLoadedOnceAndStays) {
  source_.setAnswer([this](const std::string& path) { return hallAt(path); });
  StreamOptions options = coarse(0);
  options.want_ticks = 50;
  stream(options);
  VisibilityStream sight =
      VisibilityStream::create(window_, {.rays = 1000, .distance = 4000}).value();
  loop(60, sight);
  const StreamStats before = streamer_->stats();
  EXPECT_EQ(before.chunks, 3U + 4 * 3 + 2) << "the hall and its walls";
  loop(300, sight);
  EXPECT_EQ(streamer_->stats().requested, before.requested);
  EXPECT_EQ(streamer_->stats().unloaded, before.unloaded);
  sight.clear();
  EXPECT_THAT(sight.entered(), IsEmpty());
  ticks(51, kMiddle);
  EXPECT_EQ(streamer_->stats().chunks, 7U) << "nobody looks beyond the keep radius";
}

TEST_F(StreamSightTest, EnteredListsTheLoadedChunksThatRaysHitOrCross) {
  source_.setAnswer([this](const std::string& path) { return hallAt(path); });
  stream(coarse(0));
  VisibilityStream sight =
      VisibilityStream::create(window_, {.rays = 1000, .distance = 4000}).value();
  loop(20, sight);
  std::set<ChunkCoord> entered;
  for (const ChunkOfLevel& chunk : sight.entered()) {
    EXPECT_EQ(chunk.level, 0);
    EXPECT_TRUE(isLoaded(0, chunk.chunk));
    EXPECT_TRUE(entered.insert(chunk.chunk).second) << "each once";
  }
  for (const ChunkCoord& at : {ChunkCoord{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}})
    EXPECT_TRUE(entered.contains(at));
}

}  // namespace
}  // namespace fractalray
