// SPDX-License-Identifier: Apache-2.0
// Checks that snapshots taken at any time keep the world's content of that time, whatever happens
// later to the world, to the engine's memory and to the other snapshots.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "../../core/internal/access.h"
#include "../../levels/internal/world_content.h"
#include "../../levels/world.h"
#include "../oracle/random_scene.h"
#include "world_model.h"

namespace fractalray {
namespace {

using oracle::Rng;

class SnapshotModelTest : public testing::Test {
 protected:
  struct Held {
    std::shared_ptr<const World> snapshot;
    WorldModel model;
    std::uint64_t version = 0;
    std::size_t types = 0;
  };

  ChunkKey randomKey(Rng& rng) const {
    const int level = rng.below(levels_);
    if (!model_.chunks.empty() && rng.below(4) != 0) {
      const auto count = static_cast<int>(model_.chunks.size());
      const ChunkKey key = std::next(model_.chunks.begin(), rng.below(count))->first;
      if (rng.oneIn(2) || key.first + 1 == levels_) return key;
      return {key.first + 1, childChunk(blockOf(key.second, rng.below(kBlocksPerChunk)))};
    }
    ChunkCoord at;
    for (int axis = 0; axis < 3; ++axis)
      at[axis] = rng.in(-reach_, reach_);
    return {level, at};
  }
  BlockTypeId randomType(Rng& rng) const {
    return static_cast<BlockTypeId>(rng.below(static_cast<int>(world_->blockTypes().size())));
  }
  BlockIds randomIds(Rng& rng) const {
    BlockIds ids;
    ids.fill(randomType(rng));
    for (int i = rng.pick({0, 1, 10, 4096}); i > 0; --i)
      ids[static_cast<std::size_t>(rng.below(kBlocksPerChunk))] = randomType(rng);
    return ids;
  }

  // Returns true if the chunk reads the engine's memory.
  bool readsEngine(const ChunkKey& key) const { return borrowed_uncopied_.contains(key); }
  void forget(const ChunkKey& key) {
    borrowed_.erase(key);
    borrowed_uncopied_.erase(key);
    read_only_.erase(key);
  }

  void load(Rng& rng, const ChunkKey& key) {
    const auto& [level, at] = key;
    const BlockIds ids = randomIds(rng);
    forget(key);
    absl::StatusOr<Chunk> chunk = Chunk::copied(ids, world_->blockTypes());
    if (rng.oneIn(2)) {
      engine_[key] = std::make_unique<BlockIds>(ids);
      const bool is_read_only = rng.oneIn(2);
      chunk = is_read_only ? Chunk::borrowed(*engine_[key], world_->blockTypes())
                           : Chunk::borrowedForWriting(*engine_[key], world_->blockTypes());
      if (is_read_only) read_only_.insert(key);
      borrowed_.insert(key);
      borrowed_uncopied_.insert(key);
    }
    ASSERT_TRUE(world_->loadChunk(level, at, *std::move(chunk)).ok());
    model_.chunks[key] = ids;
  }

  // Writes to the engine's memory; if the world reads that memory, the chunk has to be refreshed.
  void write(Rng& rng, const ChunkKey& key) {
    if (!borrowed_.contains(key)) {
      ASSERT_FALSE(world_->refreshChunk(key.first, key.second).ok());
      return;
    }
    *engine_[key] = randomIds(rng);
    if (!readsEngine(key) && rng.oneIn(2)) return;
    ASSERT_TRUE(world_->refreshChunk(key.first, key.second).ok());
    borrowed_uncopied_.insert(key);
    model_.chunks[key] = *engine_[key];
  }

  void fill(Rng& rng, const ChunkKey& key) {
    const int level = key.first;
    const ChunkCoord& at = key.second;
    const BlockTypeId type = randomType(rng);
    BlockCoord min = blockOf(at, rng.oneIn(3) ? 0 : rng.below(kBlocksPerChunk));
    BlockCoord max = min;
    for (int axis = 0; axis < 3; ++axis)
      max[axis] += rng.pick({0, 3, 15, 20});
    bool can = true;
    const auto each_block = [&](auto&& visit) {
      for (std::int64_t z = min[2]; z <= max[2]; ++z)
        for (std::int64_t y = min[1]; y <= max[1]; ++y)
          for (std::int64_t x = min[0]; x <= max[0]; ++x)
            visit(BlockCoord{x, y, z});
    };
    each_block([&](const BlockCoord& block) {
      const ChunkKey changed{level, chunkOf(block)};
      can = can && model_.isLoaded(level, changed.second) && !read_only_.contains(changed);
    });
    ASSERT_EQ(world_->fillBox(level, min, max, type).ok(), can);
    if (!can) return;
    each_block([&](const BlockCoord& block) { set({level, chunkOf(block)}, block, type); });
  }
  BlockTypeId typeAt(const ChunkKey& key, const BlockCoord& block) const {
    return (*model_.chunks.at(key))[static_cast<std::size_t>(indexInChunk(block))];
  }
  void set(const ChunkKey& key, const BlockCoord& block, BlockTypeId type) {
    BlockTypeId& id = (*model_.chunks[key])[static_cast<std::size_t>(indexInChunk(block))];
    if (id == type) return;
    id = type;
    if (borrowed_.contains(key)) {
      ASSERT_EQ((*engine_[key])[static_cast<std::size_t>(indexInChunk(block))], type)
          << "the engine's ids are not written";
    }
  }

