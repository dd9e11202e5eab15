// SPDX-License-Identifier: Apache-2.0
// Changes on top of what a source supplies, in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "../../../streaming/chunk_changes.h"

namespace fractalray::capi {

// Not thread-safe. record() changes nothing if memory runs out.
class MemoryChanges final : public ChunkChanges {
 public:
  absl::StatusOr<std::vector<ChangedBlock>> changesOf(const ChunkPath& chunk) override;
  absl::Status record(std::span<const BlockChange> changes) override;
  absl::StatusOr<std::vector<BlockChange>> due(std::int64_t now, std::size_t limit) override;

 private:
  using Key = std::pair<ChunkPath, int>;
  using Blocks = std::map<Key, ChangedBlock>;
  // A time, and the key of a change that reverts then: the one in the map.
  using TimeOfKey = std::pair<std::int64_t, const Key*>;
  struct Earlier {
    bool operator()(const TimeOfKey& a, const TimeOfKey& b) const {
      return a.first != b.first ? a.first < b.first : *a.second < *b.second;
    }
  };
  using Times = std::set<TimeOfKey, Earlier>;

  void forget(const Key& key);

  Blocks blocks_;
  Times times_;
};

}  // namespace fractalray::capi
