// SPDX-License-Identifier: Apache-2.0
// Checks that fingerprints are equal for equal content, whatever its history, and differ for any
// difference.
#include "../../formats/replay/world_fingerprint.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "../oracle/random_scene.h"

namespace fractalray {
namespace {

using oracle::kGlass;
using oracle::kStone;
using oracle::kWater;

World corridor() {
  World world({.levels = 2, .block_types = oracle::sceneTypes()});
  EXPECT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(kStone, world.blockTypes())).ok());
  EXPECT_TRUE(world.loadChunk(1, {1, 0, 0}, Chunk::uniform(kAir, world.blockTypes())).ok());
  EXPECT_TRUE(world.setBlock(1, {17, 2, 3}, kWater).ok());
  return world;
}

TEST(WorldFingerprintTest, AnyChangeOfContentChangesIt) {
  std::set<std::uint64_t> seen = {worldFingerprint(corridor())};
  const auto expect_new = [&](const char* what, const std::function<absl::Status(World&)>& edit) {
    World world = corridor();
    EXPECT_TRUE(edit(world).ok()) << what;
    EXPECT_TRUE(seen.insert(worldFingerprint(world)).second) << what;
  };
  expect_new("a type", [](World& w) { return w.setBlock(1, {17, 2, 3}, kGlass); });
  expect_new("a position", [](World& w) {
    EXPECT_TRUE(w.setBlock(1, {17, 2, 3}, kAir).ok());
    return w.setBlock(1, {18, 2, 3}, kWater);
  });
  expect_new("one more", [](World& w) { return w.setBlock(1, {31, 15, 15}, kWater); });
  expect_new("the first block", [](World& w) { return w.setBlock(1, {16, 0, 0}, kWater); });
  expect_new("the coarse level", [](World& w) { return w.setBlock(0, {1, 1, 1}, kGlass); });
  expect_new("a chunk less", [](World& w) { return w.unloadChunk(1, {1, 0, 0}); });
  expect_new("a chunk of air more", [](World& w) {
    return w.loadChunk(1, {2, 0, 0}, Chunk::uniform(kAir, w.blockTypes()));
  });
  expect_new("elsewhere", [](World& w) {
    return w.loadChunk(1, {0, 2, 0}, Chunk::uniform(kAir, w.blockTypes()));
  });
  seen.insert(worldFingerprint(World({.levels = 2})));
  EXPECT_TRUE(seen.insert(worldFingerprint(World({.levels = 3}))).second);
}

TEST(WorldFingerprintTest, HistoryAndStorageDoNotChangeIt) {
  const std::uint64_t expected = worldFingerprint(corridor());
  World world({.levels = 2, .block_types = oracle::sceneTypes()});
  std::vector<BlockTypeId> ids(kBlocksPerChunk, kAir);
  ids[static_cast<std::size_t>(indexInChunk({1, 2, 3}))] = kWater;
  // Other chunks are added and removed again, levels come in another order, and one type is stored
  // as ids.
  ASSERT_TRUE(world.loadChunk(1, {7, 7, 7}, Chunk::uniform(kStone, world.blockTypes())).ok());
  ASSERT_TRUE(
      world.loadChunk(1, {1, 0, 0}, Chunk::copied(Chunk::Ids(ids), world.blockTypes()).value())
          .ok());
  ASSERT_TRUE(world.unloadChunk(1, {7, 7, 7}).ok());
  ASSERT_TRUE(world.placeProtoChunk(1, {3, 0, 0}).ok());
  std::vector<BlockTypeId> stone(kBlocksPerChunk, kStone);
  absl::StatusOr<Chunk> borrowed =
      Chunk::borrowedForWriting(Chunk::WritableIds(stone), world.blockTypes());
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, *std::move(borrowed)).ok());
  EXPECT_EQ(worldFingerprint(world), expected);
  ASSERT_TRUE(world.setBlock(0, {3, 3, 3}, kWater).ok());
  EXPECT_NE(worldFingerprint(world), expected);
  ASSERT_TRUE(world.setBlock(0, {3, 3, 3}, kStone).ok());
  EXPECT_EQ(worldFingerprint(world), expected);
}

