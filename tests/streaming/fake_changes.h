// SPDX-License-Identifier: Apache-2.0
// Changes in a plain map, which fail when a test wants it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../streaming/chunk_changes.h"

namespace fractalray {

class FakeChanges : public ChunkChanges {
 public:
  absl::StatusOr<std::vector<ChangedBlock>> changesOf(const ChunkPath& chunk) override {
    if (!reading.ok()) return reading;
    std::vector<ChangedBlock> changes;
    const std::string path = chunk.text();
    for (auto it = blocks.lower_bound({path, 0}); it != blocks.end() && it->first.first == path;
         ++it) {
      changes.push_back(it->second);
    }
    return changes;
  }
  absl::Status record(std::span<const BlockChange> changes) override {
    if (!writing.ok()) return writing;
    auto after = blocks;
    for (const BlockChange& change : changes) {
      const std::pair key(change.chunk.text(), change.block);
      if (change.type.has_value()) {
        after[key] = {change.block, *change.type, change.reverts_at};
      } else {
        after.erase(key);
      }
    }
    blocks.swap(after);
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<BlockChange>> due(std::int64_t now, std::size_t limit) override {
    if (!reading.ok()) return reading;
    std::vector<BlockChange> due;
    for (const auto& [key, change] : blocks) {
      if (due.size() == limit || !change.reverts_at.has_value() || *change.reverts_at > now) {
        continue;
      }
      due.push_back({.chunk = ChunkPath::parse(key.first).value(), .block = change.block});
    }
    return due;
  }

  std::map<std::pair<std::string, int>, ChangedBlock> blocks;  // by path and index
  absl::Status reading;  // returned by what reads, if it is an error
  absl::Status writing;  // returned by record(), if it is an error
};

}  // namespace fractalray
