// SPDX-License-Identifier: Apache-2.0
#include "allocations.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <new>
#include <thread>
#include <vector>

namespace fractalray::oracle {
namespace {

using Extent = AllocationFailure::Extent;

class AllocationFailureTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!AllocationFailure::isSupported()) GTEST_SKIP() << "operator new cannot be replaced here";
  }
};

// A call of operator new that no optimisation removes.
void allocateOnce() {
  ::operator delete(::operator new(16));
}

TEST_F(AllocationFailureTest, FailsFromTheGivenAllocationOnAsLongAsItLives) {
  {
    const AllocationFailure failure(2);
    allocateOnce();
    allocateOnce();
    EXPECT_FALSE(failure.hasFailed());
    EXPECT_THROW(allocateOnce(), std::bad_alloc);
    EXPECT_THROW(allocateOnce(), std::bad_alloc);
    EXPECT_EQ(::operator new(16, std::nothrow), nullptr);
    EXPECT_TRUE(failure.hasFailed());
  }
  allocateOnce();
}

TEST_F(AllocationFailureTest, FailsOnce) {
  const AllocationFailure failure(1, Extent::kOne);
  allocateOnce();
  EXPECT_THROW(allocateOnce(), std::bad_alloc);
  allocateOnce();
  EXPECT_TRUE(failure.hasFailed());
}

TEST_F(AllocationFailureTest, FailsOnItsOwnThreadOnly) {
  std::size_t failures = 0;
  std::atomic<int> turn = 0;
  std::thread other([&] {
    while (turn != 1)
      std::this_thread::yield();
    try {
      allocateOnce();
    } catch (const std::bad_alloc&) {
      ++failures;
    }
    turn = 2;
  });
  {
    const AllocationFailure failure(0);
    turn = 1;
    while (turn != 2)
      std::this_thread::yield();
  }
  other.join();
  EXPECT_EQ(failures, 0U);
}

TEST_F(AllocationFailureTest, EachAllocationFailsOnceInOrder) {
  for (const Extent extent : {Extent::kOne, Extent::kAllFromThere}) {
    std::vector<std::size_t> failed;
    const std::size_t failures = failEachAllocation(
        [] {
          for (int i = 0; i < 3; ++i)
            allocateOnce();
        },
        [&](std::size_t n) { failed.push_back(n); }, extent);
    EXPECT_EQ(failures, 3U);
    EXPECT_EQ(failed, (std::vector<std::size_t>{0, 1, 2}));
  }
}

}  // namespace
}  // namespace fractalray::oracle
