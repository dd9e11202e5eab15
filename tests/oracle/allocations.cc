// SPDX-License-Identifier: Apache-2.0
#include "allocations.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

// The thread sanitizer has operators of its own, which no program can replace, and a hook for
// programs that count.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FRACTALRAY_COUNTS_BY_HOOK
#include <sanitizer/allocator_interface.h>
#endif
#endif

namespace {

std::atomic<std::size_t> allocations = 0;
std::atomic<std::size_t> bytes = 0;
std::atomic<std::size_t> held_bytes = 0;

// The AllocationFailure of this thread.
enum class Failing { kNo, kOne, kAll };
struct FailureState {
  Failing failing = Failing::kNo;
  bool has_failed = false;
  std::size_t successes = 0;  // allocations to succeed before one fails
};
thread_local FailureState failure_state;

void count(std::size_t size) {
  ++allocations;
  bytes += size;
}

#ifdef FRACTALRAY_COUNTS_BY_HOOK

const int installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t size) {
      count(size);
      held_bytes += size;
    },
    [](const volatile void* memory) {
      if (memory != nullptr)
        held_bytes -= __sanitizer_get_allocated_size(const_cast<const void*>(memory));
    });

#else

void failIfDue() {
  FailureState& state = failure_state;
  if (state.failing == Failing::kNo) return;
  if (state.successes > 0) {
    --state.successes;
    return;
  }
  if (state.failing == Failing::kOne && state.has_failed) return;
  state.has_failed = true;
  throw std::bad_alloc();
}

// Returns memory that has just been allocated, if it has.
void* held(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  held_bytes += malloc_usable_size(memory);
  return memory;
}

void* allocate(std::size_t size) {
  count(size);
  failIfDue();
  return held(std::malloc(std::max(size, std::size_t{1})));
}

void* allocateOrNull(std::size_t size) noexcept {
  try {
    return allocate(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void* allocate(std::size_t size, std::align_val_t alignment) {
  count(size);
  failIfDue();
  const auto align = static_cast<std::size_t>(alignment);
  const std::size_t whole = (std::max(size, std::size_t{1}) + align - 1) / align * align;
  return held(std::aligned_alloc(align, whole));
}

void release(void* memory) noexcept {
  held_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

#endif

}  // namespace

namespace fractalray::oracle {

std::size_t allocationCount() {
  return allocations;
}

std::size_t allocatedBytes() {
  return bytes;
}

std::size_t heldBytes() {
  return held_bytes;
}

AllocationFailure::AllocationFailure(std::size_t successes, Extent extent) {
  failure_state = {.failing = extent == Extent::kOne ? Failing::kOne : Failing::kAll,
                   .has_failed = false,
                   .successes = successes};
}

AllocationFailure::~AllocationFailure() {
  failure_state = {};
}

bool AllocationFailure::hasFailed() const {
  return failure_state.has_failed;
}

bool AllocationFailure::isSupported() {
#ifdef FRACTALRAY_COUNTS_BY_HOOK
  return false;
#else
  return true;
#endif
}

}  // namespace fractalray::oracle

#ifndef FRACTALRAY_COUNTS_BY_HOOK

void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new[](std::size_t size) {
  return allocate(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, alignment);
}
// The operators that do not throw call these by default, but not under the address sanitizer.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocateOrNull(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocateOrNull(size);
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete[](void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}

#endif
