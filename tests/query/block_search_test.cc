// SPDX-License-Identifier: Apache-2.0
// Blocks in spheres and in boxes: the laws case by case.
#include "../../query/block_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../oracle/random_scene.h"

namespace fractalray::block_search_test {
namespace {

using oracle::kGlass;
using oracle::kMist;
using oracle::kStone;
using oracle::kVisible;
using oracle::kWater;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnit = 1.0 / 65536;
// The frame's end, in finest-block widths.
constexpr double kEnd = 0x1p45;

// "level:x,y,z", in the order found.
std::vector<std::string> names(const absl::StatusOr<std::vector<FoundBlock>>& found) {
  std::vector<std::string> list;
  EXPECT_TRUE(found.ok()) << found.status();
  if (!found.ok()) return list;
  for (const FoundBlock& block : *found) {
    list.push_back(std::to_string(block.level) + ":" + std::to_string(block.block[0]) + "," +
                   std::to_string(block.block[1]) + "," + std::to_string(block.block[2]));
  }
  return list;
}

// A world with the types of random scenes, in which chunks are loaded as blocks are set.
class BlockSearchLawsTest : public testing::Test {
 protected:
  static void set(World& world, int level, const BlockCoord& at, BlockTypeId type = kStone) {
    if (world.chunk(level, chunkOf(at)) == nullptr) {
      ASSERT_TRUE(world.loadChunk(level, chunkOf(at), Chunk()).ok());
    }
    ASSERT_TRUE(world.setBlock(level, at, type).ok());
  }
  static World make(int levels) {
    return World({.levels = levels, .block_types = oracle::sceneTypes()});
  }
};

TEST_F(BlockSearchLawsTest, TouchingCountsAndOneUnitLessDoesNot) {
  World world = make(1);
  set(world, 0, {13, 14, 0});  // its nearest edge is (13, 14), 5 from (10, 10)
  set(world, 0, {-8, 10, 0});  // its face at x = -7 is 17 from there
  EXPECT_THAT(names(blocksInSphere(world, {10, 10, 0.5}, 5)), ElementsAre("0:13,14,0"));
  EXPECT_THAT(names(blocksInSphere(world, {10, 10, 0.5}, 5 - kUnit)), IsEmpty());
  EXPECT_THAT(names(blocksInSphere(world, {10, 10, 1}, 17)), ElementsAre("0:13,14,0", "0:-8,10,0"));
  EXPECT_THAT(names(blocksInSphere(world, {10, 10, 1}, 17 - kUnit)), ElementsAre("0:13,14,0"));
  EXPECT_THAT(names(blocksInBox(world, {10, 10, 1}, {13, 14, 5})), ElementsAre("0:13,14,0"));
  EXPECT_THAT(names(blocksInBox(world, {10, 10, 1}, {13 - kUnit, 14, 5})), IsEmpty());
  EXPECT_THAT(names(blocksInBox(world, {14, 15, 1}, {14, 15, 1})), ElementsAre("0:13,14,0"));
  EXPECT_THAT(names(blocksInBox(world, {14, 15, 1 + kUnit}, {14, 15, 2})), IsEmpty());
  EXPECT_THAT(names(blocksInBox(world, {-7, 11, 0}, {-7, 11, 0})), ElementsAre("0:-8,10,0"));
}

TEST_F(BlockSearchLawsTest, APointOnACornerIsInAllEightBlocks) {
  World world = make(1);
  for (const std::int64_t x : {-1, 0}) {
    for (const std::int64_t y : {-1, 0}) {
      for (const std::int64_t z : {-1, 0})
        set(world, 0, {x, y, z}, kWater);
    }
  }
  const auto all = ElementsAre("0:-1,-1,-1", "0:-1,-1,0", "0:-1,0,-1", "0:-1,0,0", "0:0,-1,-1",
                               "0:0,-1,0", "0:0,0,-1", "0:0,0,0");
  EXPECT_THAT(names(blocksInBox(world, {0, 0, 0}, {0, 0, 0})), all);
  EXPECT_THAT(names(blocksInSphere(world, {0, 0, 0}, 0)), all);
  EXPECT_THAT(names(blocksInSphere(world, {0, 0.5, kUnit}, 0)), ElementsAre("0:-1,0,0", "0:0,0,0"));
}

TEST_F(BlockSearchLawsTest, EqualDistancesComeWithTheFinerLevelFirstThenByIndex) {
  World world = make(2);
  set(world, 0, {1, 0, 0});    // from x = 16, 4 from the centre
  set(world, 1, {12, 2, 8});   // 0 from it
  set(world, 1, {12, -3, 8});  // the square of the distance is 16: in y
  set(world, 1, {12, 6, 8});   // the same
  set(world, 1, {7, 2, 8});    // the same in x
  set(world, 1, {12, 7, 8});   // 5
  EXPECT_THAT(names(blocksInSphere(world, {12, 2, 8.5}, 4)),
              ElementsAre("1:12,2,8", "1:7,2,8", "1:12,-3,8", "1:12,6,8", "0:1,0,0"));
  EXPECT_THAT(names(blocksInBox(world, {8, -2, 8}, {16, 6, 8})),
              ElementsAre("1:7,2,8", "1:12,-3,8", "1:12,2,8", "1:12,6,8", "0:1,0,0"));
}

TEST_F(BlockSearchLawsTest, ExpandedBlocksDeferToTheirChunksWhereThoseLevelsAreAskedFor) {
  World world = make(3);
  set(world, 0, {0, 0, 0});
  set(world, 1, {3, 3, 3}, kWater);     // in block 0 of level 0
  set(world, 2, {49, 50, 50}, kGlass);  // in that block of level 1
  const Vec3d middle{50, 50, 50};
  EXPECT_THAT(names(blocksInSphere(world, middle, 10)), ElementsAre("2:49,50,50"));
  EXPECT_THAT(names(blocksInSphere(world, middle, 10, {0})), ElementsAre("0:0,0,0"));
  EXPECT_THAT(names(blocksInSphere(world, middle, 10, {0, 1})), ElementsAre("1:3,3,3"));
  EXPECT_THAT(names(blocksInSphere(world, middle, 10, {0, 2})),
              ElementsAre("2:49,50,50", "0:0,0,0"));
  EXPECT_THAT(names(blocksInBox(world, middle, middle, {0, 1})), ElementsAre("1:3,3,3"));
  EXPECT_THAT(names(blocksInBox(world, {200, 5, 5}, {201, 6, 6}, {0, 1})), IsEmpty())
      << "block 0 of level 0 defers also where its chunk holds nothing";
  EXPECT_THAT(names(blocksInBox(world, {200, 5, 5}, {201, 6, 6}, {0, 2})), ElementsAre("0:0,0,0"));
  ASSERT_TRUE(world.unloadChunk(1, {0, 0, 0}).ok());
  EXPECT_THAT(names(blocksInSphere(world, middle, 10)), ElementsAre("2:49,50,50", "0:0,0,0"));
}

TEST_F(BlockSearchLawsTest, KindsAreThoseOfTheChannel) {
  World world = make(1);
  set(world, 0, {1, 1, 1}, kGlass);
  set(world, 0, {2, 1, 1}, kWater);
  set(world, 0, {3, 1, 1}, kMist);
  const Vec3d center{2.5, 1.5, 1.5};
  const auto found = blocksInSphere(world, center, 5, LevelMask::all(), {.channel = kVisible});
  EXPECT_THAT(names(found), ElementsAre("0:2,1,1", "0:3,1,1"));
  EXPECT_EQ((*found)[1].kind, BlockKind::kPermeable);
  EXPECT_EQ((*found)[1].type, kMist);
  EXPECT_EQ((*found)[1].distance, 0.5);
  EXPECT_THAT(names(blocksInSphere(world, center, 5)), ElementsAre("0:2,1,1", "0:1,1,1"));
  EXPECT_THAT(names(blocksInSphere(world, center, 5, {0}, {.solid_only = true})),
              ElementsAre("0:1,1,1"));
  EXPECT_THAT(names(blocksInSphere(world, center, 5, {0}, {.blocks = false})), IsEmpty());
  EXPECT_THAT(names(blocksInSphere(world, center, 5, {0}, {.entities = false, .categories = 0})),
              ElementsAre("0:2,1,1", "0:1,1,1"))
      << "what is about entities does not matter";
}

TEST_F(BlockSearchLawsTest, TheFilterIsAskedOnceForWhatIsWithinReach) {
  World world = make(2);
  set(world, 0, {0, 0, 0});
  set(world, 1, {4, 4, 4}, kGlass);
  set(world, 1, {6, 4, 4}, kWater);
  set(world, 1, {9, 4, 4}, kStone);
  std::vector<BlockHit> asked;
  const QueryFilter filter{.block_filter = [&](const BlockHit& hit) {
    asked.push_back(hit);
    return hit.type != kGlass;
  }};
  EXPECT_THAT(names(blocksInSphere(world, {5, 4.5, 4.5}, 2, LevelMask::all(), filter)),
              ElementsAre("1:6,4,4"));
  ASSERT_EQ(asked.size(), 2U);
  std::sort(asked.begin(), asked.end(),
            [](const BlockHit& a, const BlockHit& b) { return a.block < b.block; });
  EXPECT_TRUE(asked[0].isBlock());
  EXPECT_EQ(asked[0].block, (BlockCoord{4, 4, 4}));
  EXPECT_EQ(asked[0].level, 1);
  EXPECT_TRUE(asked[0].terminal);
  EXPECT_FALSE(asked[1].terminal);
}

TEST_F(BlockSearchLawsTest, FewFarAwayAreFoundFromAnywhere) {
  for (const int levels : {1, 4, 10}) {
    World world = make(levels);
    const int finest = levels - 1;
    const std::int64_t last = (std::int64_t{1} << 45) - 1;
    set(world, finest, {last, last, last});
    set(world, finest, {-last - 1, 5, 5});
    const std::string high =
        std::to_string(finest) + ":35184372088831,35184372088831,35184372088831";
    const std::string low = std::to_string(finest) + ":-35184372088832,5,5";
    EXPECT_THAT(names(blocksInSphere(world, {-kEnd, -kEnd, -kEnd}, kInfinity)),
                ElementsAre(low, high));
    EXPECT_THAT(names(blocksInSphere(world, {kEnd, kEnd, kEnd}, 0)), ElementsAre(high));
    EXPECT_THAT(names(blocksInSphere(world, {kEnd, kEnd, kEnd}, 1.7 * 2 * kEnd)),
                ElementsAre(high, low));
    EXPECT_THAT(names(blocksInBox(world, {-kEnd, -kEnd, -kEnd}, {kEnd, kEnd, kEnd})),
                ElementsAre(low, high));
    EXPECT_THAT(names(blocksInBox(world, {-kEnd, 6, 6}, {-kEnd, 6, 6})), ElementsAre(low));
    EXPECT_THAT(names(blocksInBox(world, {2 - kEnd, 5, 5}, {0, 6, 6})), IsEmpty());
  }
}

TEST_F(BlockSearchLawsTest, OrderIsThatOfTheExactDistancesIfDoublesAreEqual) {
  // From far away on the axis of x, sqrt(a^2 + y^2) differs by less than doubles resolve.
  World world = make(1);
  set(world, 0, {0, 3, 0});
  set(world, 0, {0, 1, 0});
  set(world, 0, {0, 2, 0});
  const auto found = blocksInSphere(world, {kEnd / 2, 0, 0.5}, kInfinity);
  EXPECT_THAT(names(found), ElementsAre("0:0,1,0", "0:0,2,0", "0:0,3,0"));
  EXPECT_EQ((*found)[0].distance, (*found)[2].distance);
  const auto reversed = blocksInSphere(world, {kEnd / 2, 5, 0.5}, kInfinity);
  EXPECT_THAT(names(reversed), ElementsAre("0:0,3,0", "0:0,2,0", "0:0,1,0"));
}

TEST_F(BlockSearchLawsTest, BlocksOfUnknownTypesAreNotFound) {
  World world = make(1);
  std::array<BlockTypeId, kBlocksPerChunk> ids{};
  ids.fill(kStone);
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::borrowed(ids, world.blockTypes()).value()).ok());
  ids[0] = BlockTypeId{60000};
  EXPECT_THAT(names(blocksInBox(world, {0.5, 0.5, 0.5}, {1.5, 0.5, 0.5})), ElementsAre("0:1,0,0"));
}

