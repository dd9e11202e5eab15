// SPDX-License-Identifier: Apache-2.0
// A world as nothing but its chunks, each by its ids: what worlds and snapshots of them are
// compared with.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "../../levels/world.h"

namespace fractalray {

// A level and a place there.
using Place = std::pair<int, ChunkCoord>;
using BlockIds = std::array<BlockTypeId, kBlocksPerChunk>;

// The expectations are fatal ones.
struct WorldModel {
  // A proto chunk has no ids.
  std::map<Place, std::optional<BlockIds>> chunks;

  bool isLoaded(int level, const ChunkCoord& at) const;

  // Per level: states, counts, bounds, and which chunks are visited in what order.
  void expectLevelsEqual(const World& world) const;
  // Whether a chunk is loaded, its blocks, which of them are occupied and have a loaded child.
  void expectChunkEqual(const World& world, const Place& place) const;
  // That nothing is loaded in the cube which the level says is empty there.
  void expectEmptyCubeTrue(const World& world, const Place& place) const;
  // The words of the region and the area around a place.
  void expectMasksEqual(const World& world, const Place& place) const;
  // All of it, for every chunk of the model and the places beside it.
  void expectEqual(const World& world) const;
};

}  // namespace fractalray
