// SPDX-License-Identifier: Apache-2.0
// A model of a world as nothing but its chunks, each by its ids: tests compare worlds and snapshots
// with it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "../../levels/world.h"

namespace fractalray {

// A chunk's level and position.
using ChunkKey = std::pair<int, ChunkCoord>;
using BlockIds = std::array<BlockTypeId, kBlocksPerChunk>;

// All expectations are fatal.
struct WorldModel {
  // A proto chunk has no ids.
  std::map<ChunkKey, std::optional<BlockIds>> chunks;

  bool isLoaded(int level, const ChunkCoord& at) const;

  // Compares, level by level, states, counts, bounds, and the order in which chunks are visited.
  void expectLevelsEqual(const World& world) const;
  // Compares a chunk's state, its blocks, which of them are occupied and which have a loaded child.
  void expectChunkEqual(const World& world, const ChunkKey& key) const;
  // Expects that nothing is loaded in the cube that the level reports as empty there.
  void expectEmptyCubeTrue(const World& world, const ChunkKey& key) const;
  // Compares the words of the region and the area around a chunk.
  void expectMasksEqual(const World& world, const ChunkKey& key) const;
  // Compares all of it, for every chunk of the model and its neighbours.
  void expectEqual(const World& world) const;
};

}  // namespace fractalray
