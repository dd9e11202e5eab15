// SPDX-License-Identifier: Apache-2.0
// A set of 64-bit numbers that reuses its memory: no allocation once warm.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/hash/hash.h"

#include "../../../core/check.h"

namespace fractalray::internal {

// Open addressing, at most half full. Not thread-safe.
class NumberSet {
 public:
  // Empties the set and reserves capacity for `most` numbers. Cost: proportional to `most`,
  // whatever the set held before; allocates only if it never had that capacity.
  void reset(std::size_t most) {
    slots_.assign(std::bit_ceil(2 * most + 2), kNone);
    has_none_ = false;
  }

  // Adds a number. Requires: at most as many numbers as given to reset().
  void insert(std::uint64_t number) {
    FRACTALRAY_DCHECK(!slots_.empty());
    if (number == kNone) {
      has_none_ = true;
    } else {
      slots_[slotOf(number)] = number;
    }
  }
  // Returns true if the number is in the set. Requires: reset() has been called.
  bool contains(std::uint64_t number) const {
    FRACTALRAY_DCHECK(!slots_.empty());
    return number == kNone ? has_none_ : slots_[slotOf(number)] == number;
  }

 private:
  static constexpr std::uint64_t kNone = 0;  // marks a free slot

  // Returns the slot that holds the number, or else the free slot for it.
  std::size_t slotOf(std::uint64_t number) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = absl::Hash<std::uint64_t>()(number) & mask;
    while (slots_[slot] != number && slots_[slot] != kNone)
      slot = (slot + 1) & mask;
    return slot;
  }

  std::vector<std::uint64_t> slots_;  // a power of two
  bool has_none_ = false;             // true if kNone itself is in the set
};

}  // namespace fractalray::internal
