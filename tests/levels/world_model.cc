// SPDX-License-Identifier: Apache-2.0
#include "world_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "../../core/internal/access.h"
#include "../../core/internal/tree64/area_map.h"
#include "../../core/internal/tree64/sparse_cell_set.h"
#include "../../levels/internal/world_content.h"

namespace fractalray {
namespace {

// Returns true if the chunk is in the aligned cube of 2^log2 chunks around `at`.
bool isInCube(const ChunkCoord& chunk, const ChunkCoord& at, int log2) {
  for (int axis = 0; axis < 3; ++axis) {
    if (chunk[axis] < cubeMin(at[axis], log2) || chunk[axis] > cubeMax(at[axis], log2)) {
      return false;
    }
  }
  return true;
}

// Returns true if a chunk with these ids, if it is loaded, is not empty in every channel.
bool isOccupied(const World& world, const std::optional<BlockIds>& ids) {
  return ids.has_value() && std::any_of(ids->begin(), ids->end(), [&](BlockTypeId type) {
           return !world.blockTypes().isEmptyEverywhere(type);
         });
}

}  // namespace

bool WorldModel::isLoaded(int level, const ChunkCoord& at) const {
  const auto found = chunks.find({level, at});
  return found != chunks.end() && found->second.has_value();
}

void WorldModel::expectLevelsEqual(const World& world) const {
  for (int level = 0; level < world.frame().levels(); ++level) {
    std::size_t loaded = 0;
    std::size_t proto = 0;
    std::optional<std::pair<ChunkCoord, ChunkCoord>> box;
    std::vector<ChunkCoord> expected;
    for (const auto& [key, ids] : chunks) {
      if (key.first != level) continue;
      const ChunkState state = ids.has_value() ? ChunkState::kLoaded : ChunkState::kProto;
      ASSERT_EQ(world.chunkState(level, key.second), state);
      ++(ids.has_value() ? loaded : proto);
      if (!ids.has_value()) continue;
      expected.push_back(key.second);
      if (!box.has_value()) box = {key.second, key.second};
      for (int axis = 0; axis < 3; ++axis) {
        box->first[axis] = std::min(box->first[axis], key.second[axis]);
        box->second[axis] = std::max(box->second[axis], key.second[axis]);
      }
    }
    ASSERT_EQ(world.loadedChunks(level), loaded);
    ASSERT_EQ(world.protoChunks(level), proto);
    bool is_empty = true;
    for (const auto& [key, ids] : chunks)
      is_empty = is_empty && !(key.first == level && isOccupied(world, ids));
    ASSERT_EQ(internal::Access::content(world).level(level).isEmpty(), is_empty);
    const std::optional<ChunkBox> actual = world.loadedBox(level);
    ASSERT_EQ(actual.has_value(), box.has_value());
    if (box.has_value()) {
      ASSERT_EQ(actual->min, box->first);
      ASSERT_EQ(actual->max, box->second);
    }
    std::vector<ChunkCoord> visited;
    world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk&) { visited.push_back(at); });
    ASSERT_EQ(visited, expected);
  }
}

void WorldModel::expectChunkEqual(const World& world, const ChunkKey& key) const {
  const auto& [level, at] = key;
  const Chunk* const chunk = world.chunk(level, at);
  ASSERT_EQ(chunk != nullptr, isLoaded(level, at));
  if (chunk == nullptr) return;
  const BlockIds& ids = *chunks.at(key);
  for (int index = 0; index < kBlocksPerChunk; ++index) {
    const BlockTypeId type = ids[static_cast<std::size_t>(index)];
    ASSERT_EQ(chunk->block(index), type);
    ASSERT_EQ(chunk->isOccupied(index), !world.blockTypes().isEmptyEverywhere(type));
    ASSERT_EQ(chunk->hasLoadedChild(index), isLoaded(level + 1, childChunk(blockOf(at, index))));
  }
}

void WorldModel::expectEmptyCubeTrue(const World& world, const ChunkKey& key) const {
  const auto& [level, at] = key;
  const std::optional<int> empty = internal::Access::content(world).level(level).emptyCubeLog2(at);
  ASSERT_EQ(empty.has_value(), !isLoaded(level, at));
  if (!empty.has_value()) return;
  for (const auto& [other, ids] : chunks) {
    if (other.first != level || !ids.has_value()) continue;
    ASSERT_FALSE(isInCube(other.second, at, *empty))
        << "a loaded chunk in a cube that was reported as empty";
  }
}

void WorldModel::expectMasksEqual(const World& world, const ChunkKey& key) const {
  const auto& [level, at] = key;
  const auto bit = [](int slot) { return std::uint64_t{1} << slot; };
  std::uint64_t loaded = 0;
  std::uint64_t occupied = 0;
  std::uint64_t proto = 0;
  bool is_area_there = false;
  std::array<int, 64> loaded_by_region{};
  std::array<int, 64> occupied_by_region{};
  for (const auto& [other, ids] : chunks) {
    if (other.first != level || !isInCube(other.second, at, 4)) continue;
    is_area_there = true;
    const bool is_occupied = isOccupied(world, ids);
    const auto region = static_cast<std::size_t>(internal::slotInArea(other.second));
    loaded_by_region[region] += ids.has_value() ? 1 : 0;
    occupied_by_region[region] += is_occupied ? 1 : 0;
    if (!isInCube(other.second, at, 2)) continue;
    const int slot = internal::slotInRegion(other.second);
    (ids.has_value() ? loaded : proto) |= bit(slot);
    occupied |= is_occupied ? bit(slot) : 0;
  }
  const internal::Region* const region = internal::Access::content(world).level(level).region(at);
  ASSERT_EQ(region != nullptr, (loaded | proto) != 0);
  if (region != nullptr) {
    ASSERT_EQ(region->loaded(), loaded);
    ASSERT_EQ(region->occupied(), occupied);
    ASSERT_EQ(region->proto(), proto);
  }
  const internal::Area* const area = internal::Access::content(world).level(level).area(at);
  ASSERT_EQ(area != nullptr, is_area_there);
  if (area == nullptr) return;
  for (int slot = 0; slot < 64; ++slot) {
    const auto i = static_cast<std::size_t>(slot);
    ASSERT_EQ((area->loaded() & bit(slot)) != 0, loaded_by_region[i] > 0);
    ASSERT_EQ((area->complete() & bit(slot)) != 0, loaded_by_region[i] == 64);
    ASSERT_EQ((area->occupied() & bit(slot)) != 0, occupied_by_region[i] > 0);
  }
}

void WorldModel::expectEqual(const World& world) const {
  ASSERT_NO_FATAL_FAILURE(expectLevelsEqual(world));
  for (const auto& [key, ids] : chunks) {
    ASSERT_NO_FATAL_FAILURE(expectChunkEqual(world, key));
    ASSERT_NO_FATAL_FAILURE(expectMasksEqual(world, key));
    ChunkKey neighbour = key;
    ++neighbour.second[0];
    ASSERT_NO_FATAL_FAILURE(expectEmptyCubeTrue(world, neighbour));
    ASSERT_NO_FATAL_FAILURE(expectMasksEqual(world, neighbour));
  }
}

}  // namespace fractalray
