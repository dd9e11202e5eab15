// SPDX-License-Identifier: Apache-2.0
// More calls than the server can answer: it refuses with a delay, and does not sink.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "../../tools/bench/door_measures.h"
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

TEST(OverloadTest, FourTimesTheLoadIsAnsweredAsFast) {
  if (!oracle::isLongRun()) GTEST_SKIP() << "NOT RUN: without FRACTALRAY_LONG_TESTS";
  const SmallWorld world;
  TestSource source(world.get());
  source.before_slice = [] { std::this_thread::sleep_for(milliseconds(5)); };  // the work
  serve::ServeOptions options;
  options.limits.queue_calls = 2;
  const Door door(source, options);
  FloorCall call(1024);
  ASSERT_EQ(call.askHere(world.get()), FR_OK) << frGetLastError();
  const auto measure = [&](int clients) {
    return bench::measureGoodput(door.address(), clients, std::chrono::seconds(4), call.lines(),
                                 FR_ALL_LEVELS, call.hits());
  };
  const absl::StatusOr<bench::Goodput> best = measure(2);
  const absl::StatusOr<bench::Goodput> overloaded = measure(8);
  ASSERT_TRUE(best.ok()) << best.status();
  ASSERT_TRUE(overloaded.ok()) << overloaded.status();
  EXPECT_EQ(best->wrong + overloaded->wrong, 0U);
  EXPECT_GT(overloaded->refused, 0U);
  EXPECT_GT(door.metric("refused_total{reason=\"queue_full\"}"), 0);
  EXPECT_GE(overloaded->lines_per_second, 0.9 * best->lines_per_second);
}

}  // namespace
}  // namespace fractalray::testing
