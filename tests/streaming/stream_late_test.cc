// SPDX-License-Identifier: Apache-2.0
// Requests that are never answered: they do not keep chunks that are needed more from being
// requested.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "streamer_fixture.h"

namespace fractalray {
namespace {

using StreamLateTest = StreamerTest;

constexpr ChunkOfLevel kFar{0, {40, 0, 0}};

TEST_F(StreamLateTest, AChunkThatIsNeededMoreTakesTheSlotOfOneThatHasTimedOut) {
  keepRequests();
  StreamOptions options = coarse(1);
  options.max_pending = 5;
  options.max_retry_ticks = 1000;
  stream(options);
  ticks(300, kMiddle);
  ASSERT_GE(streamer_->stats().timed_out, 27U) << "each of the chunks around the viewer";
  ASSERT_EQ(streamer_->stats().pending, 5U);
  source_.takeRequested();
  const std::uint64_t timed_out = streamer_->stats().timed_out;
  ASSERT_EQ(streamer_->want({&kFar, 1}).value(), 1U);
  tick(kMiddle);
  EXPECT_THAT(source_.takeRequested(), SizeIs(1));
  EXPECT_TRUE(source_.kept().back().second.isWanted());
  EXPECT_EQ(streamer_->stats().pending, 5U);
  EXPECT_EQ(streamer_->stats().timed_out, timed_out + 1);
  ASSERT_TRUE(source_.kept().back().second.answer(Chunk()).ok());
  tick(kMiddle);
  EXPECT_TRUE(isLoaded(kFar.level, kFar.chunk));
}

TEST_F(StreamLateTest, AChunkThatIsNeededLessDoesNot) {
  keepRequests();
  StreamOptions options = coarse(0);
  options.max_pending = 1;
  options.max_retry_ticks = 1000;
  options.retry_ticks = 1;
  options.want_ticks = 1000;
  stream(options);
  ASSERT_EQ(streamer_->want({&kFar, 1}).value(), 1U);
  ticks(11, kMiddle);
  ASSERT_EQ(streamer_->stats().timed_out, 1U);
  ticks(11, kMiddle);  // the viewer's own chunk times out too
  ASSERT_EQ(streamer_->stats().timed_out, 2U);
  source_.takeRequested();
  ticks(15, kMiddle);
  EXPECT_THAT(source_.takeRequested(), IsEmpty()) << "the chunk that is named holds its slot";
  EXPECT_EQ(state(kFar.level, kFar.chunk), ChunkState::kProto);
  EXPECT_EQ(streamer_->stats().timed_out, 2U);
}

TEST_F(StreamLateTest, AChunkThatIsNeededMoreTakesTheSpaceReservedForOneThatHasTimedOut) {
  stream(coarse(0));
  tick(kMiddle);  // so that the streamer knows how large chunks are
  StreamOptions options = coarse(1);
  options.max_bytes = 3 * world_.chunk(0, {0, 0, 0})->bytes();
  options.max_retry_ticks = 1000;
  ASSERT_TRUE(streamer_->setOptions(options).ok());
  keepRequests();
  ticks(300, kMiddle);
  ASSERT_EQ(streamer_->stats().pending, 2U);
  source_.takeRequested();
  ASSERT_EQ(streamer_->want({&kFar, 1}).value(), 1U);
  tick(kMiddle);
  EXPECT_THAT(source_.takeRequested(), SizeIs(1));
  EXPECT_TRUE(isLoaded(0, {0, 0, 0})) << "what is loaded stays";
}

TEST_F(StreamLateTest, OnlyTimeOutsLengthenTheWaitForAnAnswer) {
  source_.setAnswer([](const std::string&) { return absl::InternalError("disk on fire"); });
  StreamOptions options = coarse(0);
  options.max_retry_ticks = 20;
  stream(options);
  ticks(200, kMiddle);
  ASSERT_GT(streamer_->stats().failed, 8U);
  keepRequests();
  ticks(20, kMiddle);
  ASSERT_EQ(streamer_->stats().pending, 1U);
  ticks(10, kMiddle);
  EXPECT_EQ(streamer_->stats().timed_out, 1U) << "as at first";
}

}  // namespace
}  // namespace fractalray
