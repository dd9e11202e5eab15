// SPDX-License-Identifier: Apache-2.0
// Checks what a snapshot of a world promises and costs.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "../../core/internal/access.h"
#include "../../levels/internal/world_content.h"
#include "../../levels/world.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "world_model.h"

namespace fractalray {
namespace {

using oracle::allocationCount;
using oracle::kStone;
using oracle::kWater;

World makeWorld(int levels = 1) {
  return World({.levels = levels, .block_types = oracle::sceneTypes()});
}

// Loads width^3 chunks of a few types, so that their ids are kept.
void loadCube(World& world, int level, std::int64_t width) {
  BlockIds ids;
  ids.fill(kStone);
  ids[7] = kWater;
  for (std::int64_t x = 0; x < width; ++x) {
    for (std::int64_t y = 0; y < width; ++y) {
      for (std::int64_t z = 0; z < width; ++z) {
        Chunk chunk = Chunk::copied(ids, world.blockTypes()).value();
        ASSERT_TRUE(world.loadChunk(level, {x, y, z}, std::move(chunk)).ok());
      }
    }
  }
}

TEST(SnapshotTest, OutlivesItsWorld) {
  std::shared_ptr<const World> snapshot;
  {
    World world = makeWorld(2);
    loadCube(world, 1, 2);
    snapshot = world.snapshot();
    ASSERT_TRUE(world.fillBox(1, {0, 0, 0}, {31, 31, 31}, kAir).ok());
  }
  EXPECT_EQ(snapshot->frame(), Frame(2));
  EXPECT_EQ(snapshot->block(1, {7, 0, 0}).value(), kWater);
  EXPECT_EQ(snapshot->blockTypes().name(kWater), "water");
}

TEST(SnapshotTest, NeverReadsTheEnginesMemory) {
  World world = makeWorld();
  auto engine = std::make_unique<BlockIds>();
  engine->fill(kStone);
  ASSERT_TRUE(
      world.loadChunk(0, {0, 0, 0}, Chunk::borrowed(*engine, world.blockTypes()).value()).ok());
  const std::shared_ptr<const World> first = world.snapshot();
  EXPECT_TRUE(first->chunk(0, {0, 0, 0})->isBorrowed());
  EXPECT_TRUE(world.chunk(0, {0, 0, 0})->isBorrowed());

  (*engine)[5] = kWater;
  EXPECT_EQ(first->block(0, {5, 0, 0}).value(), kStone);
  EXPECT_EQ(world.block(0, {5, 0, 0}).value(), kStone) << "the world is as of the last refresh";
  const std::shared_ptr<const World> second = world.snapshot();
  EXPECT_EQ(second->block(0, {5, 0, 0}).value(), kStone);
  EXPECT_EQ(second->version(), first->version());

  ASSERT_TRUE(world.refreshChunk(0, {0, 0, 0}).ok());
  EXPECT_EQ(world.block(0, {5, 0, 0}).value(), kWater);
  (*engine)[6] = kWater;  // in no snapshot yet: the world reads the engine's memory again
  EXPECT_EQ(world.block(0, {6, 0, 0}).value(), kWater);
  ASSERT_TRUE(world.refreshChunk(0, {0, 0, 0}).ok());
  const std::shared_ptr<const World> third = world.snapshot();

  (*engine)[7] = static_cast<BlockTypeId>(60000);
  EXPECT_EQ(world.refreshChunk(0, {0, 0, 0}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(world.block(0, {7, 0, 0}).value(), kStone) << "a refresh that fails changes nothing";
  EXPECT_EQ(world.version(), third->version());
  ASSERT_TRUE(world.unloadChunk(0, {0, 0, 0}).ok());
  engine.reset();
  EXPECT_EQ(first->block(0, {5, 0, 0}).value(), kStone);
  EXPECT_EQ(second->block(0, {5, 0, 0}).value(), kStone);
  EXPECT_EQ(third->block(0, {6, 0, 0}).value(), kWater);
}

TEST(SnapshotTest, AnEditOfACopiedBorrowedChunkIsWrittenThrough) {
  World world = makeWorld();
  BlockIds engine;
  engine.fill(kStone);
  ASSERT_TRUE(
      world.loadChunk(0, {0, 0, 0}, Chunk::borrowedForWriting(engine, world.blockTypes()).value())
          .ok());
  for (const bool hold : {true, false}) {
    std::shared_ptr<const World> snapshot = world.snapshot();
    if (!hold) snapshot.reset();
    engine[40] = kWater;  // not refreshed: neither the world nor the snapshot sees it
    ASSERT_TRUE(world.setBlock(0, {hold, 0, 0}, kWater).ok());
    ASSERT_TRUE(world.fillBox(0, {8, 8, 8}, {9, 9, 9}, kWater).ok());
    EXPECT_EQ(engine[hold ? 1 : 0], kWater);
    EXPECT_EQ(engine[static_cast<std::size_t>(indexInChunk({9, 8, 9}))], kWater);
    EXPECT_TRUE(world.chunk(0, {0, 0, 0})->isBorrowedForWriting());
    EXPECT_EQ(world.block(0, {8, 2, 0}).value(), kStone) << "as of the last refresh";
    if (hold) {
      EXPECT_EQ(snapshot->block(0, {1, 0, 0}).value(), kStone);
      EXPECT_EQ(snapshot->block(0, {9, 8, 9}).value(), kStone);
    }
    ASSERT_TRUE(world.refreshChunk(0, {0, 0, 0}).ok());
    EXPECT_EQ(world.block(0, {8, 2, 0}).value(), kWater);
    EXPECT_EQ(world.block(0, {hold, 0, 0}).value(), kWater);
    engine[40] = kStone;
    ASSERT_TRUE(world.refreshChunk(0, {0, 0, 0}).ok());
  }
}

TEST(SnapshotTest, AChunkOfASnapshotCanBeLoadedAgain) {
  World world = makeWorld();
  loadCube(world, 0, 1);
  const auto snapshot = world.snapshot();
  ASSERT_TRUE(world.fillBox(0, {0, 0, 0}, {15, 15, 15}, kAir).ok());
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, *snapshot->chunk(0, {0, 0, 0})).ok());
  ASSERT_TRUE(world.loadChunk(0, {5, 0, 0}, *snapshot->chunk(0, {0, 0, 0})).ok());
  EXPECT_EQ(world.block(0, {7, 0, 0}).value(), kWater);
  ASSERT_TRUE(world.setBlock(0, {7, 0, 0}, kStone).ok());
  EXPECT_EQ(world.block(0, {5 * 16 + 7, 0, 0}).value(), kWater);
  EXPECT_EQ(snapshot->block(0, {7, 0, 0}).value(), kWater);
}

TEST(SnapshotTest, TheTableOfTypesIsCopiedOnlyIfItHasGrown) {
  World world = makeWorld();
  const auto first = world.snapshot();
  const auto second = world.snapshot();
  EXPECT_NE(&first->blockTypes(), &std::as_const(world).blockTypes());
  EXPECT_EQ(&first->blockTypes(), &second->blockTypes());
  const std::size_t types = first->blockTypes().size();
  ASSERT_TRUE(world.blockTypes().add({.name = "new"}).ok());
  const auto third = world.snapshot();
  EXPECT_EQ(first->blockTypes().size(), types);
  EXPECT_EQ(third->blockTypes().size(), types + 1);
  ASSERT_TRUE(world.blockTypes().addChannel("of light").ok());
  EXPECT_FALSE(third->blockTypes().findChannel("of light").has_value());
  EXPECT_TRUE(world.snapshot()->blockTypes().findChannel("of light").has_value());
}

TEST(SnapshotTest, EveryChangeHasANewVersionAndARefusalHasNone) {
  World world = makeWorld(2);
  BlockIds engine{};
  std::uint64_t expected = world.version();
  const auto expect_change = [&](const absl::Status& status) {
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_GT(world.version(), expected);
    expected = world.version();
  };
  const auto expect_none = [&](bool) { EXPECT_EQ(world.version(), expected); };
  expect_change(world.placeProtoChunk(0, {5, 5, 5}));
  expect_none(world.placeProtoChunk(0, {5, 5, 5}).ok());
  expect_change(world.loadChunk(0, {0, 0, 0}, Chunk()));
  expect_change(
      world.loadChunk(0, {1, 0, 0}, Chunk::borrowedForWriting(engine, world.blockTypes()).value()));
  expect_change(world.refreshChunk(0, {1, 0, 0}));
  expect_change(world.setBlock(0, {1, 1, 1}, kStone));
  expect_none(world.setBlock(0, {1, 1, 1}, kStone).ok());
  expect_change(world.expandBlock(0, {1, 1, 1}));
  expect_change(world.fillBox(0, {0, 0, 0}, {20, 3, 3}, kWater));
  expect_change(world.unloadChunk(0, {1, 0, 0}));
  expect_none(world.snapshot() != nullptr);

  expect_none(world.loadChunk(7, {0, 0, 0}, Chunk()).ok());
  expect_none(world.placeProtoChunk(0, {0, 0, 0}).ok());
  expect_none(world.refreshChunk(0, {0, 0, 0}).ok());
  expect_none(world.setBlock(0, {100, 1, 1}, kStone).ok());
  expect_none(world.expandBlock(0, {1, 1, 1}).ok());
  expect_none(world.fillBox(0, {0, 0, 0}, {20, 3, 3}, kWater).ok());
  expect_none(world.unloadChunk(0, {1, 0, 0}).ok());
}

TEST(SnapshotTest, AMovedWorldContinuesAsBefore) {
  World world = makeWorld();
  loadCube(world, 0, 2);
  const auto before = world.snapshot();
  World moved = std::move(world);
  EXPECT_EQ(moved.version(), before->version());
  ASSERT_TRUE(moved.setBlock(0, {0, 0, 0}, kWater).ok());
  EXPECT_EQ(before->block(0, {0, 0, 0}).value(), kStone);
  World other = makeWorld();
  const std::uint64_t version = moved.version();
  moved = std::move(other);
  EXPECT_GT(moved.version(), version) << "another content";
}

TEST(SnapshotTest, AWorldHasNoVersionTwiceHoweverItIsSwapped) {
  World one = makeWorld();
  loadCube(one, 0, 2);
  World two = makeWorld();
  const std::uint64_t version = one.version();
  const std::uint64_t version_of_two = two.version();
  std::swap(one, two);
  EXPECT_EQ(one.chunk(0, {0, 0, 0}), nullptr);
  EXPECT_GT(one.version(), version);
  EXPECT_GT(two.version(), version_of_two);
  const std::uint64_t swapped = one.version();
  std::swap(one, two);
  EXPECT_EQ(one.block(0, {0, 0, 0}).value(), kStone);
  EXPECT_GT(one.version(), swapped);
  for (const std::uint64_t of_level : internal::Access::content(one).level_versions)
    EXPECT_EQ(of_level, one.version());
  std::swap(one, one);
  EXPECT_EQ(one.block(0, {0, 0, 0}).value(), kStone);
}

class SnapshotCostTest : public testing::Test {
 protected:
  static const internal::Region* region(const World& world, const ChunkCoord& at) {
    return internal::Access::content(world).level(0).region(at);
  }
  static std::size_t allocationsOf(auto&& action) {
    const std::size_t before = allocationCount();
    action();
    return allocationCount() - before;
  }
};

TEST_F(SnapshotCostTest, NothingIsCopiedWhileNoSnapshotIsHeld) {
  World world = makeWorld();
  loadCube(world, 0, 5);
  const internal::Level* const level = &internal::Access::content(world).level(0);
  const internal::Area* const area = level->area({0, 0, 0});
  const internal::Region* const first = region(world, {0, 0, 0});
  world.snapshot();
  const auto ids_before = world.chunk(0, {0, 0, 0});
  EXPECT_EQ(allocationsOf([&] { EXPECT_TRUE(world.setBlock(0, {0, 0, 0}, kWater).ok()); }), 0U);
  EXPECT_EQ(&internal::Access::content(world).level(0), level);
  EXPECT_EQ(level->area({0, 0, 0}), area);
  EXPECT_EQ(region(world, {0, 0, 0}), first);
  EXPECT_EQ(world.chunk(0, {0, 0, 0}), ids_before);
}

TEST_F(SnapshotCostTest, AnEditCopiesOneRegionAndNotTheWorld) {
  World world = makeWorld();
  loadCube(world, 0, 20);  // two areas an axis
  const auto snapshot = world.snapshot();
  // Copies the level's tables, the area, the region and the ids of the chunk; the next assertion
  // checks that they are few.
  ASSERT_TRUE(world.setBlock(0, {0, 0, 0}, kWater).ok());
  for (std::int64_t x = 0; x < 20; x += 4) {
    for (std::int64_t y = 0; y < 20; y += 4) {
      for (std::int64_t z = 0; z < 20; z += 4) {
        const ChunkCoord at{x, y, z};
        ASSERT_EQ(region(world, at) == region(*snapshot, at), at != (ChunkCoord{0, 0, 0}));
      }
    }
  }
  EXPECT_EQ(internal::Access::content(world).level(0).area({16, 0, 0}),
            internal::Access::content(*snapshot).level(0).area({16, 0, 0}));
  // A second edit of the same chunk is one in place; one in the same region copies the chunk's ids.
  EXPECT_EQ(allocationsOf([&] { EXPECT_TRUE(world.setBlock(0, {1, 0, 0}, kWater).ok()); }), 0U);
  EXPECT_EQ(allocationsOf([&] { EXPECT_TRUE(world.setBlock(0, {16, 0, 0}, kWater).ok()); }), 1U);
  EXPECT_EQ(snapshot->block(0, {1, 0, 0}).value(), kStone);
  EXPECT_EQ(snapshot->block(0, {16, 0, 0}).value(), kStone);
}

TEST_F(SnapshotCostTest, EditsThatAreRefusedOrChangeNothingCopyNothing) {
  World world = makeWorld(2);
  loadCube(world, 0, 2);
  loadCube(world, 1, 2);
  const auto snapshot = world.snapshot();
  EXPECT_FALSE(world.setBlock(0, {1000, 0, 0}, kWater).ok());
  EXPECT_FALSE(world.refreshChunk(0, {0, 0, 0}).ok());
  EXPECT_FALSE(world.unloadChunk(0, {9, 9, 9}).ok());
  EXPECT_TRUE(world.setBlock(0, {0, 0, 0}, kStone).ok());
  EXPECT_EQ(&internal::Access::content(world).level(0),
            &internal::Access::content(*snapshot).level(0));
  // The parent knows already that this child is loaded.
  EXPECT_TRUE(world.loadChunk(1, {0, 0, 0}, Chunk()).ok());
  EXPECT_EQ(&internal::Access::content(world).level(0),
            &internal::Access::content(*snapshot).level(0));
  EXPECT_NE(&internal::Access::content(world).level(1),
            &internal::Access::content(*snapshot).level(1));
}

TEST_F(SnapshotCostTest, ASnapshotCostsMemoryByTheNumberOfLevels) {
  std::vector<std::size_t> allocations;
  for (const std::int64_t width : {1, 20}) {
    World world = makeWorld(3);
    loadCube(world, 0, width);
    loadCube(world, 2, width);
    world.snapshot();  // has copied the table of types
    std::shared_ptr<const World> snapshot;
    allocations.push_back(allocationsOf([&] { snapshot = world.snapshot(); }));
    for (int level = 0; level < 3; ++level)
      EXPECT_EQ(&internal::Access::content(*snapshot).level(level),
                &internal::Access::content(world).level(level));
  }
  EXPECT_EQ(allocations[0], allocations[1]);
  EXPECT_LE(allocations[0], 4U);
}

TEST_F(SnapshotCostTest, BorrowedIdsAreCopiedOncePerRefresh) {
  World world = makeWorld();
  const auto engine = std::make_unique<std::array<BlockIds, 1000>>();
  for (std::size_t i = 0; i < engine->size(); ++i) {
    (*engine)[i].fill(kStone);
    const ChunkCoord at{static_cast<std::int64_t>(i), 0, 0};
    ASSERT_TRUE(
        world.loadChunk(0, at, Chunk::borrowed((*engine)[i], world.blockTypes()).value()).ok());
  }
  std::shared_ptr<const World> snapshot;
  EXPECT_GE(allocationsOf([&] { snapshot = world.snapshot(); }), 1000U);
  EXPECT_LE(allocationsOf([&] { snapshot = world.snapshot(); }), 4U);
  ASSERT_TRUE(world.refreshChunk(0, {500, 0, 0}).ok());
  EXPECT_LE(allocationsOf([&] { snapshot = world.snapshot(); }), 5U);
  EXPECT_LE(allocationsOf([&] { snapshot = world.snapshot(); }), 4U);
}

}  // namespace
}  // namespace fractalray
