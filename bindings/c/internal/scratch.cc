// SPDX-License-Identifier: Apache-2.0
#include "scratch.h"

#include <cstdint>

namespace fractalray::capi {
namespace {

// Returns a number that differs between most threads, so that they begin at different slots.
std::size_t numberOfThread() {
  constinit thread_local char of_thread = 0;
  return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(&of_thread) >> 12);
}

}  // namespace

ScratchPool::Slot* ScratchPool::take() {
  const std::size_t first = numberOfThread();
  for (std::size_t i = 0; i < kSlots; ++i) {
    Slot& slot = slots_[(first + i) % kSlots];
    if (!slot.is_taken.load(std::memory_order_relaxed) &&
        !slot.is_taken.exchange(true, std::memory_order_acquire)) {
      return &slot;
    }
  }
  return nullptr;
}

void ScratchPool::Lease::make(std::unique_ptr<Scratch>& scratch) {
  try {
    scratch = std::make_unique<Scratch>();
  } catch (...) {
    giveBack();
    throw;
  }
}

}  // namespace fractalray::capi
