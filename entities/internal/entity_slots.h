// SPDX-License-Identifier: Apache-2.0
// The entries of each entity in the pages of its index level: needed by edits, and by no query.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "boost/container/small_vector.hpp"

#include "entity_chunks.h"
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
    if ((entry & kSpread) == 0) return {&entry, 1};
    if (entry == kNone) return {};
    Spread& spread = spreads_[entry & ~kSpread];
    return {spread.data(), spread.size()};
  }
  // Prefetches the entries of a slot.
  void prefetch(std::uint32_t slot) const { __builtin_prefetch(&entries_[slot], 1); }

  // Ensures that set() of `count` entries does not allocate. Allocates only if more entities than
  // ever before have as many.
  void prepare(std::size_t count);
  // Sets the entries of a slot. Requires: prepare(entries.size()) has been called since a slot was
  // last set, or the slot is set to as many as it had before the last call that set it, calls being
  // undone in reverse order.
  // NOLINTNEXTLINE(bugprone-exception-escape): prepare() has reserved what set() appends
  void set(std::uint32_t slot, std::span<const EntitySlot> entries) noexcept;
  // Follows an entity to another entry.
  void relocate(const PagePool::Moved& moved) noexcept;

 private:
  // Marks a value of entries_ as an index into spreads_; without this bit it is the slot's only
  // entry.
  static constexpr EntitySlot kSpread = EntitySlot{1} << 31;
  static constexpr EntitySlot kNone = ~EntitySlot{0};
  // Each spread (the entries of an entity in several chunks) has one of these capacities from the
  // beginning and is recycled by capacity, so a warm index does not allocate.
  static constexpr std::array<std::size_t, 3> kSpreadSizes = {4, 8, kMaxEntityChunks};
  using Spread = boost::container::small_vector<EntitySlot, kSpreadSizes[0]>;

  // Returns the index in kSpreadSizes of the capacity for `count` entries.
  static std::size_t spreadSize(std::size_t count) {
    return count <= kSpreadSizes[0] ? 0 : count <= kSpreadSizes[1] ? 1 : 2;
  }
  bool isSpread(std::uint32_t slot) const {
    return (entries_[slot] & kSpread) != 0 && entries_[slot] != kNone;
  }

  std::vector<EntitySlot> entries_;  // by slot
  std::vector<Spread> spreads_;
  // By capacity: the spreads not in use, in vectors that can hold all of them; and how many exist.
  std::array<std::vector<std::uint32_t>, kSpreadSizes.size()> spare_spreads_;
  std::array<std::size_t, kSpreadSizes.size()> spreads_made_{};
};

}  // namespace fractalray::internal
