// SPDX-License-Identifier: Apache-2.0
// The executor: each task once, on its threads, whatever they do.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "../../core/thread_executor.h"
#include "../oracle/allocations.h"

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

TEST(ThreadExecutorTest, TheFirstExceptionReachesTheCaller) {
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
    EXPECT_EQ(runs, 1000) << "it works as before";
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

rlim_t addressSpaceBytes() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

// Leaves address space for a few stacks of threads.
void limitAddressSpace() {
  rlimit stack = {};
  getrlimit(RLIMIT_STACK, &stack);
  stack.rlim_cur = rlim_t{8} << 20;  // the size of a thread's stack
  setrlimit(RLIMIT_STACK, &stack);
  const rlim_t bytes = addressSpaceBytes() + (rlim_t{30} << 20);
  const rlimit space = {bytes, bytes};
  setrlimit(RLIMIT_AS, &space);
}

// Ends the process with 0 if an executor for 64 threads does its work on fewer.
[[noreturn]] void workOnFewerThreads() {
  alarm(20);
  limitAddressSpace();
  const ThreadExecutor executor(64);
  std::vector<int> runs(1000, 0);
  executor(runs.size(), [&](std::size_t i) { ++runs[i]; });
  const bool is_done = runs == std::vector<int>(1000, 1);
  _exit(is_done && executor.threads() >= 1 && executor.threads() < 64 ? 0 : 1);
}

TEST(ThreadExecutorDeathTest, DoesWithTheThreadsThatTheSystemStarts) {
  if (addressSpaceBytes() > rlim_t{1} << 40) {
    GTEST_SKIP() << "a sanitizer needs more address space than can be limited";
  }
  EXPECT_EXIT(workOnFewerThreads(), ::testing::ExitedWithCode(0), "");
}

TEST(ThreadExecutorTest, DoesWithoutTheMemoryForMoreThreads) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP() << "the thread sanitizer";
  // Fails the pool itself, then the list of threads and the allocations to start each of them.
  std::size_t refused = 0;
  int threads = 1;
  for (std::size_t n = 0; n < 40; ++n) {
    std::unique_ptr<ThreadExecutor> executor;
    try {
      const oracle::AllocationFailure failure(n);
      executor = std::make_unique<ThreadExecutor>(4);
    } catch (const std::bad_alloc&) {
      ++refused;
      continue;
    }
    std::vector<int> runs(100, 0);
    (*executor)(runs.size(), [&](std::size_t i) { ++runs[i]; });
    EXPECT_EQ(runs, std::vector<int>(100, 1));
    EXPECT_GE(executor->threads(), threads) << n;
    threads = executor->threads();
  }
  EXPECT_EQ(threads, 4);
  EXPECT_EQ(refused, 2U) << "the executor and its pool";
}

}  // namespace
}  // namespace fractalray
