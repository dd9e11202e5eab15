// SPDX-License-Identifier: Apache-2.0
// Visible blocks: named cases.
#include "../../query/visible_blocks.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"

namespace fractalray::visible_blocks_test {
namespace {

constexpr std::array<BlockTypeId, 1> kOres = {oracle::kGlass};

// A world of two levels; most tests use its one chunk of level 1, with the eye in the middle of
// block (2, 8, 8), and look for glass.
class VisibleBlocksTest : public testing::Test {
 protected:
  VisibleBlocksTest() {
    EXPECT_TRUE(world_.loadChunk(1, {0, 0, 0}, Chunk()).ok());
    options_.types = kOres;
    options_.sight.unloaded = UnloadedSpace::kTransparent;
  }

  void set(const BlockCoord& at, BlockTypeId type = oracle::kStone) {
    EXPECT_TRUE(world_.setBlock(1, at, type).ok());
  }
  void fill(const BlockCoord& low, const BlockCoord& high, BlockTypeId type = oracle::kStone) {
    EXPECT_TRUE(world_.fillBox(1, low, high, type).ok());
  }
  // Sets an ore with stone on all sides, edges and corners.
  void bury(const BlockCoord& ore) {
    fill({ore[0] - 1, ore[1] - 1, ore[2] - 1}, {ore[0] + 1, ore[1] + 1, ore[2] + 1});
    set(ore, oracle::kGlass);
  }
  VisibleBlocks find() const {
    const auto found = service_.visibleBlocks(eye_, radius_, levels_, options_);
    EXPECT_TRUE(found.ok()) << found.status();
    return found.ok() ? *found : VisibleBlocks();
  }
  absl::Status error() const {
    return service_.visibleBlocks(eye_, radius_, levels_, options_).status();
  }

