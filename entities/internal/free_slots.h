// SPDX-License-Identifier: Apache-2.0
// The free slots of an entity index, and the generation of each slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../core/check.h"
#include "../../core/internal/containers/vector_capacity.h"
#include "../entity_limits.h"

namespace fractalray::internal {

// Slots by number from 0. Each occupant of a slot has the next generation, from 1; after the last
// generation the slot is never occupied again, so that no stale handle can come true. Not
// thread-safe.
class FreeSlots {
 public:
  explicit FreeSlots(std::uint32_t last_generation = kMaxEntityGeneration)
      : last_generation_(last_generation) {}

  bool empty() const { return free_.empty(); }
  // Returns the slot that is occupied next. Requires: !empty().
  std::uint32_t next() const {
    FRACTALRAY_DCHECK(!empty(), generations_.size());
    return free_.back();
  }

  // Ensures that addSlot() does not allocate. If it throws std::bad_alloc, nothing has changed.
  void prepareSlot() {
    ensureCapacity(generations_, generations_.size() + 1);
    ensureCapacity(free_, generations_.size() + 1);
  }
  // Adds a slot, which is occupied next. Requires: prepareSlot() has been called for it.
  // NOLINTNEXTLINE(bugprone-exception-escape): prepareSlot() has reserved what this appends
  void addSlot() noexcept {
    FRACTALRAY_DCHECK(
        generations_.size() < generations_.capacity() && free_.size() < free_.capacity(),
        generations_.size());
    free_.push_back(static_cast<std::uint32_t>(generations_.size()));
    generations_.push_back(1);
  }

  // Occupies next() and returns its generation.
  std::uint32_t occupy() {
    const std::uint32_t slot = next();
    free_.pop_back();
    return generations_[slot];
  }
  // Undoes the last occupy() that has not been undone, which was of that slot.
  // NOLINTNEXTLINE(bugprone-exception-escape): free_ has space for all slots
  void undoOccupy(std::uint32_t slot) noexcept { free_.push_back(slot); }
  // Frees an occupied slot, unless its generations are used up.
  // NOLINTNEXTLINE(bugprone-exception-escape): free_ has space for all slots
  void vacate(std::uint32_t slot) noexcept {
    if (++generations_[slot] <= last_generation_) free_.push_back(slot);
  }

 private:
  std::uint32_t last_generation_;
  std::vector<std::uint32_t> generations_;  // by slot: of its present or next occupant
  std::vector<std::uint32_t> free_;         // its capacity is enough for all slots
};

}  // namespace fractalray::internal
