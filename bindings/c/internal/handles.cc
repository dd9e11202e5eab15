// SPDX-License-Identifier: Apache-2.0
#include "handles.h"

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
  if (used_slots_ == kSlots) {
    const std::size_t index = first_worn_;
    if (index == kNone) return kNone;
    Slot& worn = slot(index);
    first_worn_ = worn.next_free;
    worn.generation = 0;
    return index;
  }
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
  if (ended.generation < kGenerations) {
    ended.next_free = first_free_;
    first_free_ = index;
    return;
  }
  ended.next_free = kNone;
  std::size_t& link = first_worn_ == kNone ? first_worn_ : slot(last_worn_).next_free;
  link = index;
  last_worn_ = index;
}

std::uintptr_t addHandle(ObjectKind kind, void* object) {
  const std::uintptr_t handle = handleTable().add(kind, object);
  if (handle == 0) throw NoHandlesLeft();
  return handle;
}

const char* NoHandlesLeft::what() const noexcept {
  constexpr bool kIsWide = sizeof(void*) == 8;
  static_assert(HandleTable::kSlots == (kIsWide ? 1048576U : 16384U), "the texts say how many");
  return kIsWide ? "there are no handles left: at most 1048576 objects exist at once; free objects "
                   "that you no longer use"
                 : "there are no handles left: at most 16384 objects exist at once; free objects "
                   "that you no longer use";
}

}  // namespace fractalray::capi
