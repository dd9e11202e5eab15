// SPDX-License-Identifier: Apache-2.0
// Checks the check of witnesses: it must find every fault.
#include "witness_oracle.h"

#include "gtest/gtest.h"

namespace fractalray::oracle {
namespace {

// An eye at the origin of a chunk of air looks at a box in its middle, past a wall with a gap: x
// from 4 to 5 blocks, up to y = 4 blocks.
class WitnessOracleTest : public ::testing::Test {
 protected:
  static constexpr std::int64_t kBlock = kUnitsPerBlock;

  WitnessOracleTest() { EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok()); }

  // Returns the fault of a witness that is said to end in the box, or not.
  std::optional<std::string> faultOf(std::array<std::int64_t, 3> delta, bool unit) const {
    WitnessCase witness{.world = world_,
                        .levels = world_.allLevels(),
                        .occluders = walls_,
                        .eye = eye_,
                        .box = {{8 * kBlock, 8 * kBlock, 0}, {9 * kBlock, 9 * kBlock, kBlock}},
                        .through = through_,
                        .skip_start_inside = skips_,
                        .passes_unloaded = passes_unloaded_,
                        .unit = unit};
    for (std::size_t axis = 0; axis < 3; ++axis)
      witness.delta[axis] = delta[axis];
    return faultOfWitness(witness);
  }

  World world_;
  std::vector<Occluder> walls_ = {{{{4 * kBlock, 0, 0}, {5 * kBlock, 4 * kBlock, 16 * kBlock}}}};
  Vec3i eye_{};
  std::uint64_t through_ = 0;
  bool skips_ = false;
  bool passes_unloaded_ = false;
};

constexpr std::int64_t kHalf = kUnitsPerBlock / 2;

TEST_F(WitnessOracleTest, AClearLineIsRight) {
  EXPECT_EQ(faultOf({17 * kHalf, 17 * kHalf + 1, kHalf}, true), std::nullopt);
  EXPECT_EQ(faultOf({34, 35, 1}, false), std::nullopt);
}

TEST_F(WitnessOracleTest, UnitSaysIfTheEndIsInTheBox) {
  EXPECT_TRUE(faultOf({34, 35, 1}, true).has_value());
  EXPECT_TRUE(faultOf({17 * kHalf, 17 * kHalf + 1, kHalf}, false).has_value());
}

TEST_F(WitnessOracleTest, ALineThatTouchesAnEdgeIsWrong) {
  EXPECT_TRUE(faultOf({34, 34, 1}, false).has_value());
  EXPECT_TRUE(faultOf({35, 34, 1}, false).has_value());
}

TEST_F(WitnessOracleTest, ALineMayPassAsManyOccludersAsItIsAllowed) {
  walls_.push_back({{{6 * kBlock, 0, 0}, {6 * kBlock + 1, 16 * kBlock, 16 * kBlock}},
                    {{7 * kBlock, 0, 0}, {7 * kBlock + 1, 16 * kBlock, 16 * kBlock}}});
  EXPECT_TRUE(faultOf({34, 35, 1}, false).has_value());
  through_ = 1;
  EXPECT_EQ(faultOf({34, 35, 1}, false), std::nullopt);
  EXPECT_TRUE(faultOf({35, 34, 1}, false).has_value());
  through_ = 2;
  EXPECT_EQ(faultOf({35, 34, 1}, false), std::nullopt);
}

TEST_F(WitnessOracleTest, ALineThatMissesTheBoxIsWrong) {
  EXPECT_TRUE(faultOf({1, 2, 0}, false).has_value());
  EXPECT_TRUE(faultOf({-34, -35, -1}, false).has_value());
  EXPECT_TRUE(faultOf({0, 0, 0}, false).has_value());
}

TEST_F(WitnessOracleTest, TheLineLeavesAnOccluderAtTheEyeAtOnce) {
  walls_.push_back({{{-kBlock, -kBlock, -kBlock}, {0, 0, 0}}});
  EXPECT_EQ(faultOf({34, 35, 1}, false), std::nullopt);
  walls_.push_back({{{-kBlock, -kBlock, -kBlock}, {kBlock, kBlock, kBlock}}});
  EXPECT_TRUE(faultOf({34, 35, 1}, false).has_value());
  skips_ = true;
  EXPECT_EQ(faultOf({34, 35, 1}, false), std::nullopt);
  // On its surface, the eye is not in its interior.
  walls_.back() = {{{0, 0, 0}, {kBlock, kBlock, kBlock}}};
  EXPECT_TRUE(faultOf({34, 35, 1}, false).has_value());
}

TEST_F(WitnessOracleTest, TheLineStaysInLoadedSpace) {
  eye_ = {-kBlock, -kBlock, 0};
  EXPECT_TRUE(faultOf({38, 39, 1}, false).has_value());
  passes_unloaded_ = true;
  EXPECT_EQ(faultOf({38, 39, 1}, false), std::nullopt);
  passes_unloaded_ = false;
  EXPECT_TRUE(world_.loadChunk(0, {-1, -1, 0}, Chunk()).ok());
  EXPECT_TRUE(faultOf({38, 39, 1}, false).has_value()) << "it crosses the chunk (-1, 0, 0)";
  EXPECT_TRUE(world_.loadChunk(0, {-1, 0, 0}, Chunk()).ok());
  EXPECT_EQ(faultOf({38, 39, 1}, false), std::nullopt);
}

TEST(SolidBlocksTest, AreThoseOfTheLevelsThatDoNotDefer) {
  World world({.levels = 2});
  const BlockTypeId stone = *world.blockTypes().add({.name = "stone"});
  const ShapeBox low{.max = {kShapeUnits, kShapeUnits / 2, kShapeUnits}};
  const ShapeId shape = *world.blockTypes().addShape(std::span(&low, 1));
  const BlockTypeId slab = *world.blockTypes().add({.name = "slab", .shape = shape});
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(world.setBlock(0, {1, 0, 0}, stone).ok());
  ASSERT_TRUE(world.loadChunk(1, {1, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(world.setBlock(1, {16, 0, 0}, slab).ok());
  const std::int64_t block = kUnitsPerBlock;
  const std::vector<Occluder> coarse = solidBlocks(world, LevelMask{0}, kDefaultChannel);
  ASSERT_EQ(coarse.size(), 1U);
  EXPECT_EQ(coarse[0][0], (FixedBox{{16 * block, 0, 0}, {32 * block, 16 * block, 16 * block}}));
  const std::vector<Occluder> both = solidBlocks(world, LevelMask{0, 1}, kDefaultChannel);
  ASSERT_EQ(both.size(), 1U);
  EXPECT_EQ(both[0][0], (FixedBox{{16 * block, 0, 0}, {17 * block, block / 2, block}}));
}

}  // namespace
}  // namespace fractalray::oracle
