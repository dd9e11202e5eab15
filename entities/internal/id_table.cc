// SPDX-License-Identifier: Apache-2.0
#include "id_table.h"

#include <algorithm>

#include "../../core/check.h"

namespace fractalray::internal {

void IdTable::reserve(std::size_t count) {
  std::size_t entries = std::max<std::size_t>(entries_.size(), 8);
  while (4 * count > 3 * entries)
    entries *= 2;
  if (entries == entries_.size()) return;
  std::vector<Entry> wider(entries);
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
  std::size_t hole = hashOf(id) & mask();
  while (entries_[hole].slot != slot) {
    FRACTALRAY_DCHECK(entries_[hole].slot != kNone, id, slot);
    hole = (hole + 1) & mask();
  }
  // Moves up each following entry, up to the next gap, whose search would end at the hole.
  for (std::size_t i = (hole + 1) & mask(); entries_[i].slot != kNone; i = (i + 1) & mask()) {
    const std::size_t home = entries_[i].hash & mask();
    if (((i - home) & mask()) < ((i - hole) & mask())) continue;
    entries_[hole] = entries_[i];
    hole = i;
  }
  entries_[hole] = {};
  --size_;
}

void IdTable::insert(std::vector<Entry>& entries, const Entry& entry) noexcept {
  const std::size_t mask = entries.size() - 1;
  std::size_t i = entry.hash & mask;
  while (entries[i].slot != kNone)
    i = (i + 1) & mask;
  entries[i] = entry;
}

}  // namespace fractalray::internal
