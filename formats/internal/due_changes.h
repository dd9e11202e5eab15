// SPDX-License-Identifier: Apache-2.0
// The changes that a store collects because their time to revert has come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../../streaming/chunk_changes.h"

namespace fractalray {

// Each change has a copy of its path, which may have a million steps of 12 bytes: the bytes of the
// paths are bounded, but one change is collected in any case.
struct DueChanges {
  static constexpr std::size_t kMostPathBytes = std::size_t{16} << 20;

  std::int64_t now = 0;
  std::size_t limit = 0;
  std::vector<BlockChange> changes{};
  std::size_t path_bytes = 0;
  // The region of the last row and its path: neighbours mostly have the same one.
  std::optional<std::int64_t> region{};
  std::string region_path{};

  bool isFull() const { return changes.size() >= limit || path_bytes >= kMostPathBytes; }
  void add(const ChunkPath& chunk, int block) {
    changes.push_back({.chunk = chunk, .block = block});
    path_bytes += chunk.steps().size() * sizeof(ChunkPath::Step);
  }
};

}  // namespace fractalray
