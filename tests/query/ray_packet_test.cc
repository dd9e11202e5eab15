// SPDX-License-Identifier: Apache-2.0
// Packets: the rays that fit into one, and what it knows of them.
#include "../../query/internal/search/ray_packet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../oracle/rng.h"

namespace fractalray {
namespace {

using internal::RayPacket;
using oracle::Rng;

constexpr Vec3i kEye{5, -7, 1000};

FixedSegment rayBy(const Vec3i& delta) {
  return {kEye, kEye + delta};
}

class RayPacketTest : public ::testing::Test {
 protected:
  RayPacketTest() { packet_.begin(first_); }

  FixedSegment first_ = rayBy({1 << 20, -(1 << 19), 0});
  RayPacket packet_;
};

TEST_F(RayPacketTest, TakesNeighboursUpToSixtyFour) {
  const std::vector<FixedSegment> rays(70, rayBy({1 << 20, -(1 << 19) + 9000, 4000}));
  std::size_t count = 1;
  for (const FixedSegment& ray : rays)
    count += packet_.add(ray) ? 1U : 0U;
  packet_.finish();
  EXPECT_EQ(count, RayPacket::kMost);
  EXPECT_EQ(packet_.size(), RayPacket::kMost);
  EXPECT_EQ(packet_.all(), ~std::uint64_t{0});
  EXPECT_EQ(packet_.ray(0), first_);
  EXPECT_EQ(packet_.ray(63), rays[0]);
}

TEST_F(RayPacketTest, TakesAnyLength) {
  EXPECT_TRUE(packet_.add(rayBy({1 << 30, -(1 << 29), 0})));
  EXPECT_TRUE(packet_.add(rayBy({2, -1, 0})));
}

TEST_F(RayPacketTest, RefusesOtherStarts) {
  FixedSegment ray = first_;
  ray.from[2] += 1;
  ray.to[2] += 1;
  EXPECT_FALSE(packet_.add(ray));
}

TEST_F(RayPacketTest, RefusesOtherOctants) {
  EXPECT_FALSE(packet_.add(rayBy({1 << 20, 1, 0})));
  EXPECT_FALSE(packet_.add(rayBy({1 << 20, -(1 << 19), -1})));
  EXPECT_FALSE(packet_.add(rayBy({-(1 << 20), -(1 << 19), 0})));
}
// A ray that does not move on an axis is not mirrored there: its start belongs to another block if
// it lies in a plane.
TEST_F(RayPacketTest, RefusesRaysThatDoNotMoveOnAMirroredAxis) {
  EXPECT_FALSE(packet_.add(rayBy({1 << 20, 0, 0})));
  EXPECT_TRUE(packet_.add(rayBy({1 << 20, -(1 << 19), 0})));
}

TEST_F(RayPacketTest, RefusesRaysFarFromTheFirst) {
  EXPECT_FALSE(packet_.add(rayBy({1 << 20, -(1 << 19), 1 << 19})));
  EXPECT_FALSE(packet_.add(rayBy({1 << 20, -1, 0})));
  EXPECT_FALSE(packet_.add(rayBy({0, -(1 << 19), 0})));
  EXPECT_FALSE(packet_.add(rayBy({0, 0, 0})));
}

TEST_F(RayPacketTest, TakesTheLongestLines) {
  constexpr std::int64_t kLong = std::int64_t{1} << 60;
  EXPECT_TRUE(packet_.add(rayBy({kLong, -kLong / 2, 0})));
  packet_.finish();
  EXPECT_GE(packet_.longest()[0], kLong);
  EXPECT_LT(packet_.longest()[0], kLong + kLong / 1000);
}

TEST_F(RayPacketTest, IsDenseIfItsRaysComeToFewBlocksEach) {
  for (int i = 1; i < 8; ++i)
    ASSERT_TRUE(packet_.add(rayBy({1 << 20, -(1 << 19) - i * (1 << 13), 0})));
  packet_.finish();
  EXPECT_TRUE(packet_.isDense());  // 8 rays, 3 blocks 50 blocks ahead
  packet_.begin(first_);
  for (int i = 1; i < 8; ++i)
    ASSERT_TRUE(packet_.add(rayBy({1 << 20, -(1 << 19) - i * (1 << 13), i * (1 << 15)})));
  packet_.finish();
  EXPECT_FALSE(packet_.isDense());  // 8 rays, 43 blocks
}

TEST(RayPacketNumbersTest, AreWithinTheirBounds) {
  Rng rng("RayPacketNumbersTest");
  RayPacket packet;
  for (int round = 0; round < 2000; ++round) {
    const std::int64_t most = std::int64_t{1} << rng.in(1, 43);
    std::vector<FixedSegment> rays;
    for (int i = 0; i < 20; ++i) {
      rays.push_back(rayBy(
          {rng.in(most / 2, most) + 1, rng.in(0, most / 16), rng.oneIn(2) ? 0 : -rng.in(1, most)}));
      if (rng.oneIn(3)) rays.back().end_time = rng.in(1, kWholeLine);
    }
    packet.begin(rays[0]);
    for (std::size_t i = 1; i < rays.size(); ++i)
      packet.add(rays[i]);
    packet.finish();
    std::array<double, 3> longest{};
    for (std::size_t i = 0; i < packet.size(); ++i) {
      const FixedSegment& ray = packet.ray(i);
      const Vec3i delta = ray.delta();
      const bool is_main_z = std::abs(packet.ray(0).delta()[2]) > packet.ray(0).delta()[0];
      const double on_main = std::abs(static_cast<double>(delta[is_main_z ? 2 : 0]));
      const double end = on_main * static_cast<double>(ray.end_time) * 0x1p-60;
      EXPECT_NEAR(double{packet.ends()[i]}, end, end * 0x1p-22);
      for (int axis = 0; axis < 3; ++axis) {
        const double inverse = packet.inverse(axis)[i];
        const double length = std::abs(static_cast<double>(delta[axis]));
        longest[static_cast<std::size_t>(axis)] =
            std::max(longest[static_cast<std::size_t>(axis)],
                     length * static_cast<double>(ray.end_time) * 0x1p-60);
        EXPECT_LE(double{packet.leastInverse(axis)}, inverse);
        EXPECT_GE(double{packet.greatestInverse(axis)}, inverse);
        if (length == 0) {
          EXPECT_NEAR(inverse, 0x1p65, 0x1p43);
        } else {
          EXPECT_NEAR(inverse, on_main / length, on_main / length * 0x1p-22);
        }
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      const double expected = longest[static_cast<std::size_t>(axis)];
      EXPECT_GE(static_cast<double>(packet.longest()[axis]), expected);
      EXPECT_LE(static_cast<double>(packet.longest()[axis]), expected * (1 + 0x1p-18) + 2);
    }
    // Whole vectors of eight are set.
    EXPECT_EQ(packet.inverse(1)[(packet.size() - 1) | 7], packet.inverse(1)[packet.size() - 1]);
    EXPECT_EQ(packet.ends()[(packet.size() - 1) | 7], packet.ends()[packet.size() - 1]);
  }
}

}  // namespace
}  // namespace fractalray
