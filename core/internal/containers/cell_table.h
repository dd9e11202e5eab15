// SPDX-License-Identifier: Apache-2.0
// A hash table of cells whose insertion can be prepared: all allocation happens before any change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "../../check.h"
#include "../../vec.h"

namespace fractalray {

// Values by cell, with linear probing. A value converts to bool: false stands for a cell that is
// not in the table, so that no such value can be inserted. Exceptions: only reserve() and copies
// throw; if memory runs out they throw std::bad_alloc and have changed nothing. Not thread-safe
// while it changes; const use is safe from any thread.
template <class Value>
class CellTable {
 public:
  struct Entry {
    Vec3i first{};
    Value second{};
  };

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Returns the value of a cell, null if it has none. Valid until a cell is inserted or erased.
  const Value* find(const Vec3i& cell) const {
    if (entries_.empty()) return nullptr;
    const Entry& entry = entries_[slotOf(cell)];
    return entry.second ? &entry.second : nullptr;
  }
  Value* find(const Vec3i& cell) { return const_cast<Value*>(std::as_const(*this).find(cell)); }

  // Reserves space for `more` cells.
  void reserve(std::size_t more = 1) {
    // At most three quarters full: one entry in four ends a search.
    if (4 * (size_ + more) <= 3 * entries_.size()) return;
    std::size_t size = std::max<std::size_t>(8, 2 * entries_.size());
    while (4 * (size_ + more) > 3 * size)
      size *= 2;
    resize(size);
  }
  // Gives most of the space back if few of many cells are left: a visit of all cells then does
  // not visit what is left of a peak. Ends what reserve() has reserved. Does nothing if there is no
  // memory for the smaller table. Cost: O(1) for each cell inserted or erased since.
  void shrink() noexcept {
    constexpr std::size_t kSmall = 256;
    if (entries_.size() <= kSmall || 16 * size_ > entries_.size()) return;
    try {
      resize(entries_.size() / 4);
    } catch (const std::bad_alloc&) {
    }
  }
  // Adds a cell. Requires: it is not in the table, and reserve() has reserved space for it.
  Value& insert(const Vec3i& cell, Value value) noexcept {
    FRACTALRAY_DCHECK(4 * (size_ + 1) <= 3 * entries_.size(), size_, entries_.size());
    Entry& entry = entries_[slotOf(cell)];
    FRACTALRAY_DCHECK(!entry.second && value, size_);
    entry.first = cell;
    entry.second = std::move(value);
    ++size_;
    return entry.second;
  }
  // Removes a cell. Requires: it is in the table.
  void erase(const Vec3i& cell) noexcept {
    const std::size_t mask = entries_.size() - 1;
    std::size_t hole = slotOf(cell);
    FRACTALRAY_DCHECK(bool(entries_[hole].second), cell[0], cell[1], cell[2]);
    // Moves up each following entry, up to the next gap, whose search would end at the hole.
    for (std::size_t slot = (hole + 1) & mask; entries_[slot].second; slot = (slot + 1) & mask) {
      const std::size_t home = homeOf(entries_[slot].first);
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      entries_[hole] = std::move(entries_[slot]);
      hole = slot;
    }
    entries_[hole].second = Value{};
    --size_;
  }

  // The entries, in no particular order.
  class Iterator {
   public:
    Iterator(const Entry* entry, const Entry* end) : entry_(entry), end_(end) { skipUnused(); }
    const Entry& operator*() const { return *entry_; }
    Iterator& operator++() {
      ++entry_;
      skipUnused();
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    void skipUnused() {
      while (entry_ != end_ && !entry_->second)
        ++entry_;
    }

    const Entry* entry_;
    const Entry* end_;
  };
  Iterator begin() const { return Iterator(entries_.data(), endOfEntries()); }
  Iterator end() const { return Iterator(endOfEntries(), endOfEntries()); }

 private:
  // Moves the cells to a table of `size` entries, a power of two. Requires: they fit.
  void resize(std::size_t size) {
    CellTable resized;
    resized.entries_ = std::vector<Entry>(size);
    for (Entry& entry : entries_) {
      if (entry.second) resized.insert(entry.first, std::move(entry.second));
    }
    entries_.swap(resized.entries_);
  }
  const Entry* endOfEntries() const { return entries_.data() + entries_.size(); }
  // Returns the slot at which the search for a cell begins. Requires: entries_ is not empty.
  std::size_t homeOf(const Vec3i& cell) const {
    FRACTALRAY_DCHECK(!entries_.empty());
    return CellHash()(cell) & (entries_.size() - 1);
  }
  // Returns the slot at which the search for a cell ends: at the cell, or at an entry that is not
  // in use.
  std::size_t slotOf(const Vec3i& cell) const {
    std::size_t slot = homeOf(cell);
    while (entries_[slot].second && entries_[slot].first != cell)
      slot = (slot + 1) & (entries_.size() - 1);
    return slot;
  }

  std::vector<Entry> entries_;  // empty, or a power of two of them
  std::size_t size_ = 0;
};

}  // namespace fractalray
