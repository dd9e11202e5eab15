// SPDX-License-Identifier: Apache-2.0
// Checks single promises of World; world_model_test.cc has the random comparison with a model.
#include "../../levels/world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../oracle/random_scene.h"

namespace fractalray::world_test {
namespace {

using oracle::kStone;
using oracle::kWater;
using testing::HasSubstr;

World makeWorld(int levels) {
  return World({.levels = levels, .block_types = oracle::sceneTypes()});
}
Chunk air(const World& world) {
  return Chunk::uniform(kAir, world.blockTypes());
}

constexpr BlockTypeId kUnknown{99};

TEST(WorldTest, HasMasksOfItsLevels) {
  const World world = makeWorld(5);
  EXPECT_EQ(world.allLevels(), LevelMask::range(0, 4));
  EXPECT_EQ(world.finestLevels(2), (LevelMask{3, 4}));
  EXPECT_EQ(world.finestLevels(50), world.allLevels());
  EXPECT_TRUE(world.finestLevels(0).empty());
  EXPECT_EQ(world.coarsestLevels(2), (LevelMask{0, 1}));
  EXPECT_EQ(world.coarsestLevels(50), world.allLevels());
  EXPECT_TRUE(world.coarsestLevels(0).empty());
  EXPECT_TRUE(world.coarsestLevels(-1).empty());
  for (const int least : {INT_MIN, INT_MIN + 5}) {
    EXPECT_TRUE(world.coarsestLevels(least).empty());
    EXPECT_TRUE(world.finestLevels(least).empty());
  }
  EXPECT_EQ(world.finestLevels(INT_MAX), world.allLevels());
  EXPECT_EQ(world.coarsestLevels(INT_MAX), world.allLevels());
}

TEST(WorldTest, ABlockTypeTableIsShared) {
  const auto types = oracle::sceneTypes();
  World one({.levels = 1, .block_types = types});
  World other({.levels = 2, .block_types = types});
  const BlockTypeId added = one.blockTypes().add({"added", BlockKind::kSolid, {}}).value();
  EXPECT_EQ(other.blockTypes().find("added"), added);
}

TEST(WorldTest, AnExpandedBlockKnowsItsLoadedChildInAnyOrder) {
  World world = makeWorld(3);
  const BlockCoord block{-3, 20, 7};
  const auto knows = [&] {
    const Chunk* const chunk = world.chunk(1, chunkOf(block));
    return chunk != nullptr && chunk->hasLoadedChild(indexInChunk(block));
  };
  ASSERT_TRUE(world.loadChunk(2, childChunk(block), air(world)).ok());  // before its parent
  EXPECT_FALSE(knows());
  ASSERT_TRUE(world.loadChunk(1, chunkOf(block), air(world)).ok());
  EXPECT_TRUE(knows());
  ASSERT_TRUE(world.setBlock(1, block, kStone).ok());
  EXPECT_TRUE(knows());
  const BlockCoord low = blockOf(chunkOf(block), 0);
  ASSERT_TRUE(world.fillBox(1, low, low + BlockCoord{15, 15, 15}, kWater).ok());
  EXPECT_TRUE(knows());
  ASSERT_TRUE(world.loadChunk(1, chunkOf(block), air(world)).ok());  // in place of the old one
  EXPECT_TRUE(knows());
  ASSERT_TRUE(world.unloadChunk(2, childChunk(block)).ok());
  EXPECT_FALSE(knows());
  ASSERT_TRUE(world.placeProtoChunk(2, childChunk(block)).ok());
  EXPECT_FALSE(knows()) << "a proto chunk is not loaded";
  ASSERT_TRUE(world.loadChunk(2, childChunk(block), air(world)).ok());
  EXPECT_TRUE(knows());
}

TEST(WorldTest, ExpandBlockLoadsAChunkOfItsOwnType) {
  World world = makeWorld(2);
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, air(world)).ok());
  ASSERT_TRUE(world.setBlock(0, {1, 2, 3}, kStone).ok());
  ASSERT_TRUE(world.expandBlock(0, {1, 2, 3}).ok());
  const Chunk* const child = world.chunk(1, {1, 2, 3});
  ASSERT_NE(child, nullptr);
  EXPECT_TRUE(child->isUniform());
  EXPECT_EQ(child->block(0), kStone);
  EXPECT_EQ(world.expandBlock(0, {1, 2, 3}).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(world.expandBlock(1, {16, 32, 48}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(world.expandBlock(0, {16, 2, 3}).code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(world.expandBlock(0, {0, 0, 0}).ok()) << "an empty block may be expanded";
}

TEST(WorldTest, ProtoChunksAreKnownAndHaveNoBlocks) {
  World world = makeWorld(1);
  const ChunkCoord at{5, 5, 5};
  EXPECT_EQ(world.chunkState(0, at), ChunkState::kAbsent);
  ASSERT_TRUE(world.placeProtoChunk(0, at).ok());
  ASSERT_TRUE(world.placeProtoChunk(0, at).ok());
  EXPECT_EQ(world.chunkState(0, at), ChunkState::kProto);
  EXPECT_EQ(world.protoChunks(0), 1U);
  EXPECT_EQ(world.loadedChunks(0), 0U);
  EXPECT_FALSE(world.loadedBox(0).has_value());
  EXPECT_EQ(world.chunk(0, at), nullptr);
  EXPECT_EQ(world.block(0, blockOf(at, 0)).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(world.setBlock(0, blockOf(at, 0), kStone).code(), absl::StatusCode::kNotFound);
  ASSERT_TRUE(world.loadChunk(0, at, air(world)).ok());
  EXPECT_EQ(world.chunkState(0, at), ChunkState::kLoaded);
  EXPECT_EQ(world.protoChunks(0), 0U);
  EXPECT_EQ(world.placeProtoChunk(0, at).code(), absl::StatusCode::kAlreadyExists);
  ASSERT_TRUE(world.unloadChunk(0, at).ok());
  EXPECT_EQ(world.unloadChunk(0, at).code(), absl::StatusCode::kNotFound);
  ASSERT_TRUE(world.placeProtoChunk(0, at).ok());
  ASSERT_TRUE(world.unloadChunk(0, at).ok()) << "a proto chunk is removed too";
  EXPECT_EQ(world.chunkState(0, at), ChunkState::kAbsent);
}

TEST(WorldTest, AMovedBlockLeavesAir) {
  World world = makeWorld(1);
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, air(world)).ok());
  ASSERT_TRUE(world.loadChunk(0, {1, 0, 0}, Chunk::uniform(kStone, world.blockTypes())).ok());
  ASSERT_TRUE(world.setBlock(0, {3, 3, 3}, kWater).ok());
  ASSERT_TRUE(world.moveBlock(0, {3, 3, 3}, {4, 3, 3}).ok());  // in its chunk
  EXPECT_EQ(world.block(0, {3, 3, 3}).value(), kAir);
  EXPECT_EQ(world.block(0, {4, 3, 3}).value(), kWater);
  ASSERT_TRUE(world.moveBlock(0, {4, 3, 3}, {20, 3, 3}).ok());  // to another, instead of stone
  EXPECT_EQ(world.block(0, {4, 3, 3}).value(), kAir);
  EXPECT_EQ(world.block(0, {20, 3, 3}).value(), kWater);
  EXPECT_TRUE(world.chunk(0, {0, 0, 0})->isEmpty());
  ASSERT_TRUE(world.moveBlock(0, {0, 0, 0}, {20, 3, 3}).ok());  // air is moved like any type
  EXPECT_EQ(world.block(0, {20, 3, 3}).value(), kAir);
  const std::uint64_t version = world.version();
  ASSERT_TRUE(world.moveBlock(0, {20, 4, 3}, {20, 4, 3}).ok());
  EXPECT_EQ(world.block(0, {20, 4, 3}).value(), kStone) << "moved to where it is";
  EXPECT_EQ(world.version(), version);
}

TEST(WorldTest, ABlockThatCannotBeMovedStays) {
  World world = makeWorld(2);
  for (const std::int64_t x : {0, 1})
    ASSERT_TRUE(world.loadChunk(0, {x, 0, 0}, air(world)).ok());
  ASSERT_TRUE(world.setBlock(0, {1, 2, 3}, kStone).ok());
  std::vector<BlockTypeId> ids(kBlocksPerChunk, kAir);
  const Chunk::WritableIds lent(ids.data(), kBlocksPerChunk);
  ASSERT_TRUE(
      world.loadChunk(0, {2, 0, 0}, Chunk::borrowed(lent, world.blockTypes()).value()).ok());
  ASSERT_TRUE(world.expandBlock(0, {1, 2, 3}).ok());
  ASSERT_TRUE(world.setBlock(0, {17, 0, 0}, kStone).ok());
  const std::uint64_t version = world.version();
  constexpr auto kFailedPrecondition = absl::StatusCode::kFailedPrecondition;
  const struct {
    int level;
    BlockCoord from;
    BlockCoord to;
    absl::StatusCode code;
    const char* text;
  } cases[] = {
      {0, {1, 2, 3}, {2, 2, 3}, kFailedPrecondition, "block [1, 2, 3] of level 0 is expanded"},
      {0, {17, 0, 0}, {1, 2, 3}, kFailedPrecondition, "unload that first"},
      {0, {17, 0, 0}, {32, 0, 0}, kFailedPrecondition, "borrowed for writing"},
      {0, {32, 0, 0}, {17, 1, 0}, kFailedPrecondition, "borrowed for writing"},
      {0, {17, 0, 0}, {48, 0, 0}, absl::StatusCode::kNotFound, "is not loaded; load it first"},
      {0, {48, 0, 0}, {17, 0, 0}, absl::StatusCode::kNotFound, "is not loaded"},
      {2, {17, 0, 0}, {17, 1, 0}, absl::StatusCode::kInvalidArgument, "is not active"},
      {0, {17, 0, 0}, {17, std::int64_t{1} << 60, 0}, absl::StatusCode::kOutOfRange, "frame"},
  };
  for (const auto& c : cases) {
    const absl::Status status = world.moveBlock(c.level, c.from, c.to);
    EXPECT_EQ(status.code(), c.code) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.text));
  }
  EXPECT_EQ(world.version(), version);
  EXPECT_EQ(world.block(0, {17, 0, 0}).value(), kStone);
  ASSERT_TRUE(
      world.loadChunk(0, {2, 0, 0}, Chunk::borrowedForWriting(lent, world.blockTypes()).value())
          .ok());
  ids[0] = kUnknown;  // the engine's own edit, which is not refreshed
  EXPECT_EQ(world.moveBlock(0, {32, 0, 0}, {17, 1, 0}).code(), absl::StatusCode::kInvalidArgument);
  ASSERT_TRUE(world.moveBlock(0, {17, 0, 0}, {33, 0, 0}).ok());
  EXPECT_EQ(ids[1], kStone) << "the engine has it too";
}

TEST(WorldTest, FillBoxIsAllOrNothing) {
  World world = makeWorld(1);
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, air(world)).ok());
  ASSERT_TRUE(world.loadChunk(0, {1, 0, 0}, air(world)).ok());
  EXPECT_EQ(world.fillBox(0, {10, 0, 0}, {40, 3, 3}, kStone).code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(world.chunk(0, {0, 0, 0})->isEmpty());
  EXPECT_TRUE(world.chunk(0, {1, 0, 0})->isEmpty());
  ASSERT_TRUE(world.fillBox(0, {10, 0, 0}, {31, 15, 15}, kStone).ok());
  EXPECT_TRUE(world.chunk(0, {1, 0, 0})->isUniform());
  EXPECT_EQ(world.block(0, {9, 0, 0}).value(), kAir);
  EXPECT_EQ(world.block(0, {10, 15, 15}).value(), kStone);
  EXPECT_EQ(world.block(0, {31, 15, 15}).value(), kStone);
}