  World world_{{.levels = 2, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
  Vec3d eye_{2.5, 8.5, 8.5};
  double radius_ = 20;
  LevelMask levels_ = LevelMask{1};
  VisibleBlocksOptions options_;
};

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

TEST_F(VisibleBlocksTest, ErrorsNameTheValueAndFindNothing) {
  set({8, 8, 8}, oracle::kGlass);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const VisibleBlocksOptions right = options_;
  eye_[1] = nan;
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(error().message().find("the eye.y"), std::string::npos) << error();
  eye_[1] = 0x1p46;
  EXPECT_EQ(error().code(), absl::StatusCode::kOutOfRange);
  radius_ = -1;
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument) << "wins over OUT_OF_RANGE";
  EXPECT_NE(error().message().find("the radius"), std::string::npos) << error();
  eye_[1] = 8;
  radius_ = nan;
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  radius_ = 20;
  levels_ = LevelMask{7};
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  levels_ = LevelMask{1};
  options_.targets.channel = ChannelId{9};
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  options_ = right;
  options_.sight.filter.channel = ChannelId{9};
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  options_ = right;
  const std::vector<BlockTypeId> types = {oracle::kGlass, BlockTypeId{777}};
  options_.types = types;
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(error().message().find("types[1] is 777"), std::string::npos) << error();
  options_ = right;
  const std::vector<FixedBox> wrong = {{.min = {5, 0, 0}, .max = {4, 1, 1}}};
  options_.sight.occluders = wrong;
  EXPECT_NE(error().message().find("occluders[0]"), std::string::npos) << error();
  options_ = right;
  VisibleBlocks found = find();
  EXPECT_EQ(found.visible.size(), 1U);
  radius_ = -1;
  EXPECT_FALSE(service_.visibleBlocks(eye_, radius_, levels_, options_, found).ok());
  EXPECT_TRUE(found.visible.empty());
  EXPECT_EQ(found.stats.asked, 0U);
}

TEST_F(VisibleBlocksTest, AnExceptionOfAFilterLeavesNothing) {
  fill({8, 0, 0}, {12, 15, 15});
  for (const std::int64_t y : {3, 5, 8})
    set({8, y, 8}, oracle::kGlass);
  set({10, 8, 8}, oracle::kGlass);
  VisibleBlocks found;
  int calls_left = 0;
  const auto throw_once = [&](const BlockHit&) -> bool {
    if (calls_left-- == 0) throw std::runtime_error("a filter");
    return true;
  };
  options_.targets.block_filter = throw_once;
  options_.sight.filter.block_filter = throw_once;
  int thrown = 0;
  for (bool is_done = false; !is_done; ++thrown) {
    calls_left = thrown;
    try {
      is_done = service_.visibleBlocks(eye_, radius_, levels_, options_, found).ok();
      EXPECT_EQ(found.visible.size(), 3U) << "the depth of queries is as before";
    } catch (const std::runtime_error&) {
      EXPECT_TRUE(found.visible.empty() && found.unknown.empty() && found.undecided.empty());
      EXPECT_EQ(found.stats.covered + found.stats.asked, 0U);
    }
  }
  EXPECT_GT(thrown, 4);
}

TEST_F(VisibleBlocksTest, FiltersMayAskOtherQueries) {
  fill({8, 0, 0}, {12, 15, 15});
  set({8, 8, 8}, oracle::kGlass);
  set({10, 8, 8}, oracle::kGlass);
  int asked = 0;
  const VisibleBlocksOptions plain = options_;
  const auto ask_same = [&](const BlockHit& hit) {
    ++asked;
    EXPECT_EQ(service_.visibleBlocks(eye_, radius_, levels_, plain)->visible.size(), 1U);
    return hit.block[1] < 99;
  };
  options_.sight.filter.block_filter = ask_same;
  options_.targets.block_filter = ask_same;
  EXPECT_EQ(find().visible.size(), 1U);
  EXPECT_EQ(find().stats.covered, 1U);
  EXPECT_GT(asked, 3);
}

TEST_F(VisibleBlocksTest, WarmQueriesDoNotAllocate) {
  fill({8, 0, 0}, {12, 15, 15});
  for (const std::int64_t y : {3, 5, 8})
    set({8, y, 8}, oracle::kGlass);
  set({10, 8, 8}, oracle::kGlass);
  // Larger than what std::function keeps without memory of its own.
  const std::array<std::int64_t, 9> large{0, 15, 15};
  const auto filter = [large](const BlockHit& hit) { return hit.block[0] <= large[1]; };
  options_.sight.filter.block_filter = filter;
  options_.targets.block_filter = filter;
  options_.sight.report_certificate = true;
  VisibleBlocks found;
  const auto ask = [&] {
    return service_.visibleBlocks(eye_, radius_, levels_, options_, found).ok();
  };
  ASSERT_TRUE(ask());
  const std::size_t before = oracle::allocationCount();
  ASSERT_TRUE(ask());
  EXPECT_EQ(oracle::allocationCount(), before);
  EXPECT_EQ(found.visible.size(), 3U);
  EXPECT_EQ(found.stats.covered, 1U);
}

TEST_F(VisibleBlocksTest, ExhaustedMemoryLeavesNothing) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  fill({8, 0, 0}, {12, 15, 15});
  for (const std::int64_t y : {3, 5, 8})
    set({8, y, 8}, oracle::kGlass);
  std::size_t failures = 0;
  // The memory of a new thread is yet to be allocated.
  std::thread([&] {
    VisibleBlocks found;
    failures = oracle::failEachAllocation(
        [&] { EXPECT_TRUE(service_.visibleBlocks(eye_, radius_, levels_, options_, found).ok()); },
        [&](std::size_t /*n*/) {
          EXPECT_TRUE(found.visible.empty() && found.unknown.empty() && found.undecided.empty());
        },
        oracle::AllocationFailure::Extent::kOne);
    EXPECT_EQ(found.visible.size(), 3U);
  }).join();
  EXPECT_GT(failures, 0U);
}

}  // namespace
}  // namespace fractalray::visible_blocks_test
