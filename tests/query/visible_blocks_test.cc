// SPDX-License-Identifier: Apache-2.0
// Visible blocks: named cases of which are found.
#include "../../query/visible_blocks.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"
#include "visible_blocks_fixture.h"

namespace fractalray::visible_blocks_test {
namespace {

TEST_F(VisibleBlocksTest, AnOreInAWallIsSeenAndABuriedOneIsNot) {
  fill({8, 0, 0}, {12, 15, 15});
  set({8, 8, 8}, oracle::kGlass);
  set({8, 3, 3}, oracle::kGlass);
  set({10, 8, 8}, oracle::kGlass);
  const VisibleBlocks found = find();
  ASSERT_EQ(found.visible.size(), 2U);
  EXPECT_EQ(found.visible[0].block, (BlockCoord{8, 8, 8}));
  EXPECT_EQ(found.visible[0].type, oracle::kGlass);
  EXPECT_EQ(found.visible[0].distance, 5.5);
  EXPECT_EQ(found.visible[1].block, (BlockCoord{8, 3, 3}));
  EXPECT_EQ(found.stats.covered, 1U);
  EXPECT_EQ(found.stats.asked, 2U);
  EXPECT_EQ(found.stats.sight.rays, 2U);
  EXPECT_EQ(found.version, service_.version());
}

TEST_F(VisibleBlocksTest, OneUncoveredFaceIsEnoughToAsk) {
  bury({8, 8, 8});
  EXPECT_EQ(find().stats.covered, 1U);
  set({9, 8, 8}, kAir);  // away from the eye
  EXPECT_EQ(find().stats.covered, 1U);
  set({7, 8, 8}, kAir);  // towards it, at the end of a tunnel
  VisibleBlocks found = find();
  EXPECT_EQ(found.stats.covered, 0U);
  EXPECT_EQ(found.visible.size(), 1U);
  // The eye is outside of the block on x alone, so its other faces do not count.
  set({7, 8, 8});
  set({8, 9, 8}, kAir);
  EXPECT_EQ(find().stats.covered, 1U);
  eye_[1] = 9 + 0x1p-16;
  found = find();
  EXPECT_EQ(found.stats.covered, 0U);
  EXPECT_TRUE(found.visible.empty());
  EXPECT_EQ(found.stats.asked, 1U) << "hidden by what is farther away";
}

TEST_F(VisibleBlocksTest, AnEyeOnTheBlockSeesItHoweverCovered) {
  bury({8, 8, 8});
  for (const double x : {8.0, 8.5, 9.0}) {
    eye_ = {x, 8.5, 8.5};
    const VisibleBlocks found = find();
    ASSERT_EQ(found.visible.size(), 1U) << x;
    EXPECT_EQ(found.visible[0].distance, 0);
    EXPECT_EQ(found.stats.covered, 0U);
  }
}

TEST_F(VisibleBlocksTest, ACoveringBlockAroundTheEyeHidesUnlessItIsLeftOut) {
  bury({8, 8, 8});
  eye_ = {7.5, 8.5, 8.5};
  EXPECT_TRUE(find().visible.empty());
  EXPECT_EQ(find().stats.covered, 1U);
  options_.sight.filter.skip_start_inside = true;
  EXPECT_EQ(find().visible.size(), 1U);
  EXPECT_EQ(find().stats.covered, 0U);
}

TEST_F(VisibleBlocksTest, NothingCoversWhatDirectionsMayPass) {
  fill({8, 0, 0}, {8, 15, 15});
  set({9, 8, 8}, oracle::kGlass);
  EXPECT_EQ(find().stats.covered, 1U);
  options_.sight.through = 1;
  EXPECT_EQ(find().visible.size(), 1U);
  EXPECT_EQ(find().stats.covered, 0U);
}

TEST_F(VisibleBlocksTest, AShapeCoversOnlyAFaceThatABoxOfItFills) {
  int added = 0;
  const auto add = [&](const ShapeBox& box) {
    const std::array<ShapeBox, 1> boxes = {box};
    const ShapeId shape = *world_.blockTypes().addShape(boxes);
    const std::string name = "part " + std::to_string(++added);
    return *world_.blockTypes().add({.name = name, .kind = BlockKind::kSolid, .shape = shape});
  };
  const auto cover_of = [&](const ShapeBox& box) {
    set({7, 8, 8}, add(box));
    return find().stats.covered;
  };
  bury({8, 8, 8});
  EXPECT_EQ(cover_of({{40000, 0, 0}, {65536, 65536, 65536}}), 1U) << "at the ore";
  EXPECT_EQ(cover_of({{0, 0, 0}, {65535, 65536, 65536}}), 0U) << "a unit before it";
  EXPECT_EQ(cover_of({{40000, 1, 0}, {65536, 65536, 65536}}), 0U) << "with a crack below";
  EXPECT_EQ(cover_of({{40000, 0, 0}, {65536, 65536, 65535}}), 0U) << "with a crack aside";
  EXPECT_EQ(cover_of({{40000, 30000, 0}, {65536, 65536, 65536}}), 0U);
  EXPECT_EQ(find().visible.size(), 1U);
  EXPECT_EQ(cover_of({{40000, 0, 0}, {65536, 65536, 35000}}), 0U);
  EXPECT_EQ(find().visible.size(), 1U);
}

// The same for the upper face on each axis, with the eye on that side.
TEST_F(VisibleBlocksTest, AnUpperFaceIsCoveredByWhatTouchesIt) {
  int added = 0;
  for (int axis = 0; axis < 3; ++axis) {
    bury({8, 8, 8});
    eye_ = {8.5, 8.5, 8.5};
    eye_[axis] = 13.5;
    BlockCoord before{8, 8, 8};
    before[axis] = 9;
    for (const std::uint32_t gap : {0U, 1U, 30000U}) {
      ShapeBox box;
      box.min[static_cast<std::size_t>(axis)] = gap;
      box.max[static_cast<std::size_t>(axis)] = 60000;
      const ShapeId shape = *world_.blockTypes().addShape({&box, 1});
      const std::string name = "part " + std::to_string(++added);
      set(before,
          *world_.blockTypes().add({.name = name, .kind = BlockKind::kSolid, .shape = shape}));
      EXPECT_EQ(find().stats.covered, gap == 0 ? 1U : 0U) << axis << " " << gap;
    }
  }
}

TEST_F(VisibleBlocksTest, PermeableAndEmptyBlocksCoverNothing) {
  bury({8, 8, 8});
  for (const BlockTypeId type : {oracle::kWater, oracle::kMist, oracle::kSlab}) {
    set({7, 8, 8}, type);
    EXPECT_EQ(find().visible.size(), 1U);
  }
}

TEST_F(VisibleBlocksTest, TargetsAndOccludersHaveFiltersOfTheirOwn) {
  bury({8, 8, 8});
  set({7, 8, 8}, oracle::kGlass);  // solid, and empty in the channel `visible`
  EXPECT_EQ(find().visible.size(), 1U);
  options_.sight.filter.channel = oracle::kVisible;
  EXPECT_EQ(find().visible.size(), 2U);
  options_.targets.channel = oracle::kVisible;
  EXPECT_TRUE(find().visible.empty()) << "empty blocks are not found";
  options_.targets = {};
  options_.sight = {};
  options_.sight.filter.block_filter = [](const BlockHit& hit) { return hit.block[0] != 7; };
  EXPECT_EQ(find().visible.size(), 2U);
  options_.targets.block_filter = [](const BlockHit& hit) { return hit.block[0] == 8; };
  EXPECT_EQ(find().visible.size(), 1U);
  options_.types = {};
  options_.targets.block_filter = {};
  options_.targets.blocks = false;
  EXPECT_TRUE(find().visible.empty());
  options_.targets.blocks = true;
  options_.sight.filter = {.blocks = false};
  EXPECT_EQ(find().visible.size(), 27U) << "nothing hides";
}

TEST_F(VisibleBlocksTest, ANeighbourThatDefersCoversNothing) {
  // Blocks of level 0 are 16 wide; that next to the target expands into the chunk of level 1.
  EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  EXPECT_TRUE(world_.setBlock(0, {0, 0, 0}, oracle::kStone).ok());
  EXPECT_TRUE(world_.setBlock(0, {1, 0, 0}, oracle::kGlass).ok());
  eye_ = {-30, 8, 8};
  radius_ = 100;
  levels_ = LevelMask{0};
  EXPECT_EQ(find().stats.covered, 1U);
  levels_ = LevelMask::all();
  EXPECT_EQ(find().stats.covered, 0U);
  EXPECT_EQ(find().visible.size(), 1U);
}

TEST_F(VisibleBlocksTest, ACoarserNeighbourCoversAFinerBlock) {
  EXPECT_TRUE(world_.loadChunk(0, {-1, 0, 0}, Chunk()).ok());
  EXPECT_TRUE(world_.setBlock(0, {-1, 0, 0}, oracle::kStone).ok());
  set({0, 8, 8}, oracle::kGlass);
  eye_ = {-30, 8.5, 8.5};
  radius_ = 100;
  levels_ = LevelMask::all();
  EXPECT_EQ(find().stats.covered, 1U);
  levels_ = LevelMask{1};
  EXPECT_EQ(find().stats.covered, 0U);
  EXPECT_EQ(find().visible.size(), 1U);
}

TEST_F(VisibleBlocksTest, BlocksSeenThroughUnloadedSpaceAreUnknown) {
  set({0, 8, 8}, oracle::kGlass);
  set({12, 8, 8}, oracle::kGlass);
  eye_ = {-4, 8.5, 8.5};
  options_.sight.unloaded = UnloadedSpace::kReport;
  VisibleBlocks found = find();
  EXPECT_TRUE(found.visible.empty());
  EXPECT_EQ(found.unknown.size(), 1U) << "the first one hides the second";
  fill({11, 0, 0}, {11, 15, 15});
  fill({12, 7, 7}, {12, 9, 9});
  eye_ = {20, 8.5, 8.5};
  found = find();
  EXPECT_TRUE(found.unknown.empty());
  set({12, 8, 8}, oracle::kGlass);
  found = find();
  ASSERT_EQ(found.unknown.size(), 1U);
  EXPECT_EQ(found.unknown[0].block, (BlockCoord{12, 8, 8}));
  options_.sight.unloaded = UnloadedSpace::kOpaque;
  EXPECT_TRUE(find().unknown.empty());
}

TEST_F(VisibleBlocksTest, TheRadiusIsThatOfTheSphere) {
  set({6, 8, 8}, oracle::kGlass);
  for (const double radius : {0.0, 3.0}) {
    radius_ = radius;
    EXPECT_TRUE(find().visible.empty());
  }
  radius_ = 3.5;
  EXPECT_EQ(find().visible.size(), 1U);
  radius_ = std::numeric_limits<double>::infinity();
  EXPECT_EQ(find().visible.size(), 1U);
  radius_ = 0;
  set({2, 8, 8}, oracle::kGlass);
  EXPECT_EQ(find().visible.size(), 1U);
}

TEST_F(VisibleBlocksTest, BoxesOccludeButCoverNoFace) {
  set({8, 8, 8}, oracle::kGlass);
  const std::vector<FixedBox> door = {
      {.min = {4 * kUnitsPerBlock, 0, 0},
       .max = {5 * kUnitsPerBlock, 16 * kUnitsPerBlock, 16 * kUnitsPerBlock}}};
  options_.sight.occluders = door;
  EXPECT_TRUE(find().visible.empty());
  EXPECT_EQ(find().stats.asked, 1U);
  options_.sight.occluders = {};
  ASSERT_TRUE(
      entities_.add({.id = 1, .level = 1, .shape = Box{{0.5, 4, 4}}, .position = {4.5, 8.5, 8.5}})
          .ok());
  EXPECT_EQ(find().visible.size(), 1U);
  options_.sight.boxes_block = true;
  EXPECT_TRUE(find().visible.empty());
}

TEST_F(VisibleBlocksTest, StepsThatRunOutLeaveTheFarthestBlocksUndecided) {
  for (const std::int64_t x : {4, 8, 12})
    set({x, x, 8}, oracle::kGlass);
  bury({13, 3, 8});
  const VisibleBlocks whole = find();
  ASSERT_EQ(whole.visible.size(), 3U);
  options_.sight.max_steps = 0;
  VisibleBlocks found = find();
  EXPECT_TRUE(found.visible.empty());
  EXPECT_EQ(found.undecided, whole.visible);
  EXPECT_EQ(found.stats.covered, 1U) << "needs no step";
  options_.sight.max_steps = whole.stats.sight.steps() - 1;
  found = find();
  EXPECT_EQ(found.visible.size(), 2U);
  ASSERT_EQ(found.undecided.size(), 1U);
  EXPECT_EQ(found.undecided[0], whole.visible[2]);
}

}  // namespace
}  // namespace fractalray::visible_blocks_test
