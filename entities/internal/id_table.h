// SPDX-License-Identifier: Apache-2.0
// Finds entities by their id, in a hash table whose insertions can be prepared: all allocation
// happens before any change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/hash/hash.h"

#include "../entity.h"

namespace fractalray::internal {

// Slots by the ids of their entities, with linear probing. Ids themselves are not kept: hashes
// distinguish nearly all of them, and the caller's entities the rest. Only reserve() allocates; if
// memory runs out it throws std::bad_alloc and has changed nothing. Not thread-safe while it
// changes; const use is safe from any thread.
class IdTable {
 public:
  // Returns the slot of an id; `id_of(slot)` returns the id of the entity in a slot of the table.
  template <class IdOf>
  std::optional<std::uint32_t> find(EntityId id, const IdOf& id_of) const {
    if (entries_.empty()) return std::nullopt;
    const std::uint32_t hash = hashOf(id);
    for (std::size_t i = homeOf(hash, entries_); entries_[i].slot != kNone;
         i = after(i, entries_)) {
      if (entries_[i].hash == hash && id_of(entries_[i].slot) == id) return entries_[i].slot;
    }
    return std::nullopt;
  }

  std::size_t size() const { return size_; }
  // Reserves memory for `count` ids in all. Grows by a quarter at least, so that reserving one more
  // each time costs O(1) a call; then at most half of the entries are free.
  void reserve(std::size_t count);
  // Adds an id. Requires: it is not in the table, and memory for it has been reserved.
  void insert(EntityId id, std::uint32_t slot) noexcept;
  // Removes an id. Requires: it is in the table, with that slot.
  void erase(EntityId id, std::uint32_t slot) noexcept;

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Entry {
    std::uint32_t slot = kNone;
    std::uint32_t hash = 0;
  };
  using Entries = std::vector<Entry>;

  static std::uint32_t hashOf(EntityId id) {
    return static_cast<std::uint32_t>(absl::Hash<EntityId>()(id));
  }
  // Returns the entry of a table at which the search for a hash begins; and the next one after `i`.
  static std::size_t homeOf(std::uint32_t hash, const Entries& entries) {
    return static_cast<std::size_t>((std::uint64_t{hash} * entries.size()) >> 32);
  }
  static std::size_t after(std::size_t i, const Entries& entries) {
    return i + 1 == entries.size() ? 0 : i + 1;
  }
  // Returns how many entries a search passes from one to another.
  std::size_t distance(std::size_t from, std::size_t to) const {
    return to >= from ? to - from : to + entries_.size() - from;
  }
  static void insert(Entries& entries, const Entry& entry) noexcept;

  Entries entries_;  // a quarter of them is always free
  std::size_t size_ = 0;
};

}  // namespace fractalray::internal
