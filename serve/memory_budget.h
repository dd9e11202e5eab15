// SPDX-License-Identifier: Apache-2.0
// The memory that requests and answers may take together.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace fractalray::serve {

// Counts bytes. Safe from any thread; outlives its reservations.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t most) : most_(most) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  // Takes bytes if there are as many left.
  bool take(std::uint64_t bytes) {
    std::uint64_t used = used_.load(std::memory_order_relaxed);
    do {
      if (bytes > most_ - used) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
  }
  void giveBack(std::uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  const std::uint64_t most_;
  std::atomic<std::uint64_t> used_ = 0;  // at most most_
};

// Owns bytes of a budget.
class Reservation {
 public:
  Reservation() = default;
  ~Reservation() { clear(); }
  Reservation(Reservation&& other) noexcept
      : budget_(other.budget_), bytes_(std::exchange(other.bytes_, 0)) {}
  Reservation& operator=(Reservation&& other) noexcept {
    if (this == &other) return *this;
    clear();
    budget_ = other.budget_;
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  // Takes more bytes; returns false, and takes none, if there are not as many left. Requires:
  // always the same budget.
  bool add(MemoryBudget& budget, std::uint64_t bytes) {
    if (!budget.take(bytes)) return false;
    budget_ = &budget;
    bytes_ += bytes;
    return true;
  }
  void clear() {
    if (bytes_ > 0) budget_->giveBack(std::exchange(bytes_, 0));
  }

 private:
  MemoryBudget* budget_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace fractalray::serve
