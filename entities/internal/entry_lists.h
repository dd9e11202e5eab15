// SPDX-License-Identifier: Apache-2.0
// Short lists of page entries, side by side in one vector: those of entities in several chunks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "../../core/check.h"
#include "page_pool.h"

namespace fractalray::internal {

// Lists by number, of `fewest` to `most` entries each. A list that is given back is the next to be
// taken. Only prepare() allocates; if memory runs out it throws std::bad_alloc and has changed
// nothing. Not thread-safe.
class EntryLists {
 public:
  // Requires: 1 <= fewest <= most.
  EntryLists(std::uint32_t fewest, std::uint32_t most) : fewest_(fewest), most_(most) {}

  // Returns the entries of a list in use. Valid until prepare() allocates.
  std::span<EntitySlot> of(std::uint32_t list) {
    EntitySlot* const entries = &entries_[begin(list)];
    std::uint32_t count = fewest_;
    while (count < most_ && entries[count] != kNoEntry)
      ++count;
    return {entries, count};
  }

  // Ensures that take() does not allocate. Allocates only if more lists are in use than ever
  // before.
  void prepare() {
    if (spare_ != kNoList) return;
    const auto list = static_cast<std::uint32_t>(entries_.size() / most_);
    entries_.resize(entries_.size() + most_);
    giveBack(list);
  }
  // Takes a list that is not in use. Requires: prepare() has been called since the last take(), or
  // a list has been given back.
  std::uint32_t take() noexcept {
    FRACTALRAY_DCHECK(spare_ != kNoList, most_);
    return std::exchange(spare_, entries_[begin(spare_)]);
  }
  void giveBack(std::uint32_t list) noexcept {
    entries_[begin(list)] = std::exchange(spare_, list);
  }
  // Sets the entries of a list in use. Requires: fewest to most entries, of no list.
  void assign(std::uint32_t list, std::span<const EntitySlot> entries) noexcept {
    FRACTALRAY_DCHECK(entries.size() >= fewest_ && entries.size() <= most_, entries.size());
    EntitySlot* const own = &entries_[begin(list)];
    std::copy(entries.begin(), entries.end(), own);
    std::fill(own + entries.size(), own + most_, kNoEntry);
  }

 private:
  static constexpr EntitySlot kNoEntry = std::numeric_limits<EntitySlot>::max();
  static constexpr std::uint32_t kNoList = std::numeric_limits<std::uint32_t>::max();

  std::size_t begin(std::uint32_t list) const { return std::size_t{list} * most_; }

  std::uint32_t fewest_;
  std::uint32_t most_;
  // `most_` for each list: its entries, then kNoEntry; of a list not in use, the first is the next
  // such list.
  std::vector<EntitySlot> entries_;
  std::uint32_t spare_ = kNoList;
};

}  // namespace fractalray::internal