TEST(WorldFingerprintTest, AnIdThatTheTableDoesNotContainIsAir) {
  World world({.levels = 2, .block_types = oracle::sceneTypes()});
  std::vector<BlockTypeId> ids(kBlocksPerChunk, kStone);
  ids[7] = kAir;
  ASSERT_TRUE(
      world.loadChunk(0, {0, 0, 0}, Chunk::borrowed(Chunk::Ids(ids), world.blockTypes()).value())
          .ok());
  const std::uint64_t expected = worldFingerprint(world);
  ids[7] = BlockTypeId{60000};
  EXPECT_EQ(worldFingerprint(world), expected);
}

// Returns a world of one chunk of "rock", of the kinds in `spec`, with types before it.
std::uint64_t ofRock(const std::vector<std::string>& before,
                     const std::vector<std::string>& channels, BlockKind kind,
                     const std::string& channel, BlockKind in_channel) {
  World world;
  BlockTypeTable& types = world.blockTypes();
  for (const std::string& name : channels)
    EXPECT_TRUE(types.addChannel(name).ok());
  for (const std::string& name : before)
    EXPECT_TRUE(types.add({.name = name}).ok());
  const BlockTypeId rock =
      types
          .add({.name = "rock",
                .kind = kind,
                .channel_kinds = {{types.addChannel(channel).value(), in_channel}}})
          .value();
  EXPECT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(rock, types)).ok());
  return worldFingerprint(world);
}

TEST(WorldFingerprintTest, TypesAreIdentifiedByNameAndKindsNotByNumber) {
  const BlockKind solid = BlockKind::kSolid;
  const BlockKind empty = BlockKind::kEmpty;
  const std::uint64_t expected = ofRock({}, {}, solid, "eye", empty);
  EXPECT_EQ(ofRock({"clay", "sand"}, {"foot", "ear"}, solid, "eye", empty), expected);
  EXPECT_NE(ofRock({}, {}, solid, "eye", solid), expected);
  EXPECT_NE(ofRock({}, {}, solid, "ear", empty), expected);
  EXPECT_NE(ofRock({}, {}, BlockKind::kPermeable, "eye", empty), expected);
  EXPECT_EQ(ofRock({}, {}, solid, "eye", solid), ofRock({}, {}, solid, "ear", solid))
      << "a channel without a meaning of its own";
}

TEST(WorldFingerprintTest, TypesOfOneNameDifferByTheirShapes) {
  std::set<std::uint64_t> seen;
  for (const std::uint32_t height : {65536U, 32768U, 4096U}) {
    World world({.levels = 1});
    BlockTypeTable& types = world.blockTypes();
    const std::array boxes = {ShapeBox{.min = {0, 0, 0}, .max = {65536, height, 65536}}};
    const ShapeId shape = types.addShape(boxes).value();
    const BlockTypeId rock = types.add({.name = "rock", .shape = shape}).value();
    EXPECT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(rock, types)).ok());
    EXPECT_TRUE(seen.insert(worldFingerprint(world)).second) << height;
  }
}

// An id without a type among air: not a run of its own.
TEST(WorldFingerprintTest, AnIdThatTheTableDoesNotContainIsAirAmongAir) {
  World world({.levels = 1, .block_types = oracle::sceneTypes()});
  std::vector<BlockTypeId> ids(kBlocksPerChunk, kAir);
  ids[0] = kStone;
  ASSERT_TRUE(
      world.loadChunk(0, {0, 0, 0}, Chunk::borrowed(Chunk::Ids(ids), world.blockTypes()).value())
          .ok());
  const std::uint64_t expected = worldFingerprint(world);
  ids[7] = BlockTypeId{60000};
  EXPECT_EQ(worldFingerprint(world), expected);
}

}  // namespace
}  // namespace fractalray
