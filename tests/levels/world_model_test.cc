// SPDX-License-Identifier: Apache-2.0
// After every random load, unload and edit the world equals a plain map of chunks: states, blocks,
// bounds, counts, expanded blocks and empty cubes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "fractalray/levels/world.h"
#include "fractalray/tests/oracle/random_scene.h"

namespace fractalray {
namespace {

using oracle::Rng;

using Place = std::pair<int, ChunkCoord>;
using Ids = std::array<BlockTypeId, kBlocksPerChunk>;

// The world as nothing but its chunks; a proto chunk has no ids.
using Model = std::map<Place, std::optional<Ids>>;

bool isLoaded(const Model& model, int level, const ChunkCoord& at) {
  const auto found = model.find({level, at});
  return found != model.end() && found->second.has_value();
}

class WorldModelTest : public testing::Test {
 protected:
  void start(int levels, std::int64_t reach) {
    levels_ = levels;
    reach_ = reach;
    world_ = std::make_unique<World>(
        WorldOptions{.levels = levels, .block_types = oracle::sceneTypes()});
    model_.clear();
  }

  Place randomPlace(Rng& rng) const {
    const int level = rng.below(levels_);
    ChunkCoord at;
    for (int axis = 0; axis < 3; ++axis)
      at[axis] = rng.in(-reach_, reach_);
    if (level > 0 && rng.oneIn(2)) {  // below a chunk that is there
      for (const auto& [place, ids] : model_) {
        if (place.first != level - 1 || !rng.oneIn(3)) continue;
        return {level, childChunk(blockOf(place.second, rng.pick({0, 4095, rng.below(4096)})))};
      }
    }
    if (!model_.empty() && rng.oneIn(2)) {  // one that is there
      auto it = model_.begin();
      std::advance(it, rng.below(static_cast<int>(model_.size())));
      return it->first;
    }
    return {level, at};
  }

  void change(Rng& rng) {
    const auto [level, at] = randomPlace(rng);
    const auto type = static_cast<BlockTypeId>(rng.below(6));
    const bool loaded = isLoaded(model_, level, at);
    switch (rng.below(8)) {
      case 0:
      case 1:
      case 2: {
        ASSERT_TRUE(world_->loadChunk(level, at, Chunk::uniform(type, world_->blockTypes())).ok());
        Ids ids;
        ids.fill(type);
        model_[{level, at}] = ids;
        break;
      }
      case 3:
        ASSERT_EQ(world_->placeProtoChunk(level, at).ok(), !loaded);
        if (!loaded) model_[{level, at}] = std::nullopt;
        break;
      case 4:
      case 5:
        ASSERT_EQ(world_->unloadChunk(level, at).ok(), model_.contains({level, at}));
        model_.erase({level, at});
        break;
      case 6: {
        const int index = rng.below(kBlocksPerChunk);
        ASSERT_EQ(world_->setBlock(level, blockOf(at, index), type).ok(), loaded);
        if (loaded) (*model_[{level, at}])[static_cast<std::size_t>(index)] = type;
        break;
      }
      default: {
        const int index = rng.below(kBlocksPerChunk);
        const ChunkCoord child = childChunk(blockOf(at, index));
        const bool can = loaded && level + 1 < levels_ && !isLoaded(model_, level + 1, child);
        ASSERT_EQ(world_->expandBlock(level, blockOf(at, index)).ok(), can);
        if (!can) break;
        Ids ids;
        ids.fill((*model_[{level, at}])[static_cast<std::size_t>(index)]);
        model_[{level + 1, child}] = ids;
      }
    }
  }

