// SPDX-License-Identifier: Apache-2.0
#include "handles.h"

#include <new>

namespace fractalray::capi {

HandleTable::~HandleTable() {
  for (std::atomic<Block*>& block : blocks_)
    delete block.exchange(nullptr);
}

HandleTable::Slot& HandleTable::slot(std::size_t index) const noexcept {
  Block* const block = blocks_[index / kSlotsInBlock].load(std::memory_order_acquire);
  return (*block)[index % kSlotsInBlock];
}

std::size_t HandleTable::takeSlot() {
  if (first_free_ != kNone) {
    const std::size_t index = first_free_;
    first_free_ = slot(index).next_free;
    return index;
  }
  if (used_slots_ == kSlots) return kNone;
  std::atomic<Block*>& block = blocks_[used_slots_ / kSlotsInBlock];
  if (block.load(std::memory_order_relaxed) == nullptr) {
    block.store(new Block, std::memory_order_release);
  }
  return used_slots_++;
}

std::uintptr_t HandleTable::add(ObjectKind kind, void* object) {
  const std::lock_guard lock(mutex_);
  const std::size_t index = takeSlot();
  if (index == kNone) return 0;
  Slot& taken = slot(index);
  const std::uintptr_t handle =
      (taken.generation << kKindBits | static_cast<std::uintptr_t>(kind)) << kSlotBits | index;
  ++taken.generation;
  taken.object.store(object, std::memory_order_relaxed);
  taken.handle.store(handle, std::memory_order_release);
  return handle;
}

void HandleTable::remove(std::uintptr_t handle) noexcept {
  const std::lock_guard lock(mutex_);
  const std::size_t index = slotOf(handle);
  Slot& ended = slot(index);
  ended.handle.store(0, std::memory_order_relaxed);
  ended.object.store(nullptr, std::memory_order_relaxed);
  if (ended.generation == kGenerations) return;
  ended.next_free = first_free_;
  first_free_ = index;
}

std::uintptr_t addHandle(ObjectKind kind, void* object) {
  const std::uintptr_t handle = handleTable().add(kind, object);
  if (handle == 0) throw std::bad_alloc();
  return handle;
}

}  // namespace fractalray::capi
