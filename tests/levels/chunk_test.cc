// SPDX-License-Identifier: Apache-2.0
#include "../../levels/chunk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"

#include "../../levels/world.h"
#include "../oracle/random_scene.h"

namespace fractalray {
namespace {

using oracle::kGlass;
using oracle::kMist;
using oracle::kStone;
using oracle::kWater;
using oracle::Rng;

using Ids = std::array<BlockTypeId, kBlocksPerChunk>;

constexpr BlockTypeId kUnknown{99};
constexpr ChunkCoord kAt{-1, 2, 0};

// Checks every derived set of a chunk against its ids.
void expectConsistent(const Chunk& chunk, const Ids& ids, const BlockTypeTable& types) {
  bool empty = true;
  std::array<bool, 64> bricks{};
  for (int index = 0; index < kBlocksPerChunk; ++index) {
    const BlockTypeId type = ids[static_cast<std::size_t>(index)];
    const bool occupied = !types.isEmptyEverywhere(type);
    ASSERT_EQ(chunk.block(index), type) << index;
    ASSERT_EQ(chunk.isOccupied(index), occupied) << index;
    empty = empty && !occupied;
    if (occupied) bricks[static_cast<std::size_t>(BlockSet::brickOf(index))] = true;
  }
  EXPECT_EQ(chunk.isEmpty(), empty);
  for (int brick = 0; brick < 64; ++brick) {
    EXPECT_EQ((chunk.occupied().bricks() >> brick) & 1, bricks[static_cast<std::size_t>(brick)]);
    EXPECT_EQ(chunk.occupied().word(brick) != 0, bricks[static_cast<std::size_t>(brick)]);
  }
}

TEST(BlockSetTest, EqualsASetAfterRandomChanges) {
  Rng rng("BlockSetTest");
  BlockSet blocks;
  std::set<int> model;
  for (int i = 0; i < 20000; ++i) {
    const int index = rng.below(i < 10000 ? 4096 : 64);
    const bool value = rng.below(100) < (i % 4000 < 2000 ? 80 : 20);
    blocks.set(index, value);
    if (value) {
      model.insert(index);
    } else {
      model.erase(index);
    }
    const int probe = rng.below(4096);
    ASSERT_EQ(blocks.contains(probe), model.contains(probe));
    ASSERT_EQ(blocks.empty(), model.empty());
  }
  for (int index = 0; index < 4096; ++index)
    blocks.set(index, false);
  EXPECT_TRUE(blocks.empty());
  EXPECT_EQ(blocks, BlockSet{});
}

TEST(BlockSetTest, ABrickIsFourByFourByFour) {
  const auto index = [](int x, int y, int z) { return x + 16 * y + 256 * z; };
  EXPECT_EQ(BlockSet::brickOf(index(3, 3, 3)), 0);
  EXPECT_EQ(BlockSet::brickOf(index(4, 0, 0)), 1);
  EXPECT_EQ(BlockSet::brickOf(index(0, 4, 0)), 4);
  EXPECT_EQ(BlockSet::brickOf(index(0, 0, 4)), 16);
  EXPECT_EQ(BlockSet::brickOf(index(15, 15, 15)), 63);
  EXPECT_EQ(BlockSet::bitOf(index(1, 2, 3)), 1 + 8 + 48);
  EXPECT_EQ(BlockSet::bitOf(index(5, 6, 7)), 1 + 8 + 48);
}

TEST(ChunkTest, UniformChunksAreSmall) {
  const auto types = oracle::sceneTypes();
  const Chunk stone = Chunk::uniform(kStone, *types);
  EXPECT_TRUE(stone.isUniform());
  EXPECT_FALSE(stone.isBorrowed());
  EXPECT_FALSE(stone.isEmpty());
  EXPECT_LE(stone.bytes(), 128U);
  Ids ids;
  ids.fill(kStone);
  expectConsistent(stone, ids, *types);
  EXPECT_TRUE(Chunk::uniform(kAir, *types).isEmpty());
  // Empty in the default channel, something in another one.
  EXPECT_FALSE(Chunk::uniform(kMist, *types).isEmpty());
}

TEST(ChunkTest, CopiesStayWithinTheirBudgetAndUniformOnesAreFound) {
  const auto types = oracle::sceneTypes();
  Ids ids{};
  ids[4095] = kWater;
  const Chunk mixed = Chunk::copied(ids, *types).value();
  expectConsistent(mixed, ids, *types);
  EXPECT_FALSE(mixed.isUniform());
  EXPECT_FALSE(mixed.isBorrowed());
  EXPECT_LE(mixed.bytes(), sizeof(Ids) + 768);
  ids.fill(kWater);
  expectConsistent(
      mixed,
      [] {
        Ids old{};
        old[4095] = kWater;
        return old;
      }(),
      *types);
  const Chunk uniform = Chunk::copied(ids, *types).value();
  EXPECT_TRUE(uniform.isUniform());
  EXPECT_LE(uniform.bytes(), 128U);
  expectConsistent(uniform, ids, *types);
}

TEST(ChunkTest, BorrowedIdsAreTheEnginesOwn) {
  const auto types = oracle::sceneTypes();
  Ids ids{};
  ids[7] = kStone;
  const Chunk chunk = Chunk::borrowed(ids, *types).value();
  EXPECT_TRUE(chunk.isBorrowed());
  EXPECT_FALSE(chunk.isUniform());
  EXPECT_LE(chunk.bytes(), 768U);
  expectConsistent(chunk, ids, *types);
}

TEST(ChunkTest, UnknownIdsAreRefusedWithTheirBlock) {
  const auto types = oracle::sceneTypes();
  Ids ids{};
  ids[1234] = kUnknown;  // 2 + 16 * 13 + 256 * 4
  for (const absl::Status& status :
       {Chunk::copied(ids, *types).status(), Chunk::borrowed(ids, *types).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(
        std::string(status.message()),
        testing::StartsWith(absl::StrCat("block [2, 13, 4] of the chunk has type 99; the table ",
                                         "ends at ", types->size() - 1, ": add the type first")));
  }
}

TEST(ChunkTest, AChunkBorrowedToBeReadIsNotEditedAndSaysHowItCanBe) {
  World world({.levels = 1, .block_types = oracle::sceneTypes()});
  const auto ids = std::make_unique<Ids>(Ids{});
  ASSERT_TRUE(world.loadChunk(0, kAt, Chunk::borrowed(*ids, world.blockTypes()).value()).ok());
  ASSERT_TRUE(world.loadChunk(0, kAt + ChunkCoord{1, 0, 0}, Chunk()).ok());
  EXPECT_FALSE(world.chunk(0, kAt)->isBorrowedForWriting());
  const std::uint64_t version = world.version();
  const BlockCoord last = blockOf(kAt, kBlocksPerChunk - 1);
  for (const bool has_copy : {false, true}) {
    for (const absl::Status& status :
         {world.setBlock(0, blockOf(kAt, 5), kStone),
          world.fillBox(0, blockOf(kAt, 0), last, kStone),
          world.fillBox(0, blockOf(kAt, 0), last + BlockCoord{5, 0, 0}, kStone)}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << has_copy;
      for (const char* const part :
           {"[-1, 2, 0]", "refresh the block", "borrowed for writing", "copied"})
        EXPECT_THAT(std::string(status.message()), testing::HasSubstr(part));
    }
    EXPECT_TRUE(world.setBlock(0, blockOf(kAt, 5), kAir).ok()) << "which changes nothing";
    EXPECT_EQ(world.version(), version);
    EXPECT_TRUE(world.chunk(0, kAt)->isBorrowed());
    expectConsistent(*world.chunk(0, kAt), *ids, world.blockTypes());
    EXPECT_TRUE(world.chunk(0, kAt + ChunkCoord{1, 0, 0})->isEmpty());
    world.snapshot();  // from now on the chunk reads a copy
  }
  // Check the remedies that the error names.
  (*ids)[5] = kStone;
  ASSERT_TRUE(world.refreshChunk(0, kAt).ok());
  EXPECT_EQ(world.block(0, blockOf(kAt, 5)).value(), kStone);
  ASSERT_TRUE(
      world.loadChunk(0, kAt, Chunk::borrowedForWriting(*ids, world.blockTypes()).value()).ok());
  ASSERT_TRUE(world.setBlock(0, blockOf(kAt, 6), kStone).ok());
  EXPECT_EQ((*ids)[6], kStone);
  ASSERT_TRUE(world.loadChunk(0, kAt, Chunk::copied(*ids, world.blockTypes()).value()).ok());
  ASSERT_TRUE(world.setBlock(0, blockOf(kAt, 7), kStone).ok());
  EXPECT_EQ((*ids)[7], kAir);
}

TEST(ChunkTest, EditsOfAChunkBorrowedForWritingWriteToTheEnginesIds) {
  World world({.levels = 1, .block_types = oracle::sceneTypes()});
  Ids ids{};
  ASSERT_TRUE(
      world.loadChunk(0, kAt, Chunk::borrowedForWriting(ids, world.blockTypes()).value()).ok());
  const Chunk& chunk = *world.chunk(0, kAt);
  Ids expected{};
  const auto expect_equal = [&] {
    EXPECT_TRUE(chunk.isBorrowedForWriting());
    EXPECT_EQ(ids, expected);
    expectConsistent(chunk, expected, world.blockTypes());
  };
  ASSERT_TRUE(world.setBlock(0, blockOf(kAt, 5), kStone).ok());
  expected[5] = kStone;
  expect_equal();
  ids[9] = kWater;
  expected[9] = kWater;
  ASSERT_TRUE(world.refreshChunk(0, kAt).ok()) << "it still borrows";
  expect_equal();
  ASSERT_TRUE(world.fillBox(0, blockOf(kAt, 0), blockOf(kAt, 273), kGlass).ok());
  for (const std::size_t index : {0U, 1U, 16U, 17U, 256U, 257U, 272U, 273U})
    expected[index] = kGlass;
  expect_equal();
  ASSERT_TRUE(world.fillBox(0, blockOf(kAt, 0), blockOf(kAt, kBlocksPerChunk - 1), kMist).ok());
  expected.fill(kMist);
  expect_equal();
  EXPECT_EQ(world.setBlock(0, blockOf(kAt, 5), kUnknown).code(),
            absl::StatusCode::kInvalidArgument);
  expect_equal();
  ASSERT_TRUE(world.unloadChunk(0, kAt).ok());
  EXPECT_EQ(ids, expected);
}

TEST(ChunkTest, RefreshTakesOverTheEnginesEditsOrRefusesThem) {
  World world({.levels = 1, .block_types = oracle::sceneTypes()});
  Ids ids{};
  ASSERT_TRUE(world.loadChunk(0, kAt, Chunk::borrowed(ids, world.blockTypes()).value()).ok());
  ids[3] = kStone;
  ids[4000] = kWater;
  ASSERT_TRUE(world.refreshChunk(0, kAt).ok());
  expectConsistent(*world.chunk(0, kAt), ids, world.blockTypes());
  ids[3] = kAir;
  ASSERT_TRUE(world.refreshChunk(0, kAt).ok());
  expectConsistent(*world.chunk(0, kAt), ids, world.blockTypes());
  ids[9] = kUnknown;
  EXPECT_EQ(world.refreshChunk(0, kAt).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(world.chunk(0, kAt)->isOccupied(9)) << "the occupancy has changed";
  ids[9] = kAir;
  EXPECT_EQ(world.refreshChunk(0, {0, 0, 0}).code(), absl::StatusCode::kNotFound);
  ASSERT_TRUE(world.loadChunk(0, kAt, Chunk::copied(ids, world.blockTypes()).value()).ok());
  EXPECT_EQ(world.refreshChunk(0, kAt).code(), absl::StatusCode::kFailedPrecondition);
}

TEST(ChunkTest, OccupancyEqualsTheIdsAfterRandomEdits) {
  Rng rng("ChunkTest.RandomEdits");
  const auto types = oracle::sceneTypes();
  for (int round = 0; round < 12; ++round) {
    World world({.levels = 1, .block_types = types});
    Ids ids{};
    ids.fill(round % 3 == 0 ? kStone : kAir);
    Ids lent = ids;
    Chunk chunk = round % 2 == 0 ? Chunk::copied(ids, *types).value()
                                 : Chunk::borrowedForWriting(lent, *types).value();
    ASSERT_TRUE(world.loadChunk(0, kAt, std::move(chunk)).ok());
    const Chunk& loaded = *world.chunk(0, kAt);
    for (int edit = 0; edit < 60; ++edit) {
      const auto type = static_cast<BlockTypeId>(rng.below(static_cast<int>(types->size())));
      if (rng.oneIn(6)) {
        BlockCoord low = blockOf(kAt, 0);
        BlockCoord high = low;
        for (int axis = 0; axis < 3; ++axis) {
          const std::int64_t begin = rng.oneIn(3) ? 0 : rng.in(0, 15);
          low[axis] += begin;
          high[axis] += rng.oneIn(3) ? 15 : rng.in(begin, 15);
        }
        ASSERT_TRUE(world.fillBox(0, low, high, type).ok());
        for (int index = 0; index < kBlocksPerChunk; ++index) {
          const BlockCoord block = blockOf(kAt, index);
          bool inside = true;
          for (int axis = 0; axis < 3; ++axis) {
            inside = inside && block[axis] >= low[axis] && block[axis] <= high[axis];
          }
          if (inside) ids[static_cast<std::size_t>(index)] = type;
        }
      } else {
        const int index = rng.below(kBlocksPerChunk);
        ASSERT_TRUE(world.setBlock(0, blockOf(kAt, index), type).ok());
        ids[static_cast<std::size_t>(index)] = type;
      }
      ASSERT_NO_FATAL_FAILURE(expectConsistent(loaded, ids, *types)) << round << " " << edit;
      ASSERT_TRUE(round % 2 == 0 || lent == ids);
      ASSERT_LE(loaded.bytes(), sizeof(Ids) + 768);
    }
  }
}

TEST(ChunkTest, WithChildrenItStaysWithinItsBudget) {
  World world({.levels = 2, .block_types = oracle::sceneTypes()});
  Ids ids{};
  ids[0] = kStone;
  ids[1] = kGlass;
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::copied(ids, world.blockTypes()).value()).ok());
  const std::size_t without = world.chunk(0, {0, 0, 0})->bytes();
  for (std::int64_t brick = 0; brick < 64; ++brick) {
    const BlockCoord block{(brick & 3) * 4, ((brick >> 2) & 3) * 4, (brick >> 4) * 4};
    ASSERT_TRUE(world.expandBlock(0, block).ok());
  }
  EXPECT_LE(world.chunk(0, {0, 0, 0})->bytes(), sizeof(Ids) + 1280);
  EXPECT_GT(world.chunk(0, {0, 0, 0})->bytes(), without + 512) << "it counts them";
  for (std::int64_t brick = 0; brick < 64; ++brick) {
    ASSERT_TRUE(
        world.unloadChunk(1, {(brick & 3) * 4, ((brick >> 2) & 3) * 4, (brick >> 4) * 4}).ok());
  }
  EXPECT_EQ(world.chunk(0, {0, 0, 0})->bytes(), without);
}

TEST(ChunkTest, OneEmptyAndOneFilledTypeNeedNoIds) {
  const auto types = oracle::sceneTypes();
  Ids ids{};
  for (std::size_t index = 0; index < ids.size(); index += 3)
    ids[index] = kStone;
  const Chunk caves = Chunk::copied(ids, *types).value();
  EXPECT_FALSE(caves.isUniform());
  EXPECT_LE(caves.bytes(), 768U);
  ASSERT_NO_FATAL_FAILURE(expectConsistent(caves, ids, *types));
  ids[7] = kGlass;
  const Chunk mixed = Chunk::copied(ids, *types).value();
  EXPECT_GT(mixed.bytes(), sizeof(Ids));
  ASSERT_NO_FATAL_FAILURE(expectConsistent(mixed, ids, *types));
}

TEST(ChunkTest, AnEditWithTheTwoTypesItHasNeedsNoIds) {
  World world({.levels = 1, .block_types = oracle::sceneTypes()});
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(kStone, world.blockTypes())).ok());
  const Chunk& chunk = *world.chunk(0, {0, 0, 0});
  ASSERT_TRUE(world.setBlock(0, {1, 2, 3}, kAir).ok());
  EXPECT_LE(chunk.bytes(), 768U) << "dug";
  ASSERT_TRUE(world.setBlock(0, {1, 2, 3}, kStone).ok());
  ASSERT_TRUE(world.setBlock(0, {4, 4, 4}, kAir).ok());
  EXPECT_LE(chunk.bytes(), 768U) << "put back, and dug elsewhere";
  EXPECT_EQ(chunk.block(indexInChunk({1, 2, 3})), kStone);
  EXPECT_EQ(chunk.block(indexInChunk({4, 4, 4})), kAir);
  ASSERT_TRUE(world.setBlock(0, {5, 5, 5}, kGlass).ok());
  EXPECT_GT(chunk.bytes(), sizeof(Ids)) << "a third type";
  EXPECT_EQ(chunk.block(indexInChunk({5, 5, 5})), kGlass);
  EXPECT_EQ(chunk.block(indexInChunk({4, 4, 4})), kAir);
  EXPECT_EQ(chunk.block(indexInChunk({0, 0, 0})), kStone);
}

}  // namespace
}  // namespace fractalray
