// SPDX-License-Identifier: Apache-2.0
// Clients that do not do their part: others are served.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "door.h"
#include "raw_client.h"

namespace fractalray::testing {
namespace {

using std::chrono::milliseconds;

TEST(FailureTest, AClientThatNeverReadsIsDropped) {
  const SmallWorld world;
  TestSource source(world.get());
  serve::ServeOptions options;
  options.limits.stall_time = milliseconds(300);
  const Door door(source, options);
  // Answers of 168 bytes a line: more than the buffers of two sockets hold.
  const std::string call = frameOf(wire::kClosestHits, bodyOfLines(60'000));
  RawClient greedy(door.address());
  ASSERT_TRUE(greedy.sayHello());
  ASSERT_TRUE(greedy.send(call));
  Client other(door.address());
  FloorCall floor(100);
  while (door.metric("refused_total{reason=\"too_slow\"}") < 1) {
    ASSERT_EQ(floor.ask(other.get()), FR_OK) << frGetLastError();
  }
  EXPECT_TRUE(door.reaches("connections", 1));
  EXPECT_EQ(door.metric("connections"), 1) << "that of the other client";
  EXPECT_EQ(door.metric("memory_bytes"), 0);
}

// Sends calls without reading: the server reads no more than one, so both sides would wait for
// ever.
TEST(FailureTest, AClientThatOnlyWritesIsDropped) {
  const SmallWorld world;
  TestSource source(world.get());
  serve::ServeOptions options;
  options.limits.stall_time = milliseconds(300);
  const Door door(source, options);
  const std::string call = frameOf(wire::kClosestHits, bodyOfLines(60'000));
  RawClient greedy(door.tcpAddress());
  ASSERT_TRUE(greedy.sayHello());
  int sent = 0;
  while (sent < 20 && greedy.send(call))
    ++sent;
  EXPECT_LT(sent, 20);
  EXPECT_GE(door.metric("refused_total{reason=\"too_slow\"}"), 1);
}

TEST(FailureTest, AClientThatSendsHalfAFrameIsDropped) {
  const SmallWorld world;
  TestSource source(world.get());
  serve::ServeOptions options;
  options.limits.frame_time = milliseconds(300);
  const Door door(source, options);
  const std::string call = frameOf(wire::kClosestHits, bodyOfLines(10));
  for (const std::size_t bytes : {std::size_t{1}, sizeof(wire::FrameHead), call.size() - 1}) {
    RawClient slow(door.address());
    ASSERT_TRUE(slow.sayHello());
    ASSERT_TRUE(slow.send(call.substr(0, bytes)));
    EXPECT_EQ(slow.receiveAll(), "") << bytes;
  }
  RawClient silent(door.address());  // says not even hello
  EXPECT_EQ(silent.receiveAll(), "");
  EXPECT_GE(door.metric("refused_total{reason=\"too_slow\"}"), 4);
  EXPECT_EQ(door.metric("memory_bytes"), 0);
}

// Bytes that are read now and then are progress, but an answer has a time as a whole.
TEST(FailureTest, AClientThatReadsTooSlowlyIsDropped) {
  const SmallWorld world;
  TestSource source(world.get());
  serve::ServeOptions options;
  options.limits.answer_time = milliseconds(500);
  options.limits.stall_time = milliseconds(600'000);
  const Door door(source, options);
  RawClient slow(door.address());
  ASSERT_TRUE(slow.sayHello());
  ASSERT_TRUE(slow.send(frameOf(wire::kClosestHits, bodyOfLines(60'000))));
  constexpr std::size_t kHalf = 5'000'000;  // of the answer
  constexpr std::size_t kPart = 4096;
  std::size_t bytes = 0;
  for (std::size_t received = kPart; received == kPart && bytes < kHalf; bytes += received) {
    std::this_thread::sleep_for(milliseconds(10));
    received = slow.receive(kPart).size();
  }
  EXPECT_LT(bytes, kHalf);
  EXPECT_EQ(door.metric("refused_total{reason=\"too_slow\"}"), 1);
  EXPECT_EQ(door.metric("memory_bytes"), 0);
}

// Asks until the server has memory, for at most ten seconds; calls `meanwhile` before each time.
frResult askWhileRefused(
    Client& client, FloorCall& call, const std::function<void()>& meanwhile = [] {}) {
  frResult result = FR_RESOURCE_EXHAUSTED;
  for (int i = 0; i < 1000 && result == FR_RESOURCE_EXHAUSTED; ++i) {
    meanwhile();
    result = call.ask(client.get());
    std::this_thread::sleep_for(milliseconds(10));
  }
  return result;
}

// Clients that do not read hold memory, which is then taken from them.
TEST(FailureTest, StalledAnswersGiveWayIfMemoryIsShort) {
  const SmallWorld world;
  TestSource source(world.get());
  serve::ServeOptions options;
  options.limits.batch_lines = 60'000;
  options.limits.frame_bytes = 4 << 20;
  options.limits.memory_bytes = 28 << 20;  // two of these calls and answers
  options.limits.stall_time = milliseconds(600'000);
  const Door door(source, options);
  const std::string call = frameOf(wire::kClosestHits, bodyOfLines(60'000));
  std::vector<RawClient> greedy;
  for (int i = 0; i < 2; ++i) {
    greedy.emplace_back(door.address());
    ASSERT_TRUE(greedy.back().sayHello());
    ASSERT_TRUE(greedy.back().send(call));
  }
  EXPECT_TRUE(door.reaches("lines_total{verb=\"closest_hits\"}", 120'000));
  Client other(door.address());
  FloorCall large(60'000);
  EXPECT_EQ(askWhileRefused(other, large), FR_OK) << frGetLastError();
  EXPECT_GE(door.metric("refused_total{reason=\"memory_full\"}"), 1);
}

// So do clients that name a size and then send nothing, or little.
class HalfFrameTest : public ::testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(Bytes, HalfFrameTest, ::testing::Bool());

TEST_P(HalfFrameTest, TheyGiveWayIfMemoryIsShort) {
  const bool sends_some = GetParam();
  const SmallWorld world;
  TestSource source(world.get());
  serve::ServeOptions options;
  options.limits.batch_lines = 1000;
  options.limits.frame_bytes = 4 << 20;
  options.limits.memory_bytes = 28 << 20;
  options.limits.frame_time = milliseconds(600'000);
  const Door door(source, options);
  wire::FrameHead head;
  head.verb = wire::kClosestHits;
  head.bytes = options.limits.frame_bytes;
  std::vector<RawClient> silent;
  for (int i = 0; i < 7; ++i) {
    silent.emplace_back(door.address());
    ASSERT_TRUE(silent.back().sayHello());
    ASSERT_TRUE(silent.back().send(bytesOf(head)));
  }
  EXPECT_TRUE(door.reaches("memory_bytes", 28 << 20));
  Client other(door.address());
  FloorCall call(1000);
  const auto drip = [&] {
    for (RawClient& each : silent)
      static_cast<void>(each.send("x"));
  };
  const frResult result =
      sends_some ? askWhileRefused(other, call, drip) : askWhileRefused(other, call);
  EXPECT_EQ(result, FR_OK) << frGetLastError();
  EXPECT_GE(door.metric("refused_total{reason=\"memory_full\"}"), 1);
}

}  // namespace
}  // namespace fractalray::testing
