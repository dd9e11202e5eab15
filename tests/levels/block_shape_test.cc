// SPDX-License-Identifier: Apache-2.0
#include "../../levels/block_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "../../levels/block_type.h"
#include "../../levels/chunk.h"
#include "../oracle/allocations.h"

namespace fractalray {
namespace {

using ::testing::HasSubstr;

constexpr ShapeBox kSlab{.min = {0, 0, 0}, .max = {65536, 32768, 65536}};
constexpr ShapeBox kPost{.min = {24576, 0, 24576}, .max = {40960, 65536, 40960}};

TEST(ShapeBoxTest, IsRoundedTo65536thsHalvesUp) {
  const auto box = shapeBox({0, 0.1, 1.5 / 65536}, {1, 0.5, 0.25});
  ASSERT_TRUE(box.ok()) << box.status();
  EXPECT_EQ(box->min, (std::array<std::uint32_t, 3>{0, 6554, 2}));
  EXPECT_EQ(box->max, (std::array<std::uint32_t, 3>{65536, 32768, 16384}));
}

// Half a unit and the number below it: 0.5 added to the latter is 1 in doubles.
TEST(ShapeBoxTest, RoundsJustBelowAHalfDown) {
  const double half = 0.5 / 65536;
  const auto box = shapeBox({std::nextafter(half, 0), half, 0}, {1, 1, 1});
  ASSERT_TRUE(box.ok()) << box.status();
  EXPECT_EQ(box->min, (std::array<std::uint32_t, 3>{0, 1, 0}));
}

TEST(ShapeBoxTest, RefusesWhatIsFlatOutsideOrNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(shapeBox({0, 0.5, 0}, {1, 0.5, 1}).status().message(), HasSubstr("flat on axis y"));
  EXPECT_THAT(shapeBox({0, 0, 0.2}, {1, 1, 0.2 + 1e-6}).status().message(),
              HasSubstr("flat on axis z"));
  EXPECT_THAT(shapeBox({0, 0, 0}, {1.5, 1, 1}).status().message(),
              HasSubstr("not inside on axis x, from 0 to 1.5"));
  EXPECT_FALSE(shapeBox({-1e-9, 0, 0}, {1, 1, 1}).ok());
  EXPECT_FALSE(shapeBox({nan, 0, 0}, {1, 1, 1}).ok());
  EXPECT_FALSE(shapeBox({0, 0, 0}, {1, std::numeric_limits<double>::infinity(), 1}).ok());
}

TEST(CubeTurnTest, FourQuartersAreNoTurnAndThereAre24) {
  std::set<std::array<std::uint32_t, 6>> images;
  const ShapeBox box{.min = {1, 2, 3}, .max = {10, 200, 3000}};
  for (int x = 0; x < 4; ++x) {
    for (int y = 0; y < 4; ++y) {
      for (int z = 0; z < 4; ++z) {
        const CubeTurn turn =
            CubeTurn::about(0, x).then(CubeTurn::about(1, y)).then(CubeTurn::about(2, z));
        const ShapeBox image = turned(box, turn);
        EXPECT_TRUE(checkShapeBox(image).ok());
        images.insert(
            {image.min[0], image.min[1], image.min[2], image.max[0], image.max[1], image.max[2]});
      }
    }
  }
  EXPECT_EQ(images.size(), 24U);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_EQ(CubeTurn::about(axis, 3).then(CubeTurn::about(axis, 1)), CubeTurn());
}

TEST(CubeTurnTest, AQuarterAboutYTurnsSouthToEast) {
  const ShapeBox at_high_z{.min = {0, 0, 49152}, .max = {65536, 65536, 65536}};
  const ShapeBox at_high_x{.min = {49152, 0, 0}, .max = {65536, 65536, 65536}};
  EXPECT_EQ(turned(at_high_z, CubeTurn::about(1, 1)), at_high_x);
}

TEST(SplitAtCubeTest, CutsAFenceAtTheCubesFaces) {
  const std::array boxes = {Boxd{{0.375, 0, 0.375}, {0.625, 1.5, 0.625}}};
  const auto cut = splitAtCube(boxes);
  ASSERT_TRUE(cut.ok()) << cut.status();
  ASSERT_EQ(cut->inside.size(), 1U);
  EXPECT_EQ(cut->inside[0], kPost);
  ASSERT_EQ(cut->beyond.size(), 1U);
  EXPECT_EQ(cut->beyond[0].first, (Vec3i{0, 1, 0}));
  EXPECT_EQ(cut->beyond[0].second,
            (ShapeBox{.min = {24576, 0, 24576}, .max = {40960, 32768, 40960}}));
}

TEST(SplitAtCubeTest, KeepsTheVolumeOfABoxThatReachesIntoAllNeighbours) {
  const auto cut = splitAtCube(std::array{Boxd{{-1, -0.5, -0.25}, {2, 1.25, 1.5}}});
  ASSERT_TRUE(cut.ok()) << cut.status();
  EXPECT_EQ(cut->inside.size() + cut->beyond.size(), 27U);
  const auto volume = [](const ShapeBox& box) {
    double product = 1;
    for (std::size_t i = 0; i < 3; ++i)
      product *= (box.max[i] - box.min[i]) / 65536.0;
    return product;
  };
  double sum = volume(cut->inside[0]);
  for (const auto& [offset, box] : cut->beyond)
    sum += volume(box);
  EXPECT_DOUBLE_EQ(sum, 3 * 1.75 * 1.75);
  EXPECT_FALSE(splitAtCube(std::array{Boxd{{0, 0, 0}, {1, 2.5, 1}}}).ok());
}

TEST(BlockTypeTableTest, TheSameBoxesInAnyOrderAreTheSameShape) {
  BlockTypeTable types;
  const auto shape = types.addShape(std::array{kSlab, kPost});
  ASSERT_TRUE(shape.ok()) << shape.status();
  EXPECT_EQ(*types.addShape(std::array{kPost, kSlab, kPost}), *shape);
  EXPECT_EQ(types.boxes(*shape).size(), 2U);
  EXPECT_EQ(*types.addShape(std::array{ShapeBox{}}), kWholeCube);
  EXPECT_EQ(types.shapes(), 2U);
}

TEST(BlockTypeTableTest, RefusesShapesThatAreNone) {
  BlockTypeTable types;
  const std::vector<ShapeBox> many(256, kSlab);
  EXPECT_THAT(types.addShape(many).status().message(), HasSubstr("256 boxes; it may have 255"));
  const auto refusal = [&](const ShapeBox& box) {
    const absl::Status status = types.addShape(std::array{kSlab, kPost, box}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_THAT(refusal({.min = {0, 5, 0}, .max = {1, 5, 1}}),
              HasSubstr("boxes[2]: a box of a shape goes from 5 to 5 on axis y"));
  EXPECT_THAT(refusal({.min = {0, 0, 9}, .max = {1, 1, 8}}), HasSubstr("from 9 to 8 on axis z"));
  EXPECT_THAT(refusal({.min = {0, 0, 0}, .max = {65537, 1, 1}}),
              HasSubstr("from 0 to 65537 on axis x"));
  EXPECT_THAT(types.add({.name = "slab", .shape = ShapeId{7}}).status().message(),
              HasSubstr("\"slab\" has shape 7; the table has 1"));
  EXPECT_EQ(types.shapes(), 1U);
  EXPECT_FALSE(types.find("slab").has_value());
}

TEST(BlockTypeTableTest, HoldsNoMoreThan65536Shapes) {
  BlockTypeTable types;
  const auto post = [](std::uint32_t height) {
    return std::array{ShapeBox{.min = {0, 0, 0}, .max = {1, height, 1}}};
  };
  for (std::uint32_t height = 1; height <= 65535; ++height)
    ASSERT_TRUE(types.addShape(post(height)).ok());
  const absl::Status full = types.addShape(post(65536)).status();
  EXPECT_EQ(full.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(full.message(), HasSubstr("65536"));
  EXPECT_EQ(types.shapes(), 65536U);
  // Those that are there are found as before, and types of them are added.
  const ShapeId last = types.addShape(post(65535)).value();
  EXPECT_EQ(last, ShapeId{65535});
  EXPECT_EQ(types.boxes(last)[0], post(65535)[0]);
  EXPECT_TRUE(types.add({.name = "post", .shape = last}).ok());
}

TEST(BlockTypeTableTest, AShapeHoldsInEveryChannelThatHasNoneOfItsOwn) {
  BlockTypeTable types;
  const ChannelId visible = *types.addChannel("visible");
  const ChannelId sound = *types.addChannel("sound");
  const ShapeId slab = *types.addShape(std::array{kSlab});
  const ShapeId post = *types.addShape(std::array{kPost});
  const BlockTypeId type = *types.add({.name = "fence",
                                       .channel_kinds = {{visible, BlockKind::kPermeable}},
                                       .shape = slab,
                                       .channel_shapes = {{sound, post}}});
  EXPECT_EQ(types.shape(type, kDefaultChannel), slab);
  EXPECT_EQ(types.shape(type, visible), slab);
  EXPECT_EQ(types.kind(type, visible), BlockKind::kPermeable);
  EXPECT_EQ(types.shape(type, sound), post);
  EXPECT_EQ(types.kind(type, sound), BlockKind::kSolid);
  const ChannelId later = *types.addChannel("later");
  EXPECT_EQ(types.shape(type, later), slab);
  EXPECT_EQ(types.shape(kNoBlockType, later), kWholeCube);
}

TEST(BlockTypeTableTest, AShapeTakesNoMemoryABlock) {
  BlockTypeTable types;
  const ShapeId slab = *types.addShape(std::array{kSlab});
  const std::array ids_of_cubes{*types.add({.name = "stone"}), *types.add({.name = "brick"})};
  const std::array ids_of_slabs{*types.add({.name = "stone slab", .shape = slab}),
                                *types.add({.name = "brick slab", .shape = slab})};
  // A chunk of one kind of block, without ids; and one of several.
  for (const std::size_t kinds : {1U, 2U}) {
    const auto make_chunk = [&](const std::array<BlockTypeId, 2>& blocks) {
      std::array<BlockTypeId, kBlocksPerChunk> ids{};
      for (std::size_t i = 0; i < ids.size(); i += 3)
        ids[i] = blocks[i % kinds];
      return Chunk::copied(ids, types).value();
    };
    const std::size_t held = oracle::heldBytes();
    const Chunk cubes = make_chunk(ids_of_cubes);
    const std::size_t held_with_cubes = oracle::heldBytes();
    const Chunk slabs = make_chunk(ids_of_slabs);
    EXPECT_EQ(slabs.bytes(), cubes.bytes());
    EXPECT_EQ(oracle::heldBytes() - held_with_cubes, held_with_cubes - held);
  }
}

TEST(BlockTypeTableTest, AShapeWithoutBoxesMakesTheTypeEmpty) {
  BlockTypeTable types;
  const ShapeId nothing = *types.addShape({});
  const BlockTypeId type = *types.add({.name = "nothing", .shape = nothing});
  EXPECT_EQ(types.kind(type, kDefaultChannel), BlockKind::kEmpty);
  EXPECT_TRUE(types.isEmptyEverywhere(type));
  EXPECT_TRUE(types.shapes(kDefaultChannel).empty());
}

}  // namespace
}  // namespace fractalray
