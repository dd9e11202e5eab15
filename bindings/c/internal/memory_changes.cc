// SPDX-License-Identifier: Apache-2.0
#include "memory_changes.h"

namespace fractalray::capi {

absl::StatusOr<std::vector<ChangedBlock>> MemoryChanges::changesOf(const ChunkPath& chunk) {
  std::vector<ChangedBlock> changes;
  for (auto it = blocks_.lower_bound({chunk, 0}); it != blocks_.end() && it->first.first == chunk;
       ++it) {
    changes.push_back(it->second);
  }
  return changes;
}

absl::Status MemoryChanges::record(std::span<const BlockChange> changes) {
  // All that allocates comes first.
  Blocks added;
  std::set<Key> removed;
  for (const BlockChange& change : changes) {
    Key key(change.chunk, change.block);
    if (change.type.has_value()) {
      removed.erase(key);
      added.insert_or_assign(std::move(key),
                             ChangedBlock{change.block, *change.type, change.reverts_at});
    } else {
      added.erase(key);
      removed.insert(std::move(key));
    }
  }
  Times times;
  for (const auto& [key, block] : added) {
    if (block.reverts_at.has_value()) times.emplace(*block.reverts_at, &key);
  }
  for (const Key& key : removed)
    forget(key);
  for (const auto& [key, block] : added)
    forget(key);
  // Nodes keep their addresses.
  blocks_.merge(added);
  times_.merge(times);
  return absl::OkStatus();
}

void MemoryChanges::forget(const Key& key) {
  const auto found = blocks_.find(key);
  if (found == blocks_.end()) return;
  if (found->second.reverts_at.has_value()) {
    times_.erase({*found->second.reverts_at, &found->first});
  }
  blocks_.erase(found);
}

absl::StatusOr<std::vector<BlockChange>> MemoryChanges::due(std::int64_t now, std::size_t limit) {
  std::vector<BlockChange> changes;
  for (auto it = times_.begin(); it != times_.end() && it->first <= now && changes.size() < limit;
       ++it) {
    changes.push_back({.chunk = it->second->first, .block = it->second->second});
  }
  return changes;
}

}  // namespace fractalray::capi