TEST_F(BlockSearchLawsTest, WrongQuestionsAreRefusedAndLeaveNothing) {
  World world = make(2);
  set(world, 1, {0, 0, 0});
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  constexpr auto kBeyond = absl::StatusCode::kOutOfRange;
  const LevelMask all = LevelMask::all();
  const LevelMask none{5};
  const Vec3d zero{0, 0, 0};
  std::vector<FoundBlock> found;
  BlockSearchStats stats;
  const auto expect = [&](const absl::Status& status, absl::StatusCode code, const char* what) {
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(what));
    EXPECT_THAT(found, IsEmpty());
    EXPECT_EQ(stats, BlockSearchStats());
    ASSERT_TRUE(blocksInBox(world, zero, zero, all, {}, found, &stats).ok());
    ASSERT_EQ(found.size(), 1U);
    ASSERT_NE(stats, BlockSearchStats());
  };
  const auto sphere = [&](const Vec3d& center, double radius, LevelMask levels,
                          const QueryFilter& filter = {}) {
    return blocksInSphere(world, center, radius, levels, filter, found, &stats);
  };
  const auto box = [&](const Vec3d& min, const Vec3d& max, LevelMask levels,
                       const QueryFilter& filter = {}) {
    return blocksInBox(world, min, max, levels, filter, found, &stats);
  };
  expect(sphere({0, kNan, 0}, 1, all), kInvalid, "centre.y is NaN");
  expect(sphere({0, 0, kInfinity}, 1, all), kInvalid, "centre.z is inf");
  expect(sphere({2 * kEnd, 0, 0}, 1, all), kBeyond, "2^45");
  expect(sphere(zero, -1, all), kInvalid, "radius is -1");
  expect(sphere(zero, kNan, all), kInvalid, "radius is NaN");
  expect(sphere(zero, 1, none), kInvalid, "'5' has no active level");
  expect(sphere(zero, 1, {}), kInvalid, "the level mask is empty");
  expect(sphere(zero, 1, all, {.channel = ChannelId{2}}), kInvalid, "channel 2");
  expect(box({kNan, 0, 0}, zero, all), kInvalid, "min.x is NaN");
  expect(box(zero, {0, kInfinity, 0}, all), kInvalid, "max.y is inf");
  expect(box(zero, {0, 0, 2 * kEnd}, all), kBeyond, "max.z");
  expect(box({0, 3, 0}, {1, 2, 1}, all), kInvalid, "min.y is 3, above its max.y, 2");
  expect(box(zero, zero, none), kInvalid, "no active level");
  expect(box(zero, zero, all, {.channel = ChannelId{9}}), kInvalid, "channel 9");
  EXPECT_EQ(blocksInSphere(world, zero, -1).status().code(), kInvalid);
  EXPECT_EQ(blocksInBox(world, zero, {-1, 0, 0}).status().code(), kInvalid);
}

}  // namespace
}  // namespace fractalray::block_search_test
