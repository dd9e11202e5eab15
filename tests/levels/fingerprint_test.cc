// SPDX-License-Identifier: Apache-2.0
// Checks that fingerprints of block types and chunks are equal for equal content, whatever its
// history and storage, and differ for any difference.
#include "../../levels/fingerprint.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../../core/internal/stable_hash.h"
#include "../../levels/world.h"
#include "../oracle/rng.h"

namespace fractalray {
namespace {

ShapeId addSlab(BlockTypeTable& types, std::uint32_t height) {
  const std::array boxes = {ShapeBox{.min = {0, 0, 0}, .max = {65536, height, 65536}}};
  return types.addShape(boxes).value();
}

BlockTypeTable someTypes() {
  BlockTypeTable types;
  const ChannelId eye = types.addChannel("eye").value();
  EXPECT_TRUE(types.add({.name = "stone"}).ok());
  EXPECT_TRUE(types.add({.name = "glass", .channel_kinds = {{eye, BlockKind::kEmpty}}}).ok());
  EXPECT_TRUE(types.add({.name = "slab", .shape = addSlab(types, 32768)}).ok());
  return types;
}

// The numbers were computed by another program (Python), from the definition of the hash.
TEST(StableHashTest, IsTheSameEverywhere) {
  EXPECT_EQ(internal::stableHashOf(""), 0xcbf29ce484222325U);
  EXPECT_EQ(internal::stableHashOf("default:stone"), 0x3cd2b968a66df6c9U);
  internal::StableHash hash;
  hash.add(std::uint64_t{1});
  EXPECT_EQ(hash.value(), 0x910a2dec89025cc1U);
  hash.add(std::int64_t{-1});
  hash.add(Vec3i{1, 2, 3});
  hash.add("air");
  EXPECT_EQ(hash.value(), 0xc680a76b139213e6U);
}

TEST(BlockTypesFingerprintTest, IsTheSameEverywhere) {
  EXPECT_EQ(blockTypesFingerprint(BlockTypeTable()), 0x8081112d275ca748U);
  EXPECT_EQ(blockTypesFingerprint(someTypes()), 0xbb25d4bd53cc3ab6U);
}

TEST(BlockTypesFingerprintTest, AnyDifferenceChangesIt) {
  std::set<std::uint64_t> seen = {blockTypesFingerprint(someTypes()),
                                  blockTypesFingerprint(BlockTypeTable())};
  const auto expect_new = [&](const std::string& what,
                              const std::function<void(BlockTypeTable&)>& add) {
    BlockTypeTable types = someTypes();
    add(types);
    EXPECT_TRUE(seen.insert(blockTypesFingerprint(types)).second) << what;
  };
  const auto add = [](BlockTypeTable& types, const BlockTypeSpec& spec) {
    EXPECT_TRUE(types.add(spec).ok());
  };
  const ChannelId eye{1};
  expect_new("a type", [&](auto& types) { add(types, {.name = "a"}); });
  expect_new("its name", [&](auto& types) { add(types, {.name = "b"}); });
  expect_new("its kind",
             [&](auto& types) { add(types, {.name = "a", .kind = BlockKind::kPermeable}); });
  expect_new("its kind in a channel", [&](auto& types) {
    add(types, {.name = "a", .channel_kinds = {{eye, BlockKind::kPermeable}}});
  });
  expect_new("its shape",
             [&](auto& types) { add(types, {.name = "a", .shape = addSlab(types, 32768)}); });
  expect_new("the height of its shape",
             [&](auto& types) { add(types, {.name = "a", .shape = addSlab(types, 32767)}); });
  expect_new("its shape in a channel", [&](auto& types) {
    add(types, {.name = "a", .channel_shapes = {{eye, addSlab(types, 32768)}}});
  });
  expect_new("a channel", [&](auto& types) { EXPECT_TRUE(types.addChannel("ear").ok()); });
  expect_new("its name too", [&](auto& types) { EXPECT_TRUE(types.addChannel("toe").ok()); });
  expect_new("a type, empty in the channels that there are", [&](auto& types) {
    add(types, {.name = "a",
                .channel_kinds = {{kDefaultChannel, BlockKind::kEmpty}, {eye, BlockKind::kEmpty}}});
  });
  expect_new("empty in all",
             [&](auto& types) { add(types, {.name = "a", .kind = BlockKind::kEmpty}); });
  for (const bool is_swapped : {false, true}) {
    expect_new("the order of types", [&](auto& types) {
      add(types, {.name = is_swapped ? "q" : "p"});
      add(types, {.name = is_swapped ? "p" : "q"});
    });
  }
}

TEST(BlockTypesFingerprintTest, NumbersOfShapesAndUnusedShapesDoNotChangeIt) {
  BlockTypeTable types;
  addSlab(types, 1);
  addSlab(types, 2);
  const ChannelId eye = types.addChannel("eye").value();
  EXPECT_TRUE(types.add({.name = "stone"}).ok());
  EXPECT_TRUE(types.add({.name = "glass", .channel_kinds = {{eye, BlockKind::kEmpty}}}).ok());
  EXPECT_TRUE(types.add({.name = "slab", .shape = addSlab(types, 32768)}).ok());
  EXPECT_EQ(blockTypesFingerprint(types), blockTypesFingerprint(someTypes()));
  const BlockTypeTable copy = types;
  EXPECT_EQ(blockTypesFingerprint(copy), blockTypesFingerprint(types));
}

// The types of someTypes() after air.
constexpr BlockTypeId kFirstType{1};
constexpr BlockTypeId kSecondType{2};
constexpr BlockTypeId kThird{3};

World emptyWorld(int levels = 2) {
  return World({.levels = levels, .block_types = std::make_shared<BlockTypeTable>(someTypes())});
}
void load(World& world, int level, const ChunkCoord& at, const std::vector<BlockTypeId>& ids) {
  absl::StatusOr<Chunk> chunk = Chunk::copied(Chunk::Ids(ids), world.blockTypes());
  ASSERT_TRUE(chunk.ok()) << chunk.status();
  ASSERT_TRUE(world.loadChunk(level, at, *std::move(chunk)).ok());
}
std::vector<BlockTypeId> filled(BlockTypeId type) {
  return std::vector<BlockTypeId>(kBlocksPerChunk, type);
}
std::uint64_t ofBox(const World& world, int level, const ChunkBox& box) {
  const absl::StatusOr<std::uint64_t> fingerprint = chunksFingerprint(world, level, box);
  EXPECT_TRUE(fingerprint.ok()) << fingerprint.status();
  return fingerprint.value_or(0);
}

// Computed by Python, too.
TEST(ChunkFingerprintTest, IsTheSameEverywhere) {
  World world = emptyWorld();
  std::vector<BlockTypeId> ids = filled(kFirstType);
  ids[5] = kSecondType;
  load(world, 1, {1, -2, 3}, ids);
  EXPECT_EQ(chunkFingerprint(world, 1, {1, -2, 3}), 0xba287193cf1249c8U);
  ASSERT_TRUE(world.placeProtoChunk(0, {0, 0, 0}).ok());
  EXPECT_EQ(chunkFingerprint(world, 0, {0, 0, 0}), 0xa5d3758b95b92366U);
  EXPECT_EQ(chunkFingerprint(world, 0, {1, 0, 0}), 0U);
  EXPECT_EQ(chunkFingerprint(world, 2, {0, 0, 0}), 0U);
  EXPECT_EQ(chunkFingerprint(world, -1, {0, 0, 0}), 0U);
  EXPECT_EQ(chunkFingerprint(world, 0, {std::numeric_limits<std::int64_t>::max(), 0, 0}), 0U);
}

TEST(ChunkFingerprintTest, StorageAndHistoryDoNotChangeIt) {
  const ChunkCoord at{3, 0, -1};
  for (const BlockTypeId other : {kFirstType, kAir, kSecondType}) {
    std::vector<BlockTypeId> ids = filled(kFirstType);
    ids[77] = other;
    World copied = emptyWorld();
    load(copied, 1, at, ids);
    const std::uint64_t expected = chunkFingerprint(copied, 1, at);
    EXPECT_NE(expected, 0U);

    World borrowing = emptyWorld();
    ASSERT_TRUE(
        borrowing.loadChunk(1, at, Chunk::borrowed(Chunk::Ids(ids), borrowing.blockTypes()).value())
            .ok());
    EXPECT_EQ(chunkFingerprint(borrowing, 1, at), expected);
    EXPECT_EQ(chunkFingerprint(*borrowing.snapshot(), 1, at), expected);

    // Ids of one byte, by a palette in another order.
    const std::array palette = {kSecondType, kFirstType, kAir};
    std::vector<std::uint8_t> bytes(kBlocksPerChunk, 1);
    bytes[77] = static_cast<std::uint8_t>(other == kFirstType ? 1 : other == kSecondType ? 0 : 2);
    const IdLayout layout =
        IdLayout::make({.id_bytes = 1, .strides = {1, 16, 256}, .types = palette}).value();
    World packed = emptyWorld();
    ASSERT_TRUE(
        packed.loadChunk(1, at, Chunk::borrowed(bytes.data(), layout, packed.blockTypes()).value())
            .ok());
    EXPECT_EQ(chunkFingerprint(packed, 1, at), expected);

    // By edits, in a world that had another content.
    World edited = emptyWorld();
    load(edited, 1, at, filled(kThird));
    load(edited, 1, {0, 0, 0}, filled(kFirstType));
    ASSERT_TRUE(
        edited.fillBox(1, blockOf(at, 0), blockOf(at, kBlocksPerChunk - 1), kFirstType).ok());
    ASSERT_TRUE(edited.setBlock(1, blockOf(at, 9), kSecondType).ok());
    ASSERT_TRUE(edited.setBlock(1, blockOf(at, 77), other).ok());
    ASSERT_TRUE(edited.setBlock(1, blockOf(at, 9), kFirstType).ok());
    ASSERT_TRUE(edited.unloadChunk(1, {0, 0, 0}).ok());
    EXPECT_EQ(chunkFingerprint(edited, 1, at), expected);
    EXPECT_EQ(ofBox(edited, 1, {{-9, -9, -9}, {9, 9, 9}}), expected);
  }
}

TEST(ChunkFingerprintTest, AnIdWithoutATypeIsAir) {
  for (const BlockTypeId around : {kFirstType, kAir}) {
    std::vector<BlockTypeId> ids = filled(around);
    World world = emptyWorld(1);
    ids[0] = kSecondType;
    ids[8] = kAir;
    ASSERT_TRUE(
        world.loadChunk(0, {0, 0, 0}, Chunk::borrowed(Chunk::Ids(ids), world.blockTypes()).value())
            .ok());
    const std::uint64_t expected = chunkFingerprint(world, 0, {0, 0, 0});
    ids[8] = BlockTypeId{60000};
    EXPECT_EQ(chunkFingerprint(world, 0, {0, 0, 0}), expected);
  }
}

TEST(ChunkFingerprintTest, AnyChangedBlockChangesIt) {
  oracle::Rng rng(4);
  World world = emptyWorld();
  std::vector<BlockTypeId> ids = filled(kAir);
  for (BlockTypeId& id : ids)
    id = BlockTypeId{static_cast<std::uint16_t>(rng.below(4))};
  load(world, 1, {0, 0, 0}, ids);
  const std::uint64_t before = chunkFingerprint(world, 1, {0, 0, 0});
  std::set<std::uint64_t> seen = {before, 0};
  for (int i = 0; i < kBlocksPerChunk; ++i) {
    const BlockTypeId own = ids[static_cast<std::size_t>(i)];
    const BlockTypeId other{static_cast<std::uint16_t>((static_cast<int>(own) + 1) % 4)};
    ASSERT_TRUE(world.setBlock(1, blockOf({0, 0, 0}, i), other).ok());
    ASSERT_TRUE(seen.insert(chunkFingerprint(world, 1, {0, 0, 0})).second) << i;
    ASSERT_TRUE(world.setBlock(1, blockOf({0, 0, 0}, i), own).ok());
  }
  EXPECT_EQ(chunkFingerprint(world, 1, {0, 0, 0}), before);
}

TEST(ChunkFingerprintTest, LevelIndexAndStateCount) {
  World world = emptyWorld();
  std::set<std::uint64_t> seen = {0};
  for (const int level : {0, 1}) {
    for (const ChunkCoord& at : {ChunkCoord{0, 0, 0}, ChunkCoord{1, 0, 0}, ChunkCoord{0, 1, 0},
                                 ChunkCoord{0, 0, 1}, ChunkCoord{-1, 0, 0}}) {
      ASSERT_TRUE(world.placeProtoChunk(level, at).ok());
      EXPECT_TRUE(seen.insert(chunkFingerprint(world, level, at)).second)
          << "proto " << testing::PrintToString(at);
      load(world, level, at, filled(kAir));
      EXPECT_TRUE(seen.insert(chunkFingerprint(world, level, at)).second)
          << "air " << testing::PrintToString(at);
      load(world, level, at, filled(kFirstType));
      EXPECT_TRUE(seen.insert(chunkFingerprint(world, level, at)).second)
          << "stone " << testing::PrintToString(at);
    }
  }
}

// The sum over all of its chunks, one by one, whatever way the box is searched.
TEST(ChunksFingerprintTest, IsTheSumOfTheChunksOfABox) {
  oracle::Rng rng(6);
  World world = emptyWorld();
  std::set<ChunkCoord> all;
  for (int i = 0; i < 300; ++i) {
    ChunkCoord at;
    for (int axis = 0; axis < 3; ++axis)
      at[axis] = rng.oneIn(4) ? rng.in(-40, 40) : rng.in(-6, 6);
    if (!all.insert(at).second) continue;
    if (rng.oneIn(5)) {
      ASSERT_TRUE(world.placeProtoChunk(1, at).ok());
    } else {
      load(world, 1, at, filled(BlockTypeId{static_cast<std::uint16_t>(rng.below(4))}));
    }
  }
  for (int round = 0; round < 200; ++round) {
    ChunkBox box;
    const std::int64_t reach = rng.pick<std::int64_t>({1, 8, 50, 100'000'000});
    for (int axis = 0; axis < 3; ++axis) {
      box.min[axis] = rng.in(-reach, reach);
      box.max[axis] = rng.in(box.min[axis], reach);
    }
    std::uint64_t expected = 0;
    for (const ChunkCoord& at : all) {
      bool is_inside = true;
      for (int axis = 0; axis < 3; ++axis)
        is_inside = is_inside && at[axis] >= box.min[axis] && at[axis] <= box.max[axis];
      if (is_inside) expected += chunkFingerprint(world, 1, at);
    }
    ASSERT_EQ(ofBox(world, 1, box), expected)
        << testing::PrintToString(box.min) << " " << testing::PrintToString(box.max);
    EXPECT_EQ(ofBox(world, 0, box), 0U);
  }
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const ChunkBox everything{{-kMost - 1, -kMost - 1, -kMost - 1}, {kMost, kMost, kMost}};
  EXPECT_EQ(ofBox(world, 1, everything), ofBox(world, 1, {{-40, -40, -40}, {40, 40, 40}}));
}

// Halves a box until one chunk is left, as two processes would.
TEST(ChunksFingerprintTest, ADifferenceIsFoundByHalves) {
  World one = emptyWorld(1);
  World other = emptyWorld(1);
  for (World* const world : {&one, &other}) {
    for (std::int64_t i = 0; i < 64; ++i)
      load(*world, 0, {i % 4, i / 4 % 4, i / 16}, filled(kFirstType));
  }
  ASSERT_TRUE(other.setBlock(0, {2 * 16 + 5, 1 * 16 + 6, 3 * 16 + 7}, kSecondType).ok());
  ChunkBox box{{0, 0, 0}, {3, 3, 3}};
  for (int step = 0; step < 6; ++step) {
    const int axis = step % 3;
    ASSERT_NE(ofBox(one, 0, box), ofBox(other, 0, box));
    ChunkBox lower = box;
    lower.max[axis] = (box.min[axis] + box.max[axis]) / 2;
    ChunkBox upper = box;
    upper.min[axis] = lower.max[axis] + 1;
    EXPECT_EQ(ofBox(one, 0, lower) + ofBox(one, 0, upper), ofBox(one, 0, box));
    box = ofBox(one, 0, lower) != ofBox(other, 0, lower) ? lower : upper;
  }
  EXPECT_EQ(box.min, (ChunkCoord{2, 1, 3}));
  EXPECT_EQ(box.max, box.min);
}

TEST(ChunksFingerprintTest, WrongArgumentsAreRefused) {
  const World world = emptyWorld();
  for (const int level : {-1, 2}) {
    const absl::Status status = chunksFingerprint(world, level, {}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  }
  EXPECT_EQ(chunksFingerprint(world, 0, {{0, 1, 0}, {0, 0, 0}}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace fractalray
