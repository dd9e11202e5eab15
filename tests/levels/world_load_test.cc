// SPDX-License-Identifier: Apache-2.0
// Several chunks loaded at once, and boxes of blocks for chunks of any size: all of it or nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../levels/world.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "world_model.h"

namespace fractalray::world_load_test {
namespace {

using oracle::AllocationFailure;
using oracle::failEachAllocation;
using oracle::kGlass;
using oracle::kStone;
using oracle::kWater;
using testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

// A world of three levels with some chunks and a placeholder, and its model.
class WorldLoadTest : public testing::Test {
 protected:
  WorldLoadTest() {
    load({0, {0, 0, 0}}, kStone);
    load({1, {1, 1, 1}}, kWater);
    load({1, {2, 1, 1}}, kAir);
    load({2, {20, 17, 17}}, kStone);
    EXPECT_TRUE(world.placeProtoChunk(1, {3, 1, 1}).ok());
    model.chunks[{1, {3, 1, 1}}] = std::nullopt;
  }
  void load(const ChunkKey& key, BlockTypeId type) {
    EXPECT_TRUE(
        world.loadChunk(key.first, key.second, Chunk::uniform(type, world.blockTypes())).ok());
    model.chunks[key].emplace().fill(type);
  }
  static BlockTypeId typeOf(const BlockCoord& at) {
    return static_cast<BlockTypeId>(((at[0] * 7 + at[1] * 3 + at[2]) % 5 + 5) % 5);
  }
  void loadInModel(int level, const BlockCoord& min, const BlockCoord& max) {
    for (std::int64_t z = min[2]; z <= max[2]; ++z) {
      for (std::int64_t y = min[1]; y <= max[1]; ++y) {
        for (std::int64_t x = min[0]; x <= max[0]; ++x) {
          const BlockCoord at{x, y, z};
          auto& ids = model.chunks[{level, chunkOf(at)}];
          if (!ids.has_value()) ids.emplace().fill(kAir);
          (*ids)[static_cast<std::size_t>(indexInChunk(at))] = typeOf(at);
        }
      }
    }
  }
  void expectUnchanged(const absl::Status& status, absl::StatusCode code,
                       const std::string& part) const {
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(part));
    model.expectEqual(world);
    EXPECT_EQ(world.version(), version);
  }
  void remember() { version = world.version(); }

