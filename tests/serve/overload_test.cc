// SPDX-License-Identifier: Apache-2.0
// More calls than the server can answer: it refuses with a delay, and does not sink.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "../oracle/long_run.h"
#include "door.h"

namespace fractalray::testing {
namespace {

using std::chrono::milliseconds;

// Holds the threads that answer back until it is opened.
class Gate {
 public:
  void pass() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_open_; });
  }
  void open() {
    {
      const std::lock_guard lock(mutex_);
      is_open_ = true;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = false;
};

TEST(OverloadTest, AFullQueueRefusesWithADelay) {
  const SmallWorld world;
  TestSource source(world.get());
  Gate gate;
  source.before_slice = [&gate] { gate.pass(); };
  serve::ServeOptions options;
  options.limits.queue_calls = 2;
  const Door door(source, options);
  std::vector<std::thread> waiting;
  for (int i = 0; i < 2; ++i) {
    waiting.emplace_back([&door] {
      Client client(door.address());
      FloorCall call(10);
      EXPECT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
    });
  }
  EXPECT_TRUE(door.reaches("queue_calls", 2));
  Client client(door.address());
  FloorCall call(10);
  EXPECT_EQ(call.ask(client.get()), FR_RESOURCE_EXHAUSTED);
  const std::string error = frGetLastError();
  EXPECT_NE(error.find("queue full; again in "), std::string::npos) << error;
  EXPECT_GE(client.info().retry_us, 1000U);
  EXPECT_EQ(door.metric("refused_total{reason=\"queue_full\"}"), 1);
  gate.open();
  for (std::thread& thread : waiting)
    thread.join();
  EXPECT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
  EXPECT_EQ(client.info().retry_us, 0U);
  EXPECT_EQ(client.info().connects, 1U) << "a refusal does not end the connection";
}

TEST(OverloadTest, LinesBoundTheQueueToo) {
  const SmallWorld world;
  TestSource source(world.get());
  Gate gate;
  source.before_slice = [&gate] { gate.pass(); };
  serve::ServeOptions options;
  options.limits.queue_lines = 100;
  const Door door(source, options);
  std::thread waiting([&door] {
    Client client(door.address());
    FloorCall call(1000);  // alone, a call may have more
    EXPECT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
  });
  EXPECT_TRUE(door.reaches("queue_lines", 1000));
  Client client(door.address());
  FloorCall call(1);
  EXPECT_EQ(call.ask(client.get()), FR_RESOURCE_EXHAUSTED);
  gate.open();
  waiting.join();
}

// Returns the lines that clients get answered in a while, each calling again when it is refused.
std::uint64_t goodput(const Door& door, int clients) {
  std::atomic<std::uint64_t> lines = 0;
  std::vector<std::thread> threads;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(4);
  for (int i = 0; i < clients; ++i) {
    threads.emplace_back([&] {
      Client client(door.address());
      FloorCall call(1024);
      while (std::chrono::steady_clock::now() < end) {
        const frResult result = call.ask(client.get());
        if (result == FR_OK) lines += call.batch().completed;
        EXPECT_TRUE(result == FR_OK || result == FR_RESOURCE_EXHAUSTED) << frGetLastError();
        std::this_thread::sleep_for(std::chrono::microseconds(client.info().retry_us));
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  return lines;
}

TEST(OverloadTest, FourTimesTheLoadIsAnsweredAsFast) {
  if (!oracle::isLongRun()) GTEST_SKIP() << "NOT RUN: without FRACTALRAY_LONG_TESTS";
  const SmallWorld world;
  TestSource source(world.get());
  source.before_slice = [] { std::this_thread::sleep_for(milliseconds(5)); };  // the work
  serve::ServeOptions options;
  options.limits.queue_calls = 2;
  const Door door(source, options);
  const std::uint64_t best = goodput(door, 2);
  const std::uint64_t overloaded = goodput(door, 8);
  EXPECT_GT(door.metric("refused_total{reason=\"queue_full\"}"), 0);
  EXPECT_GE(static_cast<double>(overloaded), 0.9 * static_cast<double>(best));
}

}  // namespace
}  // namespace fractalray::testing
