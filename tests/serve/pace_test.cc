// SPDX-License-Identifier: Apache-2.0
// How many lines are answered before the clock is read again, and how many calls are late.
#include "../../serve/pace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "../oracle/long_run.h"
#include "door.h"

namespace fractalray::testing {
namespace {

using serve::Pace;
using serve::PaceOptions;
using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr PaceOptions::TimePoint kBegin{std::chrono::hours(1)};

TEST(PaceTest, WithoutADeadlineSlicesAreLong) {
  PaceOptions options{.begin = kBegin, .limit = kBegin + milliseconds(100)};
  options.lines = 5000;
  Pace pace(options);
  EXPECT_EQ(pace.next(0, kBegin), 1024U);
  EXPECT_EQ(pace.next(1024, kBegin + milliseconds(99)), 1024U);
  EXPECT_EQ(pace.next(4500, kBegin + milliseconds(99)), 500U);
  EXPECT_EQ(pace.next(4500, kBegin + milliseconds(100)), std::nullopt);
}

TEST(PaceTest, WithADeadlineSlicesGrow) {
  PaceOptions options{.begin = kBegin, .limit = kBegin + milliseconds(1000)};
  options.deadline = kBegin + milliseconds(500);
  options.lines = 5000;
  Pace pace(options);
  std::size_t done = 0;
  for (const std::size_t size : {16U, 32U, 64U, 128U}) {
    EXPECT_EQ(pace.next(done, kBegin + microseconds(done)), size);
    done += size;
  }
}

TEST(PaceTest, NoLineBeginsForWhichThereIsNoTime) {
  PaceOptions options{.begin = kBegin, .limit = kBegin + milliseconds(1000)};
  options.deadline = kBegin + milliseconds(10);
  options.lines = 5000;
  Pace pace(options);
  EXPECT_EQ(pace.next(0, kBegin), 16U);
  // 100 us a line: of 8.2 ms that are left some 80 lines, and half of them at a time.
  EXPECT_EQ(pace.next(16, kBegin + microseconds(1600)), 32U);
  const auto next = pace.next(48, kBegin + microseconds(4800));
  ASSERT_TRUE(next.has_value());
  EXPECT_GE(*next, 16U);
  EXPECT_LE(*next, 26U);
  // No time for 16 of them: fewer than that are not worth another look at the clock.
  EXPECT_EQ(pace.next(84, kBegin + microseconds(8400)), std::nullopt);
  // The last lines are fewer.
  EXPECT_EQ(pace.next(4996, kBegin + milliseconds(9)), 4U);
}

TEST(PaceTest, TheFirstLinesAlwaysHaveTime) {
  PaceOptions options{.begin = kBegin, .limit = kBegin};
  options.deadline = kBegin + microseconds(1);
  options.lines = 3;
  Pace pace(options);
  EXPECT_EQ(pace.next(0, kBegin + milliseconds(5)), 3U);
}

TEST(PaceTest, TimeIsKeptForTheAnswersWay) {
  PaceOptions options{.begin = kBegin, .limit = kBegin + milliseconds(1000)};
  options.deadline = kBegin + milliseconds(2);
  options.lines = 16'384;
  options.bytes_per_line = 200;
  const Pace pace(options);
  EXPECT_LT(pace.end(), kBegin + microseconds(1750));
  EXPECT_GE(pace.end(), kBegin + milliseconds(1));
}

// A part of the lines is answered, and the answer is there at the deadline.
TEST(PaceTest, FewCallsOfTwoMillisecondsAreLate) {
  if (!oracle::isLongRun() || oracle::kIsSanitized) {
    GTEST_SKIP() << "NOT RUN: without FRACTALRAY_LONG_TESTS, or with a sanitizer";
  }
  const SmallWorld world;
  TestSource source(world.get());
  const Door door(source);
  constexpr microseconds kDeadline{2000};
  constexpr int kCalls = 500;
  Client client(door.address(), nullptr, kDeadline.count());
  FloorCall call(60'000);  // some 30 ms
  int least_late = kCalls;
  std::size_t most_lines = 0;
  // The best of some rounds, since others use the machine as well.
  for (int round = 0; round < 5; ++round) {
    int late = 0;
    for (int i = 0; i < kCalls; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      const frResult result = call.ask(client.get());
      const auto took = std::chrono::steady_clock::now() - begin;
      ASSERT_TRUE(result == FR_OK || result == FR_DEADLINE_EXCEEDED) << frGetLastError();
      if (result != FR_OK || took > kDeadline) ++late;
      if (result == FR_OK) most_lines = std::max<std::size_t>(most_lines, call.batch().completed);
    }
    least_late = std::min(least_late, late);
  }
  RecordProperty("late", std::to_string(least_late) + " of " + std::to_string(kCalls));
  RecordProperty("lines", std::to_string(most_lines));
  EXPECT_LT(least_late, kCalls / 10);
  EXPECT_GT(most_lines, 16U) << "a deadline is not kept by answering nothing";
}

}  // namespace
}  // namespace fractalray::testing
