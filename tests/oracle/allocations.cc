// SPDX-License-Identifier: Apache-2.0
#include "fractalray/tests/oracle/allocations.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

// The thread sanitizer has operators of its own, which no program can replace, and a hook for those
// who count.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FRACTALRAY_COUNTS_BY_HOOK
#include <sanitizer/allocator_interface.h>
#endif
#endif

namespace {

std::atomic<std::size_t> allocations = 0;
std::atomic<std::size_t> bytes = 0;

void count(std::size_t size) {
  ++allocations;
  bytes += size;
}

#ifdef FRACTALRAY_COUNTS_BY_HOOK

const int installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t size) { count(size); }, [](const volatile void*) {});

#else

void* allocate(std::size_t size) {
  count(size);
  void* const memory = std::malloc(std::max(size, std::size_t{1}));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* allocate(std::size_t size, std::align_val_t alignment) {
  count(size);
  const auto align = static_cast<std::size_t>(alignment);
  const std::size_t whole = (std::max(size, std::size_t{1}) + align - 1) / align * align;
  void* const memory = std::aligned_alloc(align, whole);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
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
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

#endif
