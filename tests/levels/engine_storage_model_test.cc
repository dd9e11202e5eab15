// SPDX-License-Identifier: Apache-2.0
// Chunks that borrow ids of any width, strides and table answer as a world of plain copies does,
// shot by shot, while the engine and the library edit them and snapshots are taken.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../levels/world.h"
#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "engine_storage.h"

namespace fractalray {
namespace {

using oracle::Rng;

constexpr int kTypes = 6;  // of oracle::sceneTypes()
constexpr ChunkCoord kFirst{-1, -1, 5};
constexpr Vec3i kChunks{3, 2, 2};

// An engine that keeps each chunk in a storage of its own, all of one layout, a world that borrows
// them, and one of copies that only the test edits.
class BorrowedTwin {
 public:
  explicit BorrowedTwin(std::string_view name)
      : rng_(name), id_bytes_(rng_.pick({1, 2, 4})), is_writable_(rng_.oneIn(2)) {
    if (!rng_.oneIn(4)) table_ = randomTable();
    const Vec3i strides = EngineStorage::randomStrides(rng_, 16, id_bytes_);
    forEachChunk([&](const ChunkCoord& at) {
      storages_.emplace_back(16, id_bytes_, strides, table_);
      fillAtRandom(storages_.back());
      const IdLayout layout = storages_.back().layout();
      absl::StatusOr<Chunk> chunk =
          is_writable_
              ? Chunk::borrowedForWriting(storages_.back().first(), layout, world_.blockTypes())
              : Chunk::borrowed(storages_.back().first(), layout, world_.blockTypes());
      EXPECT_TRUE(chunk.ok()) << chunk.status();
      EXPECT_TRUE(world_.loadChunk(0, at, *std::move(chunk)).ok());
      EXPECT_TRUE(copies_.loadChunk(0, at, Chunk()).ok());
    });
    takeOver(blockOf(kFirst, 0), lastBlock());
  }

  // Edits a block or some, by the engine or by the library. Skips the refresh if asked to; then
  // returns true if the engine has changed a block.
  bool edit(bool skip_refresh = false) {
    switch (rng_.below(is_writable_ ? 8 : 6)) {
      case 0:
      case 1:
      case 2: {
        const BlockCoord at = randomBlock();
        const bool changes = writeByEngine(at);
        if (!skip_refresh) {
          EXPECT_TRUE(world_.refreshBlock(0, at).ok());
        }
        takeOver(at, at);
        return changes;
      }
      case 3:
      case 4: {
        const auto [min, max] = randomBox();
        const bool changes = writeSome(min, max);
        if (!skip_refresh) {
          EXPECT_TRUE(world_.refreshBox(0, min, max).ok());
        }
        takeOver(min, max);
        return changes;
      }
      case 5: {
        const BlockCoord at = randomBlock();
        const ChunkCoord chunk = chunkOf(at);
        const bool changes = writeSome(blockOf(chunk, 0), blockOf(chunk, kBlocksPerChunk - 1));
        if (!skip_refresh) {
          EXPECT_TRUE(world_.refreshChunk(0, chunk).ok());
        }
        takeOver(blockOf(chunk, 0), blockOf(chunk, kBlocksPerChunk - 1));
        return changes;
      }
      case 6:
        editByLibrary(randomBlock());
        return false;
      default:
        const auto [min, max] = randomBox();
        fillByLibrary(min, max);
        return false;
    }
  }

  void takeSnapshot() { held_.emplace_back(world_.snapshot(), copies_.snapshot()); }
  void dropSnapshot() {
    if (!held_.empty()) held_.erase(held_.begin());
  }

  // Returns the first difference between shots through the two worlds and the snapshots held.
  std::string difference(int shots) {
    std::string found = shotDifference(world_, copies_, shots);
    for (const auto& [snapshot, copies] : held_) {
      if (found.empty()) found = shotDifference(*snapshot, *copies, shots);
    }
    return found;
  }

