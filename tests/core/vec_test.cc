// SPDX-License-Identifier: Apache-2.0
// Vectors: operators, products, and hashes for the standard containers.
#include "../../core/vec.h"

#include <gtest/gtest.h>

#include <sstream>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>

namespace fractalray {
namespace {

TEST(VecTest, OperatorsWorkComponentByComponent) {
  Vec3d v{1, 2, -4};
  EXPECT_EQ((v + Vec3d{1, 1, 1}), (Vec3d{2, 3, -3}));
  EXPECT_EQ((v - Vec3d{1, 1, 1}), (Vec3d{0, 1, -5}));
  EXPECT_EQ(-v, (Vec3d{-1, -2, 4}));
  EXPECT_EQ(v * 2, (Vec3d{2, 4, -8}));
  EXPECT_EQ(2 * v, v * 2);
  EXPECT_EQ(v / 2, (Vec3d{0.5, 1, -2}));
  v += {1, 0, 0};
  v -= {0, 1, 0};
  v *= 3;
  v /= 6;
  EXPECT_EQ(v, (Vec3d{1, 0.5, -2}));
}

TEST(VecTest, ComponentsOfVariablesCanBeAssignedByName) {
  Vec3d v;
  v.x() = 3;
  v.y() -= 1;
  v.z() = v.x() * 2;
  EXPECT_EQ(v, (Vec3d{3, -1, 6}));
  const Vec3d fixed = v;
  EXPECT_EQ(fixed.x() + (Vec3d{1, 2, 3}).z(), 6);
  static_assert(!std::is_reference_v<decltype(Vec3d().x())>, "it would dangle");
}

TEST(VecTest, CanBeWrittenToAStream) {
  std::ostringstream out;
  out << BlockCoord{1, -2, 3} << Vec2d{0.5, 4};
  EXPECT_EQ(out.str(), "[1, -2, 3][0.5, 4]");
}

TEST(VecTest, DotAndLength) {
  EXPECT_EQ(dot(Vec3d{1, 2, 3}, Vec3d{4, -5, 6}), 12);
  EXPECT_EQ(dot(Vec3i{1, 2, 3}, Vec3i{4, -5, 6}), 12);
  EXPECT_EQ(length(Vec3d{2, -3, 6}), 7);
  EXPECT_EQ(length(Vec2d{3, 4}), 5);
}

TEST(VecTest, CanBeAKeyOfStandardContainers) {
  std::unordered_set<Vec3i> positions;
  std::unordered_map<BlockCoord, int> blocks;
  for (std::int64_t x = -3; x < 3; ++x) {
    for (std::int64_t y = -3; y < 3; ++y) {
      positions.insert({x, y, x * y});
      positions.insert({x, y, x * y});
      blocks[{x, y, 0}] = 1;
    }
  }
  EXPECT_EQ(positions.size(), 36U);
  EXPECT_EQ(blocks.size(), 36U);
  EXPECT_NE(std::hash<Vec3i>()({1, 2, 3}), std::hash<Vec3i>()({3, 2, 1}));
}

}  // namespace
}  // namespace fractalray