  World world{{.levels = 3, .block_types = oracle::sceneTypes()}};
  WorldModel model;
  std::uint64_t version = 0;
};

TEST_F(WorldLoadTest, ABoxAsksForEachBlockOnceAndKeepsTheOthers) {
  const BlockCoord min{24, 20, 16};
  const BlockCoord max{47, 43, 39};
  std::set<BlockCoord> asked;
  ASSERT_TRUE(world
                  .loadBox(1, min, max,
                           [&](const BlockCoord& at) {
                             EXPECT_TRUE(asked.insert(at).second);
                             for (int axis = 0; axis < 3; ++axis)
                               EXPECT_TRUE(at[axis] >= min[axis] && at[axis] <= max[axis]);
                             return typeOf(at);
                           })
                  .ok());
  EXPECT_EQ(asked.size(), 24U * 24 * 24);
  loadInModel(1, min, max);
  ASSERT_NO_FATAL_FAILURE(model.expectEqual(world));
  EXPECT_EQ(world.block(1, {16, 16, 16}).value(), kWater) << "loaded before, next to the box";
  EXPECT_EQ(world.block(1, {33, 47, 16}).value(), kAir) << "next to the box";
  // Boxes of one chunk, whole and in part.
  for (const BlockCoord& last : {BlockCoord{15, 15, 15}, BlockCoord{4, 15, 9}}) {
    const BlockCoord first{0, 0, -16};
    const BlockCoord end = last + first;
    ASSERT_TRUE(world.loadBox(2, first, end, typeOf).ok());
    loadInModel(2, first, end);
    ASSERT_NO_FATAL_FAILURE(model.expectEqual(world));
  }
}

TEST_F(WorldLoadTest, ABoxThatCannotBeLoadedChangesNothing) {
  const auto engine = std::make_unique<BlockIds>(BlockIds{});
  ASSERT_TRUE(
      world.loadChunk(1, {4, 1, 1}, Chunk::borrowed(*engine, world.blockTypes()).value()).ok());
  model.chunks[{1, {4, 1, 1}}].emplace().fill(kAir);
  remember();
  const auto stone = [](const BlockCoord&) { return kStone; };
  expectUnchanged(world.loadBox(7, {0, 0, 0}, {1, 1, 1}, stone), kInvalid, "level 7");
  expectUnchanged(world.loadBox(1, {2, 0, 0}, {1, 1, 1}, stone), kInvalid, "not ordered");
  const std::int64_t far = std::int64_t{1} << 60;
  expectUnchanged(world.loadBox(1, {0, 0, 0}, {far, 0, 0}, stone), absl::StatusCode::kOutOfRange,
                  "outside");
  expectUnchanged(world.loadBox(2, {0, 0, 0}, {1 << 20, 1 << 20, 1 << 20}, stone), kInvalid,
                  "in parts");
  expectUnchanged(world.loadBox(1, {16, 16, 16}, {64, 16, 16}, stone),
                  absl::StatusCode::kFailedPrecondition, "[4, 1, 1]");
  expectUnchanged(
      world.loadBox(1, {16, 16, 16}, {40, 16, 16},
                    [](const BlockCoord& at) { return at[0] == 39 ? BlockTypeId{99} : kGlass; }),
      kInvalid, "block [39, 16, 16] of level 1 has type 99");
  EXPECT_THROW(static_cast<void>(world.loadBox(1, {16, 16, 16}, {40, 16, 16},
                                               [](const BlockCoord& at) {
                                                 if (at[0] == 40)
                                                   throw std::runtime_error("the engine's");
                                                 return kGlass;
                                               })),
               std::runtime_error);
  expectUnchanged(absl::OkStatus(), absl::StatusCode::kOk, "");
  // A chunk that borrows is replaced if the box covers it.
  ASSERT_TRUE(world.loadBox(1, {64, 16, 16}, {79, 31, 31}, stone).ok());
  EXPECT_FALSE(world.chunk(1, {4, 1, 1})->isBorrowed());
}

// Chunks over chunks, placeholders and nothing, some twice, next to others whose regions and
// parents they share.
TEST_F(WorldLoadTest, AnyChangesAreAllMadeOrNone) {
  if (!AllocationFailure::isSupported()) GTEST_SKIP();
  oracle::Rng rng("WorldLoadTest.AnyChanges");
  std::size_t failures = 0;
  for (int round = 0; round < 10; ++round) {
    const std::shared_ptr<const World> snapshot = rng.oneIn(2) ? world.snapshot() : nullptr;
    const int level = rng.pick({0, 1, 2});
    // Across the sides of regions, areas and parents.
    const auto index = [&] { return rng.pick({0, 3, 15, 16}) + rng.in(0, 1); };
    const ChunkCoord placed{index(), index(), index()};
    if (world.chunk(1, placed) == nullptr) {
      ASSERT_TRUE(world.placeProtoChunk(1, placed).ok());
      model.chunks[{1, placed}] = std::nullopt;
    }
    std::vector<ChunkChange> changes;
    while (changes.size() < 12) {
      changes.push_back({.at = rng.oneIn(6) ? placed : ChunkCoord{index(), index(), index()}});
      if (rng.oneIn(3)) continue;
      changes.back().chunk = Chunk::uniform(rng.pick({kAir, kStone}), world.blockTypes());
    }
    remember();
    failures += failEachAllocation(
        [&] { ASSERT_TRUE(world.replaceChunks(level, changes).ok()); },
        [&](std::size_t n) {
          SCOPED_TRACE(n);
          ASSERT_NO_FATAL_FAILURE(expectUnchanged(absl::OkStatus(), absl::StatusCode::kOk, ""));
        });
    for (const ChunkChange& change : changes) {
      model.chunks.erase({level, change.at});
      if (change.chunk.has_value())
        model.chunks[{level, change.at}].emplace().fill(change.chunk->block(0));
    }
    ASSERT_NO_FATAL_FAILURE(model.expectEqual(world)) << round;
  }
  EXPECT_GT(failures, 100U);
}

TEST_F(WorldLoadTest, SeveralChangesAreMadeInOrder) {
  std::vector<ChunkChange> changes;
  changes.push_back({.at = {1, 1, 1}});
  changes.push_back({.at = {9, 9, 9}});  // which is not there
  changes.push_back({.at = {3, 1, 1}, .chunk = Chunk::uniform(kGlass, world.blockTypes())});
  changes.push_back({.at = {5, 5, 5}, .chunk = Chunk::uniform(kGlass, world.blockTypes())});
  changes.push_back({.at = {5, 5, 5}, .chunk = Chunk::uniform(kStone, world.blockTypes())});
  remember();
  ASSERT_TRUE(world.replaceChunks(1, std::move(changes)).ok());
  model.chunks.erase({1, {1, 1, 1}});
  model.chunks[{1, {3, 1, 1}}].emplace().fill(kGlass);
  model.chunks[{1, {5, 5, 5}}].emplace().fill(kStone);
  ASSERT_NO_FATAL_FAILURE(model.expectEqual(world));
  EXPECT_GT(world.version(), version);
  remember();
  EXPECT_TRUE(world.replaceChunks(1, {}).ok());
  EXPECT_TRUE(world.replaceChunks(1, {{.at = {9, 9, 9}}}).ok());
  expectUnchanged(world.replaceChunks(8, {}), kInvalid, "level 8");
  World other;
  const Chunk foreign = Chunk::uniform(*other.blockTypes().add({.name = "a"}), other.blockTypes());
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(other.blockTypes().add({.name = std::to_string(i)}).ok());
  BlockIds ids;
  ids.fill(BlockTypeId{15});
  const Chunk unknown = Chunk::copied(ids, other.blockTypes()).value();
  expectUnchanged(world.replaceChunks(1, {{.at = {5, 5, 5}, .chunk = foreign},
                                          {.at = {5, 5, 6}, .chunk = unknown}}),
                  kInvalid, "chunk [5, 5, 6] of level 1 is not loaded");
}

TEST_F(WorldLoadTest, IfMemoryRunsOutNothingHasChanged) {
  if (!AllocationFailure::isSupported()) GTEST_SKIP() << "not with this sanitizer";
  for (const bool is_held : {false, true}) {
    std::shared_ptr<const World> snapshot = world.snapshot();
    const WorldModel before = model;
    if (!is_held) snapshot.reset();
    remember();
    const auto expect_unchanged = [&](std::size_t n) {
      SCOPED_TRACE(n);
      ASSERT_NO_FATAL_FAILURE(model.expectEqual(world));
      ASSERT_EQ(world.version(), version);
    };
    const BlockCoord min{24, 20, is_held ? 16 : -20};
    const BlockCoord max = min + BlockCoord{23, 23, 23};
    EXPECT_GT(failEachAllocation([&] { EXPECT_TRUE(world.loadBox(1, min, max, typeOf).ok()); },
                                 expect_unchanged),
              20U);
    loadInModel(1, min, max);
    ASSERT_NO_FATAL_FAILURE(model.expectEqual(world));
    remember();
    EXPECT_GT(failEachAllocation(
                  [&] {
                    const std::int64_t x = is_held ? 200 : 100;
                    EXPECT_TRUE(world
                                    .replaceChunks(1, {{.at = {x, 1, 1}, .chunk = Chunk()},
                                                       {.at = {1, 1, 1}},
                                                       {.at = {x, -9, 1}, .chunk = Chunk()}})
                                    .ok());
                  },
                  expect_unchanged),
              3U);
    for (const std::int64_t y : {1, -9})
      model.chunks[{1, {is_held ? 200 : 100, y, 1}}].emplace().fill(kAir);
    model.chunks.erase({1, {1, 1, 1}});
    ASSERT_NO_FATAL_FAILURE(model.expectEqual(world));
    if (is_held) {
      ASSERT_NO_FATAL_FAILURE(before.expectEqual(*snapshot));
    }
  }
}

}  // namespace
}  // namespace fractalray::world_load_test
