// SPDX-License-Identifier: Apache-2.0
// Edits and refreshes of chunks in an engine's own layout are all or nothing if memory runs out, in
// the world and in the engine's memory.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../levels/world.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "engine_storage.h"
#include "world_model.h"

namespace fractalray {
namespace {

using oracle::AllocationFailure;
using oracle::kGlass;
using oracle::kStone;
using oracle::kWater;
using oracle::Rng;

// Two chunks side by side, borrowed for writing, and the model of their blocks.
class EngineLayoutMemoryTest : public testing::Test {
 protected:
  static constexpr ChunkCoord kFirst{0, 0, 0};
  static constexpr ChunkCoord kSecond{1, 0, 0};

  EngineLayoutMemoryTest() {
    Rng rng("EngineLayoutMemoryTest");
    for (const ChunkCoord& at : {kFirst, kSecond}) {
      EngineStorage& storage = storages.emplace_back(16, 2, Vec3i{4, -64, 1024}, table);
      for (int i = 0; i < 400; ++i)
        storage.write({rng.below(16), rng.below(16), rng.below(16)},
                      static_cast<std::uint32_t>(rng.below(4)));
      EXPECT_TRUE(world
                      .loadChunk(0, at,
                                 Chunk::borrowedForWriting(storage.first(), storage.layout(),
                                                           world.blockTypes())
                                     .value())
                      .ok());
    }
    takeOver({0, 0, 0}, {31, 15, 15});
  }

  static Vec3i within(const BlockCoord& at) { return {at[0] & 15, at[1], at[2]}; }
  EngineStorage& storageOf(const BlockCoord& at) {
    return storages[static_cast<std::size_t>(at[0] >> 4)];
  }
  void takeOver(const BlockCoord& min, const BlockCoord& max) {
    for (std::int64_t z = min[2]; z <= max[2]; ++z)
      for (std::int64_t y = min[1]; y <= max[1]; ++y)
        for (std::int64_t x = min[0]; x <= max[0]; ++x) {
          const BlockCoord at{x, y, z};
          auto& ids = model.chunks[{0, chunkOf(at)}];
          if (!ids.has_value()) ids.emplace().fill(kAir);
          (*ids)[static_cast<std::size_t>(indexInChunk(at))] = storageOf(at).type(within(at));
        }
  }
  // Runs an edit of the blocks of a box with every allocation failing, one after the other, then
  // with none failing.
  void check(const std::string& name, const BlockCoord& min, const BlockCoord& max,
             const std::function<absl::Status()>& edit, bool is_by_engine) {
    SCOPED_TRACE(name);
    const std::uint64_t version = world.version();
    const std::vector<std::byte> first = storages[0].bytes();
    const std::vector<std::byte> second = storages[1].bytes();
    oracle::failEachAllocation([&] { ASSERT_TRUE(edit().ok()); },
                               [&](std::size_t n) {
                                 SCOPED_TRACE(n);
                                 ++failures;
                                 ASSERT_EQ(world.version(), version);
                                 ASSERT_EQ(storages[0].bytes(), first);
                                 ASSERT_EQ(storages[1].bytes(), second);
                                 // A world that reads the engine's ids already sees those.
                                 if (!is_by_engine || has_copy) {
                                   ASSERT_NO_FATAL_FAILURE(model.expectEqual(world));
                                 }
                               });
    takeOver(min, max);
    ASSERT_NO_FATAL_FAILURE(model.expectEqual(world));
    EXPECT_GT(world.version(), version);
  }

  EngineStorage::Table table = std::vector{kAir, kWater, kStone, kGlass};
  std::vector<EngineStorage> storages;
  World world{{.levels = 1, .block_types = oracle::sceneTypes()}};
  WorldModel model;
  bool has_copy = false;
  int failures = 0;
};

TEST_F(EngineLayoutMemoryTest, EditsAndRefreshesAreMadeOrNot) {
  if (!AllocationFailure::isSupported()) GTEST_SKIP() << "not with this sanitizer";
  Rng rng("EngineLayoutMemoryTest.Edits");
  const BlockCoord block{9, 8, 7};
  const BlockCoord min{12, 3, 3};
  const BlockCoord max{19, 6, 9};
  for (int round = 0; round < 30; ++round) {
    SCOPED_TRACE(round);
    const bool is_held = round % 3 == 1;
    has_copy = has_copy || round % 3 != 0;
    std::shared_ptr<const World> snapshot;
    if (round % 3 != 0) snapshot = world.snapshot();
    const WorldModel before = model;
    if (!is_held) snapshot.reset();
    const BlockTypeId type = rng.pick({kWater, kStone, kGlass});
    const auto id = static_cast<std::uint32_t>(rng.below(4));
    // An edit of the other chunk first leaves only the chunk's ids to be copied.
    if (round % 2 == 0) {
      ASSERT_TRUE(world.refreshBlock(0, {20, 8, 7}).ok());
    }
    // Occupied and empty by turns.
    storageOf(block).write(within(block), storageOf(block).read(within(block)) == 0 ? 2U : 0U);
    ASSERT_NO_FATAL_FAILURE(check(
        "refresh a block", block, block, [&] { return world.refreshBlock(0, block); }, true));
    const std::uint32_t other = storages[1].read({4, 1, 1}) == 0 ? 1 : 0;
    for (const std::int64_t x : {4, 5, 6})
      storages[1].write({x, 1, 1}, other);
    ASSERT_NO_FATAL_FAILURE(check(
        "refresh a box in a chunk", {20, 1, 1}, {22, 1, 1},
        [&] {
          return world.refreshBox(0, {20, 1, 1}, {22, 1, 1});
        },
        true));
    for (int i = 0; i < 60; ++i) {
      const BlockCoord at{rng.in(min[0], max[0]), rng.in(min[1], max[1]), rng.in(min[2], max[2])};
      storageOf(at).write(within(at), id);
    }
    ASSERT_NO_FATAL_FAILURE(check(
        "refresh a box", min, max, [&] { return world.refreshBox(0, min, max); }, true));
    ASSERT_NO_FATAL_FAILURE(check(
        "fill", min, max, [&] { return world.fillBox(0, min, max, type); }, false));
    ASSERT_NO_FATAL_FAILURE(check(
        "move", {0, 0, 0}, {31, 15, 15}, [&] { return world.moveBlock(0, min, max); }, false));
    if (round % 5 == 4) {
      storages[1].write({3, 3, 3}, id);
      ASSERT_NO_FATAL_FAILURE(check(
          "refresh a chunk", {16, 0, 0}, {31, 15, 15},
          [&] { return world.refreshChunk(0, kSecond); }, true));
      ASSERT_NO_FATAL_FAILURE(check(
          "refresh a box of chunks", {0, 0, 0}, {31, 15, 15},
          [&] {
            return world.refreshBox(0, {0, 0, 0}, {31, 15, 15});
          },
          true));
      has_copy = false;
    }
    if (is_held) {
      ASSERT_NO_FATAL_FAILURE(before.expectEqual(*snapshot));
    }
  }
  EXPECT_GT(failures, 100);
}

}  // namespace
}  // namespace fractalray
