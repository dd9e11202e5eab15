// SPDX-License-Identifier: Apache-2.0
// A plain model of the chunks of a streamed world: what the source supplies for a path, with a map
// of changes on top.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../levels/world.h"
#include "../../streaming/chunk_changes.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"

namespace fractalray {

using ChunkIds = std::array<BlockTypeId, kBlocksPerChunk>;

// Returns what the source has for a path: always the same, with few blocks.
inline ChunkIds suppliedFor(const std::string& path) {
  oracle::Rng rng(path);
  ChunkIds ids{};
  for (int count = rng.below(12); count > 0; --count)
    ids[static_cast<std::size_t>(rng.below(kBlocksPerChunk))] = oracle::kStone;
  for (int x = 0; x < 16; ++x)
    ids[static_cast<std::size_t>(indexInChunk({x, 7, 7}))] = oracle::kWater;
  return ids;
}

// The last change of each block of all chunks.
class ChangedBlocks {
 public:
  // Records changes as a store does: see ChunkChanges::record().
  void record(std::span<const BlockChange> changes) {
    for (const BlockChange& change : changes) {
      const std::pair key(change.chunk.text(), change.block);
      if (change.type.has_value()) {
        changes_[key] = {*change.type, change.reverts_at};
      } else {
        changes_.erase(key);
      }
    }
  }
  // Removes the changes whose time is at or before `now`, and returns their number.
  std::size_t revert(std::int64_t now) {
    return std::erase_if(changes_, [now](const auto& entry) {
      return entry.second.reverts_at.has_value() && *entry.second.reverts_at <= now;
    });
  }

  // Returns the blocks of a chunk.
  ChunkIds blocksOf(const std::string& path) const {
    ChunkIds ids = suppliedFor(path);
    for (auto it = changes_.lower_bound({path, 0}); it != changes_.end() && it->first.first == path;
         ++it) {
      ids[static_cast<std::size_t>(it->first.second)] = it->second.type;
    }
    return ids;
  }
  // Compares each block of a loaded chunk.
  void expectEqual(const std::string& path, const Chunk& chunk) const {
    const ChunkIds expected = blocksOf(path);
    int block = 0;
    while (block < kBlocksPerChunk &&
           chunk.block(block) == expected[static_cast<std::size_t>(block)]) {
      ++block;
    }
    EXPECT_EQ(block, kBlocksPerChunk) << path;
  }
  // Compares what a store has of each chunk with changes.
  void expectStored(ChunkChanges& store) const {
    std::map<std::string, std::size_t> counts;
    for (const auto& [key, change] : changes_)
      ++counts[key.first];
    for (const auto& [path, count] : counts) {
      const auto stored = store.changesOf(ChunkPath::parse(path).value());
      ASSERT_TRUE(stored.ok()) << stored.status();
      EXPECT_EQ(stored->size(), count) << path;
      for (const ChangedBlock& change : *stored) {
        const auto found = changes_.find({path, change.block});
        ASSERT_NE(found, changes_.end()) << path;
        EXPECT_EQ(change.type, found->second.type);
        EXPECT_EQ(change.reverts_at, found->second.reverts_at);
      }
    }
  }

 private:
  struct Change {
    BlockTypeId type;
    std::optional<std::int64_t> reverts_at;
  };

  std::map<std::pair<std::string, int>, Change> changes_;  // by path and index
};

// Unloads every chunk, as if the program began again.
inline void unloadAll(World& world) {
  for (int level = 0; level < world.frame().levels(); ++level) {
    std::vector<ChunkCoord> loaded;
    world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk&) { loaded.push_back(at); });
    for (const ChunkCoord& at : loaded)
      ASSERT_TRUE(world.unloadChunk(level, at).ok());
  }
}

}  // namespace fractalray