TEST(WorldTest, AHugeBoxIsRefusedAtOnce) {
  World world = makeWorld(1);
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, air(world)).ok());
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(world.fillBox(0, {0, 0, 0}, {kMax, kMax, kMax}, kStone).ok());
  EXPECT_FALSE(world.fillBox(0, {kMin, kMin, kMin}, {kMax, kMax, kMax}, kStone).ok());
  EXPECT_TRUE(world.chunk(0, {0, 0, 0})->isEmpty());
}

TEST(WorldTest, ErrorsNameTheFaultAndChangeNothing) {
  World world = makeWorld(2);
  ASSERT_TRUE(world.loadChunk(1, {0, 0, 0}, air(world)).ok());
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  constexpr auto kRange = absl::StatusCode::kOutOfRange;
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const std::int64_t limit = kMaxCoordinate / world.frame().chunkWidth(1);
  const struct {
    absl::Status status;
    absl::StatusCode code;
    const char* part;
  } cases[] = {
      {world.loadChunk(2, {0, 0, 0}, air(world)), kInvalid, "level 2"},
      {world.loadChunk(-1, {0, 0, 0}, air(world)), kInvalid, "level -1"},
      {world.loadChunk(1, {limit, 0, 0}, air(world)), kRange, "frame"},
      {world.loadChunk(1, {0, -limit - 1, 0}, air(world)), kRange, "frame"},
      {world.loadChunk(0, {0, 0, kMax}, air(world)), kRange, "frame"},
      {world.placeProtoChunk(1, {0, 0, kMin}), kRange, "frame"},
      {world.unloadChunk(1, {1, 0, 0}), absl::StatusCode::kNotFound,
       "chunk [1, 0, 0] of level 1 is not loaded"},
      {world.unloadChunk(7, {1, 0, 0}), kInvalid, "level 7"},
      {world.setBlock(1, {0, 0, 0}, kUnknown), kInvalid, "99"},
      {world.setBlock(1, {16, 0, 0}, kStone), absl::StatusCode::kNotFound, "[1, 0, 0]"},
      {world.setBlock(1, {kMax, 0, 0}, kStone), kRange, "frame"},
      {world.block(3, {0, 0, 0}).status(), kInvalid, "level 3"},
      {world.fillBox(1, {0, 0, 0}, {1, 1, 1}, kUnknown), kInvalid, "99"},
      {world.fillBox(1, {0, 1, 0}, {1, 0, 1}, kStone), kInvalid, "not ordered"},
      {world.expandBlock(0, {0, 0, 0}), absl::StatusCode::kNotFound, "not loaded"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(c.status.code(), c.code) << c.status;
    EXPECT_THAT(std::string(c.status.message()), HasSubstr(c.part));
  }
  EXPECT_TRUE(world.chunk(1, {0, 0, 0})->isEmpty());
  EXPECT_EQ(world.loadedChunks(0), 0U);
  EXPECT_EQ(world.loadedChunks(1), 1U);
  EXPECT_EQ(world.chunk(5, {0, 0, 0}), nullptr);
  EXPECT_EQ(world.chunk(1, {kMax, kMin, 0}), nullptr);
}

}  // namespace
}  // namespace fractalray::world_test
