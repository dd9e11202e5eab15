// SPDX-License-Identifier: Apache-2.0
// Memory that runs out in the middle of a tick: the next tick continues, and no chunk is lost.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <new>
#include <string>

#include "../oracle/allocations.h"
#include "streamer_fixture.h"

namespace fractalray {
namespace {

using oracle::AllocationFailure;
using StreamMemoryTest = StreamerTest;

TEST_F(StreamMemoryTest, MemoryThatRunsOutLosesNoChunk) {
  if (!AllocationFailure::isSupported()) GTEST_SKIP() << "operator new cannot be replaced here";
  for (std::size_t n = 0;; ++n) {
    ASSERT_LT(n, 20000U);
    WindowedWorld windowed;
    World& world = windowed.world;
    FakeSource source([this](const std::string& path) { return contentOf(path); });
    StreamOptions options = reach(0.5, 1);
    options.retry_ticks = 1;
    options.max_retry_ticks = 1;
    ChunkStreamer streamer = ChunkStreamer::create(windowed.window, source, options).value();
    const std::array<Vec3i, 4> walk = {unitsOf({0.5, 0.5, 0.5}), unitsOf({0.5, 0.5, 0.5}),
                                       unitsOf({2.5, 0.5, 0.5}), unitsOf({2.5, 0.5, 0.5})};
    bool has_failed = false;
    {
      const AllocationFailure failure(n, AllocationFailure::Extent::kOne);
      for (const Vec3i& at : walk) {
        try {
          streamer.tick({&at, 1}).IgnoreError();
        } catch (const std::bad_alloc&) {
        }
      }
      has_failed = failure.hasFailed();
    }
    for (int i = 0; i < 8; ++i)
      ASSERT_TRUE(streamer.tick({&walk[3], 1}).ok());
    EXPECT_EQ(world.loadedChunks(0), 7U) << n;
    EXPECT_EQ(world.loadedChunks(1), 1U) << n;
    EXPECT_EQ(world.protoChunks(0) + world.protoChunks(1), 0U) << n;
    EXPECT_EQ(streamer.stats().chunks, 8U) << n;
    if (!has_failed || testing::Test::HasFailure()) break;
  }
}

// A snapshot is held, so that even to remove a placeholder takes memory.
TEST_F(StreamMemoryTest, WhatDoesNotExistIsNotLeftProto) {
  if (!AllocationFailure::isSupported()) GTEST_SKIP() << "operator new cannot be replaced here";
  keepRequests();
  for (std::size_t n = 0;; ++n) {
    ASSERT_LT(n, 1000U);
    stream(coarse(0));
    tick(kMiddle);
    ASSERT_EQ(state(0, {0, 0, 0}), ChunkState::kProto);
    ASSERT_TRUE(source_.takeKept("888_888").answer(absl::NotFoundError("beyond the map")).ok());
    const auto snapshot = world_.snapshot();
    bool has_failed = false;
    {
      const AllocationFailure failure(n, AllocationFailure::Extent::kOne);
      const Vec3i at = unitsOf(kMiddle);
      try {
        streamer_->tick({&at, 1}).IgnoreError();
      } catch (const std::bad_alloc&) {
      }
      has_failed = failure.hasFailed();
    }
    ticks(2, kMiddle);
    EXPECT_EQ(state(0, {0, 0, 0}), ChunkState::kAbsent) << n;
    EXPECT_EQ(streamer_->error(0, {0, 0, 0}).code(), absl::StatusCode::kNotFound) << n;
    EXPECT_EQ(streamer_->stats().pending, 0U) << n;
    if (!has_failed || testing::Test::HasFailure()) break;
  }
}

}  // namespace
}  // namespace fractalray
