// SPDX-License-Identifier: Apache-2.0
// Counts how often and for how much memory a program asks, for tests of code that should not; and
// makes memory run out at a given allocation, for tests of the consequences.
#pragma once

#include <cstddef>
#include <new>

namespace fractalray::oracle {

// Returns the calls of operator new so far, of all threads. A program that calls this has its
// operators new and delete replaced by ones that count.
std::size_t allocationCount();
// Returns the bytes that they requested, including those that have been freed.
std::size_t allocatedBytes();
// Returns the bytes that are allocated now, as the allocator rounds them up.
std::size_t heldBytes();

// Makes operator new throw std::bad_alloc on the thread that creates it, as long as it lives.
// Requires: the thread has no other one, and isSupported().
class AllocationFailure {
 public:
  enum class Extent {
    kOne,           // one allocation fails, those after it succeed
    kAllFromThere,  // that allocation and all after it fail
  };

  // Lets `successes` allocations of this thread succeed first.
  explicit AllocationFailure(std::size_t successes, Extent extent = Extent::kAllFromThere);
  ~AllocationFailure();
  AllocationFailure(const AllocationFailure&) = delete;
  AllocationFailure& operator=(const AllocationFailure&) = delete;

  // Returns true if an allocation has failed.
  bool hasFailed() const;
  // Returns false under the thread sanitizer, whose operator new cannot be replaced.
  static bool isSupported();
};

// Calls `attempt` with its first allocation failing, then with its second and so on, until it
// returns without std::bad_alloc; calls `after_failure(n)`, with memory available again, after its
// allocation n (from 0) has failed. Returns the number of failures.
template <class Attempt, class AfterFailure>
std::size_t failEachAllocation(
    const Attempt& attempt, const AfterFailure& after_failure,
    AllocationFailure::Extent extent = AllocationFailure::Extent::kAllFromThere) {
  for (std::size_t n = 0;; ++n) {
    try {
      const AllocationFailure failure(n, extent);
      attempt();
      return n;
    } catch (const std::bad_alloc&) {
    }
    after_failure(n);
  }
}

}  // namespace fractalray::oracle
