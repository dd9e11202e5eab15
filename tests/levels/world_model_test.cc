// SPDX-License-Identifier: Apache-2.0
// Checks that after every random load, unload and edit the world equals a plain map of chunks:
// states, blocks, bounds, counts, expanded blocks and empty cubes.
#include "world_model.h"

#include <gtest/gtest.h>

#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "../../levels/world.h"
#include "../oracle/random_scene.h"

namespace fractalray {
namespace {

using oracle::Rng;

class WorldModelTest : public testing::Test {
 protected:
  void start(int levels, std::int64_t reach) {
    levels_ = levels;
    reach_ = reach;
    world_ = std::make_unique<World>(
        WorldOptions{.levels = levels, .block_types = oracle::sceneTypes()});
    model_ = {};
  }

  ChunkKey randomKey(Rng& rng) const {
    const int level = rng.below(levels_);
    ChunkCoord at;
    for (int axis = 0; axis < 3; ++axis)
      at[axis] = rng.in(-reach_, reach_);
    if (level > 0 && rng.oneIn(2)) {  // below an existing chunk
      for (const auto& [key, ids] : model_.chunks) {
        if (key.first != level - 1 || !rng.oneIn(3)) continue;
        return {level, childChunk(blockOf(key.second, rng.pick({0, 4095, rng.below(4096)})))};
      }
    }
    if (!model_.chunks.empty() && rng.oneIn(2)) {  // an existing one
      auto it = model_.chunks.begin();
      std::advance(it, rng.below(static_cast<int>(model_.chunks.size())));
      return it->first;
    }
    return {level, at};
  }

  void change(Rng& rng) {
    const auto [level, at] = randomKey(rng);
    const auto type = static_cast<BlockTypeId>(rng.below(6));
    const bool loaded = model_.isLoaded(level, at);
    switch (rng.below(9)) {
      case 0:
      case 1:
      case 2: {
        ASSERT_TRUE(world_->loadChunk(level, at, Chunk::uniform(type, world_->blockTypes())).ok());
        BlockIds ids;
        ids.fill(type);
        model_.chunks[{level, at}] = ids;
        break;
      }
      case 3:
        ASSERT_EQ(world_->placeProtoChunk(level, at).ok(), !loaded);
        if (!loaded) model_.chunks[{level, at}] = std::nullopt;
        break;
      case 4:
      case 5:
        ASSERT_EQ(world_->unloadChunk(level, at).ok(), model_.chunks.contains({level, at}));
        model_.chunks.erase({level, at});
        break;
      case 6: {
        const int index = rng.below(kBlocksPerChunk);
        ASSERT_EQ(world_->setBlock(level, blockOf(at, index), type).ok(), loaded);
        if (loaded) (*model_.chunks[{level, at}])[static_cast<std::size_t>(index)] = type;
        break;
      }
      case 7:
        return moveBlock(rng, level, blockOf(at, rng.below(kBlocksPerChunk)));
      default: {
        const int index = rng.below(kBlocksPerChunk);
        const ChunkCoord child = childChunk(blockOf(at, index));
        const bool can = loaded && level + 1 < levels_ && !model_.isLoaded(level + 1, child);
        ASSERT_EQ(world_->expandBlock(level, blockOf(at, index)).ok(), can);
        if (!can) break;
        BlockIds ids;
        ids.fill((*model_.chunks[{level, at}])[static_cast<std::size_t>(index)]);
        model_.chunks[{level + 1, child}] = ids;
      }
    }
  }

  // Moves to a block of the same chunk or another.
  void moveBlock(Rng& rng, int level, const BlockCoord& from) {
    const auto [other_level, other] = randomKey(rng);
    const ChunkCoord chunk = other_level == level ? other : chunkOf(from);
    const BlockCoord to = blockOf(chunk, rng.below(kBlocksPerChunk));
    const auto can_move = [&](const BlockCoord& at) {
      return model_.isLoaded(level, chunkOf(at)) && !model_.isLoaded(level + 1, childChunk(at));
    };
    const bool can = can_move(from) && can_move(to);
    ASSERT_EQ(world_->moveBlock(level, from, to).ok(), can);
    if (!can) return;
    const auto block = [&](const BlockCoord& at) -> BlockTypeId& {
      return (*model_.chunks[{level, chunkOf(at)}])[static_cast<std::size_t>(indexInChunk(at))];
    };
    const BlockTypeId type = std::exchange(block(from), kAir);
    block(to) = type;
  }

  void run(std::string_view name, int levels, std::int64_t reach, int changes) {
    Rng rng(name);
    start(levels, reach);
    for (int i = 0; i < changes; ++i) {
      ASSERT_NO_FATAL_FAILURE(change(rng)) << i;
      ASSERT_NO_FATAL_FAILURE(model_.expectLevelsEqual(*world_)) << i;
      ASSERT_NO_FATAL_FAILURE(model_.expectChunkEqual(*world_, randomKey(rng))) << i;
      ASSERT_NO_FATAL_FAILURE(model_.expectEmptyCubeTrue(*world_, randomKey(rng))) << i;
      ASSERT_NO_FATAL_FAILURE(model_.expectMasksEqual(*world_, randomKey(rng))) << i;
    }
    while (!model_.chunks.empty()) {
      const ChunkKey key = model_.chunks.begin()->first;
      ASSERT_NO_FATAL_FAILURE(model_.expectChunkEqual(*world_, key));
      ASSERT_TRUE(world_->unloadChunk(key.first, key.second).ok());
      model_.chunks.erase(key);
      ASSERT_NO_FATAL_FAILURE(model_.expectLevelsEqual(*world_));
    }
  }

  int levels_ = 1;
  std::int64_t reach_ = 1;
  std::unique_ptr<World> world_;
  WorldModel model_;
};

TEST_F(WorldModelTest, StaysEqualToTheModelOnOneLevel) {
  run("WorldModelTest.OneLevel", 1, 6, 2000);
}
TEST_F(WorldModelTest, StaysEqualToTheModelOnThreeLevelsNearTheOrigin) {
  run("WorldModelTest.ThreeLevels", 3, 1, 2500);
}
TEST_F(WorldModelTest, StaysEqualToTheModelOnFiveLevelsFarApart) {
  run("WorldModelTest.FiveLevels", 5, 100, 2000);
}
TEST_F(WorldModelTest, StaysEqualToTheModelOnTenLevels) {
  run("WorldModelTest.TenLevels", 10, 3, 2000);
}

}  // namespace
}  // namespace fractalray