 private:
  EngineStorage::Table randomTable() {
    std::vector<BlockTypeId> types;
    const int size = rng_.pick({kTypes, 40, 256});
    for (int id = 0; id < size; ++id)
      types.push_back(rng_.oneIn(4) ? kNoBlockType : static_cast<BlockTypeId>(rng_.below(kTypes)));
    types[0] = kAir;  // with which a storage begins
    types[static_cast<std::size_t>(size) - 1] = oracle::kStone;
    return types;
  }
  std::uint32_t randomId() {
    if (!table_.has_value()) return static_cast<std::uint32_t>(rng_.below(kTypes));
    while (true) {
      const int id = rng_.below(static_cast<int>(table_->size()));
      if ((*table_)[static_cast<std::size_t>(id)] != kNoBlockType)
        return static_cast<std::uint32_t>(id);
    }
  }
  void fillAtRandom(EngineStorage& storage) {
    const std::uint32_t most = rng_.oneIn(3) ? randomId() : 0;
    for (std::int64_t i = 0; i < kBlocksPerChunk; ++i)
      storage.write({i & 15, (i >> 4) & 15, i >> 8}, rng_.oneIn(30) ? randomId() : most);
  }

  template <class Visit>
  static void forEachChunk(const Visit& visit) {
    for (std::int64_t z = 0; z < kChunks[2]; ++z)
      for (std::int64_t y = 0; y < kChunks[1]; ++y)
        for (std::int64_t x = 0; x < kChunks[0]; ++x)
          visit(kFirst + ChunkCoord{x, y, z});
  }
  template <class Visit>
  static void forEachBlock(const BlockCoord& min, const BlockCoord& max, const Visit& visit) {
    for (std::int64_t z = min[2]; z <= max[2]; ++z)
      for (std::int64_t y = min[1]; y <= max[1]; ++y)
        for (std::int64_t x = min[0]; x <= max[0]; ++x)
          visit(BlockCoord{x, y, z});
  }
  static BlockCoord lastBlock() {
    return blockOf(kFirst + ChunkCoord{kChunks[0] - 1, kChunks[1] - 1, kChunks[2] - 1},
                   kBlocksPerChunk - 1);
  }
  static Vec3i within(const BlockCoord& at) { return {at[0] & 15, at[1] & 15, at[2] & 15}; }
  EngineStorage& storageOf(const BlockCoord& at) {
    const ChunkCoord chunk = chunkOf(at) - kFirst;
    return storages_[static_cast<std::size_t>(chunk[0] +
                                              kChunks[0] * (chunk[1] + kChunks[1] * chunk[2]))];
  }
  BlockCoord randomBlock() {
    BlockCoord at = blockOf(kFirst, 0);
    for (int axis = 0; axis < 3; ++axis)
      at[axis] += rng_.in(0, 16 * kChunks[axis] - 1);
    return at;
  }
  std::pair<BlockCoord, BlockCoord> randomBox() {
    const BlockCoord min = randomBlock();
    BlockCoord max = min;
    for (int axis = 0; axis < 3; ++axis)
      max[axis] = std::min(max[axis] + rng_.pick({0, 1, 5, 20}), lastBlock()[axis]);
    return {min, max};
  }

  // Writes an id as the engine; returns true if the type has changed.
  bool writeByEngine(const BlockCoord& at) {
    EngineStorage& storage = storageOf(at);
    const BlockTypeId before = storage.type(within(at));
    storage.write(within(at), randomId());
    return storage.type(within(at)) != before;
  }
  bool writeSome(const BlockCoord& min, const BlockCoord& max) {
    bool changes = false;
    forEachBlock(min, max, [&](const BlockCoord& at) {
      if (rng_.oneIn(10)) changes = writeByEngine(at) || changes;
    });
    return changes;
  }
  // Sets blocks of the copies to what the engine has.
  void takeOver(const BlockCoord& min, const BlockCoord& max) {
    forEachBlock(min, max, [&](const BlockCoord& at) {
      ASSERT_TRUE(copies_.setBlock(0, at, storageOf(at).type(within(at))).ok());
    });
  }
  bool hasIdFor(BlockTypeId type) const {
    if (!table_.has_value()) return true;
    return std::find(table_->begin(), table_->end(), type) != table_->end();
  }
  void editByLibrary(const BlockCoord& at) {
    const auto type = static_cast<BlockTypeId>(rng_.below(kTypes));
    const bool can = hasIdFor(type) || storageOf(at).type(within(at)) == type;
    ASSERT_EQ(world_.setBlock(0, at, type).ok(), can);
    if (!can) return;
    ASSERT_EQ(storageOf(at).type(within(at)), type) << "the engine's id is not written";
    takeOver(at, at);
  }
  void fillByLibrary(const BlockCoord& min, const BlockCoord& max) {
    const auto type = static_cast<BlockTypeId>(rng_.below(kTypes));
    ASSERT_EQ(world_.fillBox(0, min, max, type).ok(), hasIdFor(type));
    if (!hasIdFor(type)) return;
    forEachBlock(min, max,
                 [&](const BlockCoord& at) { ASSERT_EQ(storageOf(at).type(within(at)), type); });
    takeOver(min, max);
  }

