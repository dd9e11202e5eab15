// SPDX-License-Identifier: Apache-2.0
// The entries of each entity in the pages of its index level: needed by edits, and by no query.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "entity_chunks.h"
#include "entry_lists.h"
#include "page_pool.h"

namespace fractalray::internal {

// The entries of entities by slot, in the order of their chunks; none for a free slot. Only the
// functions that say so allocate; if memory runs out they throw std::bad_alloc and have changed
// nothing. Not thread-safe.
class EntitySlots {
 public:
  // Returns the number of slots; addSlot() adds one.
  std::size_t slots() const { return entries_.size(); }
  void addSlot() { entries_.push_back(kNone); }

  std::span<EntitySlot> of(std::uint32_t slot) {
    EntitySlot& entry = entries_[slot];
    if ((entry & kIsList) == 0) return {&entry, 1};
    if (entry == kNone) return {};
    return lists_[sizeOf(entry)].of(entry & kListMask);
  }
  // Prefetches the entries of a slot.
  void prefetch(std::uint32_t slot) const { __builtin_prefetch(&entries_[slot], 1); }

  // Ensures that set() of `count` entries does not allocate. Allocates only if more entities than
  // ever before have as many.
  void prepare(std::size_t count);
  // Sets the entries of a slot. Requires: prepare(entries.size()) has been called since a slot was
  // last set, or the slot is set to as many as it had before the last call that set it, calls being
  // undone in reverse order.
  void set(std::uint32_t slot, std::span<const EntitySlot> entries) noexcept;
  // Follows an entity to another entry.
  void relocate(const PagePool::Moved& moved) noexcept;

 private:
  // A value of entries_ is the slot's only entry, or kNone, or names the list of its entries:
  // kIsList, the list's size (an index of lists_), and its number.
  static constexpr int kListBits = 29;
  static constexpr EntitySlot kIsList = EntitySlot{1} << 31;
  static constexpr EntitySlot kListMask = (EntitySlot{1} << kListBits) - 1;
  static constexpr EntitySlot kNone = ~EntitySlot{0};
  static_assert(std::uint64_t{PagePool::kMaxPages} * EntityPage::kLanes <= kIsList);

  // Returns the index in lists_ of the lists for `count` entries. Requires: count > 1.
  static std::size_t sizeFor(std::size_t count) {
    return static_cast<std::size_t>(std::min(static_cast<int>(std::bit_width(count - 1)), 4) - 1);
  }
  static std::size_t sizeOf(EntitySlot entry) { return (entry >> kListBits) & 3; }
  bool hasList(std::uint32_t slot) const {
    return (entries_[slot] & kIsList) != 0 && entries_[slot] != kNone;
  }

  std::vector<EntitySlot> entries_;  // by slot
  // The entries of entities in several chunks, in lists of a few sizes.
  std::array<EntryLists, 4> lists_{EntryLists{2, 2}, {3, 4}, {5, 8}, {9, kMaxEntityChunks}};
};

}  // namespace fractalray::internal
