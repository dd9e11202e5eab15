// SPDX-License-Identifier: Apache-2.0
#include "id_table.h"

#include <algorithm>

#include "../../core/check.h"

namespace fractalray::internal {

void IdTable::reserve(std::size_t count) {
  const std::size_t least = count + count / 3 + 1;
  if (least <= entries_.size()) return;
  Entries wider(std::max({least, entries_.size() + entries_.size() / 4, std::size_t{8}}));
  for (const Entry& entry : entries_) {
    if (entry.slot != kNone) insert(wider, entry);
  }
  entries_.swap(wider);
}

void IdTable::insert(EntityId id, std::uint32_t slot) noexcept {
  FRACTALRAY_DCHECK(4 * (size_ + 1) <= 3 * entries_.size(), size_, entries_.size());
  insert(entries_, {slot, hashOf(id)});
  ++size_;
}

void IdTable::erase(EntityId id, std::uint32_t slot) noexcept {
  std::size_t hole = homeOf(hashOf(id), entries_);
  while (entries_[hole].slot != slot) {
    FRACTALRAY_DCHECK(entries_[hole].slot != kNone, id, slot);
    hole = after(hole, entries_);
  }
  // Moves up each following entry, up to the next gap, whose search would end at the hole.
  for (std::size_t i = after(hole, entries_); entries_[i].slot != kNone; i = after(i, entries_)) {
    if (distance(homeOf(entries_[i].hash, entries_), i) < distance(hole, i)) continue;
    entries_[hole] = entries_[i];
    hole = i;
  }
  entries_[hole] = {};
  --size_;
}

void IdTable::insert(Entries& entries, const Entry& entry) noexcept {
  std::size_t i = homeOf(entry.hash, entries);
  while (entries[i].slot != kNone)
    i = after(i, entries);
  entries[i] = entry;
}

}  // namespace fractalray::internal
