// SPDX-License-Identifier: Apache-2.0
// Checks frExecutor_Run for callers that break its contract, in C++ only: their tasks throw.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <stdexcept>

#include "../../bindings/c/fractalray_c.h"

namespace fractalray::testing {
namespace {

void throwAt(void* tasks_left, std::size_t i) {
  --*static_cast<std::atomic<int>*>(tasks_left);
  if (i == 2) throw std::runtime_error("a task");
}

void count(void* tasks_left, std::size_t /*i*/) {
  --*static_cast<std::atomic<int>*>(tasks_left);
}

TEST(CapiExecutorTest, CanBeDestroyedAfterATaskHasThrown) {
  frExecutor* executor = nullptr;
  ASSERT_EQ(frCreateExecutor(2, &executor), FR_OK);
  std::atomic<int> tasks_left = 8;
  frExecutor_Run(executor, 8, throwAt, &tasks_left);
  tasks_left = 8;
  frExecutor_Run(executor, 8, count, &tasks_left);
  EXPECT_EQ(tasks_left, 0);
  EXPECT_EQ(frDestroyExecutor(executor), FR_OK);
}

TEST(CapiExecutorTest, RunsNothingWithoutAnExecutorOrATask) {
  frExecutor* executor = nullptr;
  ASSERT_EQ(frCreateExecutor(2, &executor), FR_OK);
  std::atomic<int> tasks_left = 3;
  frExecutor_Run(nullptr, 3, count, &tasks_left);
  frExecutor_Run(&tasks_left, 3, count, &tasks_left);
  frExecutor_Run(executor, 3, nullptr, &tasks_left);
  EXPECT_EQ(frDestroyExecutor(executor), FR_OK);
  frExecutor_Run(executor, 3, count, &tasks_left);
  EXPECT_EQ(tasks_left, 3);
}

}  // namespace
}  // namespace fractalray::testing
