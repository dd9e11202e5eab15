// SPDX-License-Identifier: Apache-2.0
// The executor: each task once, on its threads, whatever they do.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "fractalray/threads/thread_executor.h"

namespace fractalray {
namespace {

TEST(ThreadExecutorTest, EachTaskIsRunOnce) {
  for (const int threads : {1, 2, 4, 8}) {
    ThreadExecutor executor(threads);
    EXPECT_EQ(executor.threads(), threads);
    for (const std::size_t tasks : {0U, 1U, 2U, 3U, 100U, 1000U}) {
      for (int round = 0; round < 30; ++round) {
        std::vector<int> runs(tasks, 0);
        executor(tasks, [&](std::size_t i) { ++runs[i]; });
        ASSERT_EQ(runs, std::vector<int>(tasks, 1));
      }
    }
  }
}

TEST(ThreadExecutorTest, OneThreadIsTheCallersOwn) {
  ThreadExecutor executor(1);
  const std::thread::id here = std::this_thread::get_id();
  executor(100, [&](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), here); });
}

TEST(ThreadExecutorTest, ThreadsWorkAtOnce) {
  ThreadExecutor executor(3);
  // Each of three tasks waits for the others.
  std::atomic<int> arrived = 0;
  executor(3, [&](std::size_t) {
    ++arrived;
    while (arrived < 3)
      std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 3);
}

TEST(ThreadExecutorTest, TheFirstExceptionPasses) {
  for (const int threads : {1, 4}) {
    ThreadExecutor executor(threads);
    std::atomic<int> runs = 0;
    EXPECT_THROW(executor(1000,
                          [&](std::size_t i) {
                            ++runs;
                            if (i >= 5) throw std::runtime_error("enough");
                          }),
                 std::runtime_error);
    EXPECT_LT(runs, 1000);
    runs = 0;
    executor(1000, [&](std::size_t) { ++runs; });
    EXPECT_EQ(runs, 1000) << "it is as good as new";
  }
}

TEST(ThreadExecutorTest, ATaskMayRunTasks) {
  ThreadExecutor executor(4);
  std::atomic<int> runs = 0;
  executor(20, [&](std::size_t) { executor(20, [&](std::size_t) { ++runs; }); });
  EXPECT_EQ(runs, 400);
}

TEST(ThreadExecutorTest, SeveralThreadsMayCallIt) {
  ThreadExecutor executor(2);
  std::atomic<int> runs = 0;
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller) {
      callers.emplace_back([&] {
        for (int round = 0; round < 50; ++round)
          executor(10, [&](std::size_t) { ++runs; });
      });
    }
  }
  EXPECT_EQ(runs, 2000);
}

}  // namespace
}  // namespace fractalray