  std::string shotDifference(const World& world, const World& copies, int shots) {
    const EntityIndex entities(world.frame());
    const RayQueryService service(world, entities);
    const RayQueryService expected(copies, entities);
    for (int i = 0; i < shots; ++i) {
      Segment segment;
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t low = 64 * (blockOf(kFirst, 0)[axis] - 2);
        const std::int64_t high = 64 * (lastBlock()[axis] + 3);
        const std::int64_t grain = rng_.pick({1, 16, 64});  // of 64ths: also through corners
        segment.from[axis] = static_cast<double>(rng_.in(low, high) / grain * grain) / 64;
        segment.to[axis] = static_cast<double>(rng_.in(low, high) / grain * grain) / 64;
      }
      for (const ChannelId channel : {kDefaultChannel, oracle::kVisible}) {
        const QueryOptions options{.filter = {.channel = channel},
                                   .report_unknown = true,
                                   .pass = rng_.oneIn(4) ? SearchPass::kPlain : SearchPass::kFast};
        ShotResult shot = service.shootSegment(segment, world.allLevels(), options).value();
        const ShotResult other = expected.shootSegment(segment, world.allLevels(), options).value();
        shot.version = other.version;
        if (std::string found = oracle::difference(shot, other); !found.empty()) return found;
      }
    }
    return "";
  }

  Rng rng_;
  int id_bytes_;
  bool is_writable_;
  EngineStorage::Table table_;
  std::vector<EngineStorage> storages_;
  World world_{{.levels = 1, .block_types = oracle::sceneTypes()}};
  World copies_{{.levels = 1, .block_types = oracle::sceneTypes()}};
  std::vector<std::pair<std::shared_ptr<const World>, std::shared_ptr<const World>>> held_;
};

TEST(EngineStorageModelTest, ShotsEqualThoseThroughCopies) {
  Rng rng("EngineStorageModelTest");
  for (int round = 0; round < 40; ++round) {
    SCOPED_TRACE(round);
    BorrowedTwin twin("EngineStorageModelTest " + std::to_string(round));
    ASSERT_EQ(twin.difference(20), "");
    for (int i = 0; i < 30; ++i) {
      SCOPED_TRACE(i);
      twin.edit();
      if (rng.oneIn(6)) twin.takeSnapshot();
      if (rng.oneIn(8)) twin.dropSnapshot();
      if (i % 3 == 0) {
        ASSERT_EQ(twin.difference(6), "");
      }
    }
    ASSERT_EQ(twin.difference(20), "");
  }
}

TEST(EngineStorageModelTest, ASkippedRefreshIsNoticed) {
  int skipped = 0;
  int noticed = 0;
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE(round);
    BorrowedTwin twin("EngineStorageModelTest.Skipped " + std::to_string(round));
    ASSERT_EQ(twin.difference(20), "");
    bool has_changed = false;
    for (int i = 0; i < 30; ++i)
      has_changed = twin.edit(true) || has_changed;
    skipped += has_changed ? 1 : 0;
    noticed += twin.difference(100).empty() ? 0 : 1;
  }
  EXPECT_GE(skipped, 19);
  EXPECT_GE(noticed, skipped - 2) << "the others changed only what no shot hit";
}

}  // namespace
}  // namespace fractalray