  void change(Rng& rng) {
    const ChunkKey key = randomKey(rng);
    const auto& [level, at] = key;
    const bool is_loaded = model_.isLoaded(level, at);
    const BlockCoord block = blockOf(at, rng.below(kBlocksPerChunk));
    switch (rng.below(10)) {
      case 0:
      case 1:
        return load(rng, key);
      case 2:
        forget(key);
        ASSERT_TRUE(world_->loadChunk(level, at, Chunk::uniform(kAir, world_->blockTypes())).ok());
        model_.chunks[key].emplace().fill(kAir);
        return;
      case 3:
        ASSERT_EQ(world_->placeProtoChunk(level, at).ok(), !is_loaded);
        if (!is_loaded) model_.chunks[key] = std::nullopt;
        return;
      case 4:
        forget(key);
        ASSERT_EQ(world_->unloadChunk(level, at).ok(), model_.chunks.erase(key) > 0);
        engine_.erase(key);  // it may do so once the chunk is not loaded
        return;
      case 5: {
        const ChunkKey child{level + 1, childChunk(block)};
        const bool can =
            is_loaded && level + 1 < levels_ && !model_.isLoaded(level + 1, child.second);
        ASSERT_EQ(world_->expandBlock(level, block).ok(), can);
        if (can) {
          const BlockTypeId type = typeAt(key, block);
          model_.chunks[child].emplace().fill(type);
        }
        return;
      }
      case 6:
      case 7: {
        const BlockTypeId type = randomType(rng);
        const bool can = is_loaded && (!read_only_.contains(key) || typeAt(key, block) == type);
        ASSERT_EQ(world_->setBlock(level, block, type).ok(), can);
        if (can) set(key, block, type);
        return;
      }
      case 8:
        return fill(rng, key);
      default:
        return write(rng, key);
    }
  }

  void takeSnapshot() {
    borrowed_uncopied_.clear();
    held_.push_back({.snapshot = world_->snapshot(),
                     .model = model_,
                     .version = world_->version(),
                     .types = world_->blockTypes().size()});
  }
  void expectStillEqual(const Held& held) const {
    ASSERT_NO_FATAL_FAILURE(held.model.expectEqual(*held.snapshot));
    ASSERT_EQ(held.snapshot->version(), held.version);
    ASSERT_EQ(held.snapshot->blockTypes().size(), held.types);
    ASSERT_EQ(internal::Access::content(*held.snapshot).edits.count(), 0U);
  }

  void run(std::string_view name, int levels, std::int64_t reach, int changes) {
    Rng rng(name);
    levels_ = levels;
    reach_ = reach;
    world_ = std::make_unique<World>(
        WorldOptions{.levels = levels, .block_types = oracle::sceneTypes()});
    for (int i = 0; i < changes; ++i) {
      SCOPED_TRACE(i);
      ASSERT_NO_FATAL_FAILURE(change(rng));
      if (rng.oneIn(300)) {
        ASSERT_TRUE(world_->blockTypes().add({.name = "type of " + std::to_string(i)}).ok());
      }
      // Takes sometimes many snapshots between two changes, sometimes one between many.
      if (rng.oneIn(i % 500 < 100 ? 3 : 60)) takeSnapshot();
      if (!held_.empty() && (held_.size() > 8 || rng.oneIn(100))) {
        const int dropped = rng.below(static_cast<int>(held_.size()));
        ASSERT_NO_FATAL_FAILURE(expectStillEqual(held_[static_cast<std::size_t>(dropped)]));
        held_.erase(held_.begin() + dropped);
      }
      if (i % 50 == 0) {
        ASSERT_NO_FATAL_FAILURE(model_.expectEqual(*world_));
      }
    }
    ASSERT_NO_FATAL_FAILURE(model_.expectEqual(*world_));
    world_.reset();
    engine_.clear();
    for (const Held& held : held_)
      ASSERT_NO_FATAL_FAILURE(expectStillEqual(held));
  }

  int levels_ = 1;
  std::int64_t reach_ = 1;
  std::unique_ptr<World> world_;
  WorldModel model_;
  std::map<ChunkKey, std::unique_ptr<BlockIds>> engine_;
  std::set<ChunkKey> borrowed_;           // the chunks that borrow
  std::set<ChunkKey> read_only_;          // those of them that the library may not write to
  std::set<ChunkKey> borrowed_uncopied_;  // those of them that no snapshot has made a copy of
  std::vector<Held> held_;
};

TEST_F(SnapshotModelTest, SnapshotsStayEqualOnOneLevel) {
  run("SnapshotModelTest.OneLevel", 1, 3, 2000);
}
TEST_F(SnapshotModelTest, SnapshotsStayEqualOnThreeLevelsNearTheOrigin) {
  run("SnapshotModelTest.ThreeLevels", 3, 1, 2000);
}
TEST_F(SnapshotModelTest, SnapshotsStayEqualWithChunksFarApart) {
  run("SnapshotModelTest.FarApart", 4, 100'000, 2000);
}

}  // namespace
}  // namespace fractalray
