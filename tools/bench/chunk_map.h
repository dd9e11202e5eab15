// SPDX-License-Identifier: Apache-2.0
// The world that users write by hand: chunks of ids in a hash map. Empty chunks are not stored.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/container/flat_hash_map.h"

#include "../../core/frame.h"
#include "../../levels/block_type.h"
#include "grid.h"

namespace fractalray::bench {

class ChunkMap {
 public:
  // Ids of blocks; 0 is empty.
  static constexpr std::uint16_t kSolid = 1;
  static constexpr std::uint16_t kPermeable = 2;

  explicit ChunkMap(const Grid& grid)
      : ChunkMap(grid, [&](const BlockCoord& block) {
          return grid.kind(block) == BlockKind::kSolid ? kSolid : kPermeable;
        }) {}

  // Makes the map with the ids that `id_of(block)` returns for blocks that are not empty.
  template <class IdOf>
  ChunkMap(const Grid& grid, IdOf&& id_of) {
    grid.forEachChunk([&](const ChunkCoord& at) {
      Ids ids{};
      bool is_empty = true;
      for (int index = 0; index < 4096; ++index) {
        const BlockCoord block = blockOf(at, index);
        if (!grid.occupied(block)) continue;
        ids[static_cast<std::size_t>(index)] = id_of(block);
        is_empty = false;
      }
      if (!is_empty) chunks_.emplace(key(at[0], at[1], at[2]), std::make_unique<Ids>(ids));
    });
  }

  // Returns the ids of a chunk, those of its blocks at x + 16 y + 256 z; null if it is empty.
  const std::uint16_t* find(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const auto found = chunks_.find(key(x, y, z));
    return found == chunks_.end() ? nullptr : found->second->data();
  }

 private:
  using Ids = std::array<std::uint16_t, 4096>;

  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    constexpr std::uint64_t kMask = (1U << 21U) - 1;
    return (static_cast<std::uint64_t>(x) & kMask) |
           (static_cast<std::uint64_t>(y) & kMask) << 21U |
           (static_cast<std::uint64_t>(z) & kMask) << 42U;
  }

  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Ids>> chunks_;
};

}  // namespace fractalray::bench
