// SPDX-License-Identifier: Apache-2.0
#include "entity_slots.h"

namespace fractalray::internal {

void EntitySlots::prepare(std::size_t count) {
  if (count > 1) lists_[sizeFor(count)].prepare();
}

void EntitySlots::set(std::uint32_t slot, std::span<const EntitySlot> entries) noexcept {
  EntitySlot& own = entries_[slot];
  if (hasList(slot)) lists_[sizeOf(own)].giveBack(own & kListMask);
  if (entries.size() <= 1) {
    own = entries.empty() ? kNone : entries.front();
    return;
  }
  const std::size_t size = sizeFor(entries.size());
  const std::uint32_t list = lists_[size].take();
  lists_[size].assign(list, entries);
  own = kIsList | static_cast<EntitySlot>(size << kListBits) | list;
}

void EntitySlots::relocate(const PagePool::Moved& moved) noexcept {
  for (EntitySlot& entry : of(moved.slot)) {
    if (entry == moved.from) entry = moved.to;
  }
}

}  // namespace fractalray::internal