  void expectEqual() const {
    for (int level = 0; level < levels_; ++level) {
      std::size_t loaded = 0;
      std::size_t proto = 0;
      std::optional<std::pair<ChunkCoord, ChunkCoord>> box;
      std::vector<ChunkCoord> expected;
      for (const auto& [place, ids] : model_) {
        if (place.first != level) continue;
        const ChunkState state = ids.has_value() ? ChunkState::kLoaded : ChunkState::kProto;
        ASSERT_EQ(world_->level(level).state(place.second), state);
        ++(ids.has_value() ? loaded : proto);
        if (!ids.has_value()) continue;
        expected.push_back(place.second);
        if (!box.has_value()) box = {place.second, place.second};
        for (int axis = 0; axis < 3; ++axis) {
          box->first[axis] = std::min(box->first[axis], place.second[axis]);
          box->second[axis] = std::max(box->second[axis], place.second[axis]);
        }
      }
      const Level& actual = world_->level(level);
      ASSERT_EQ(actual.loadedChunks(), loaded);
      ASSERT_EQ(actual.protoChunks(), proto);
      ASSERT_EQ(actual.bounds().empty(), !box.has_value());
      if (box.has_value()) {
        ASSERT_EQ(actual.bounds().min(), box->first);
        ASSERT_EQ(actual.bounds().max(), box->second);
      }
      std::vector<ChunkCoord> visited;
      actual.forEachLoaded([&](const ChunkCoord& at, const Chunk&) { visited.push_back(at); });
      ASSERT_EQ(visited, expected);
    }
  }

  void expectChunkEqual(const Place& place) const {
    const auto& [level, at] = place;
    const Chunk* const chunk = world_->chunk(level, at);
    ASSERT_EQ(chunk != nullptr, isLoaded(model_, level, at));
    if (chunk == nullptr) return;
    const Ids& ids = *model_.at(place);
    for (int index = 0; index < kBlocksPerChunk; ++index) {
      const BlockCoord block = blockOf(at, index);
      ASSERT_EQ(chunk->block(index), ids[static_cast<std::size_t>(index)]);
      ASSERT_EQ(chunk->isOccupied(index),
                !world_->blockTypes().isEmptyEverywhere(chunk->block(index)));
      ASSERT_EQ(chunk->hasLoadedChild(index), isLoaded(model_, level + 1, childChunk(block)));
    }
  }

  void expectEmptyCubeTrue(const Place& place) const {
    const auto& [level, at] = place;
    const std::optional<int> empty = world_->level(level).emptyCubeLog2(at);
    ASSERT_EQ(empty.has_value(), !isLoaded(model_, level, at));
    if (!empty.has_value()) return;
    for (const auto& [other, ids] : model_) {
      if (other.first != level || !ids.has_value()) continue;
      bool inside = true;
      for (int axis = 0; axis < 3; ++axis) {
        inside = inside && other.second[axis] >= cubeMin(at[axis], *empty) &&
                 other.second[axis] <= cubeMax(at[axis], *empty);
      }
      ASSERT_FALSE(inside) << "a loaded chunk in a cube that is said to be empty";
    }
  }

  void run(std::string_view name, int levels, std::int64_t reach, int changes) {
    Rng rng(name);
    start(levels, reach);
    for (int i = 0; i < changes; ++i) {
      ASSERT_NO_FATAL_FAILURE(change(rng)) << i;
      ASSERT_NO_FATAL_FAILURE(expectEqual()) << i;
      ASSERT_NO_FATAL_FAILURE(expectChunkEqual(randomPlace(rng))) << i;
      ASSERT_NO_FATAL_FAILURE(expectEmptyCubeTrue(randomPlace(rng))) << i;
    }
    while (!model_.empty()) {
      const Place place = model_.begin()->first;
      ASSERT_NO_FATAL_FAILURE(expectChunkEqual(place));
      ASSERT_TRUE(world_->unloadChunk(place.first, place.second).ok());
      model_.erase(place);
      ASSERT_NO_FATAL_FAILURE(expectEqual());
    }
  }

  int levels_ = 1;
  std::int64_t reach_ = 1;
  std::unique_ptr<World> world_;
  Model model_;
};

TEST_F(WorldModelTest, OneLevel) {
  run("WorldModelTest.OneLevel", 1, 6, 2000);
}
TEST_F(WorldModelTest, ThreeLevelsNearTheOrigin) {
  run("WorldModelTest.ThreeLevels", 3, 1, 2500);
}
TEST_F(WorldModelTest, FiveLevelsWide) {
  run("WorldModelTest.FiveLevels", 5, 100, 2000);
}
TEST_F(WorldModelTest, TenLevels) {
  run("WorldModelTest.TenLevels", 10, 3, 2000);
}

}  // namespace
}  // namespace fractalray
