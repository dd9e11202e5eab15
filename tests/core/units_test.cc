// SPDX-License-Identifier: Apache-2.0
#include "../../core/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../../core/frame.h"

namespace fractalray::units_test {
namespace {

using testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnit = 1.0 / 65536;
constexpr double kEnd = 0x1p45;  // 2^61 units in blocks

TEST(UnitsTest, RoundsToTheNearestUnitHalvesAwayFromZero) {
  const struct {
    double blocks;
    std::int64_t units;
  } cases[] = {
      {0, 0},
      {-0.0, 0},
      {1, 65536},
      {-1, -65536},
      {kUnit, 1},
      {0.5 * kUnit, 1},
      {-0.5 * kUnit, -1},
      {1.5 * kUnit, 2},
      {-1.5 * kUnit, -2},
      {2.5 * kUnit, 3},
      {-2.5 * kUnit, -3},
      {std::nextafter(0.5 * kUnit, 0.0), 0},
      {std::nextafter(-0.5 * kUnit, 0.0), 0},
      {std::nextafter(1.5 * kUnit, 0.0), 1},
      {0.1, 6554},
      {0x1p-1074, 0},
      {0x1p44 + 0x1p-8, (std::int64_t{1} << 60) + 256},
      {kEnd, kMaxCoordinate},
      {-kEnd, -kMaxCoordinate},
  };
  for (const auto& c : cases) {
    const absl::StatusOr<std::int64_t> units = toUnits(c.blocks, "x");
    ASSERT_TRUE(units.ok()) << c.blocks;
    EXPECT_EQ(*units, c.units) << c.blocks;
  }
}

TEST(UnitsTest, NonFiniteIsInvalidAndTooFarIsOutOfRange) {
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    const absl::Status status = toUnits(bad, "the muzzle").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("the muzzle"));
  }
  const double limits = std::numeric_limits<double>::max();
  for (const double far :
       {std::nextafter(kEnd, kInfinity), -std::nextafter(kEnd, kInfinity), 1e30, limits, -limits}) {
    EXPECT_EQ(toUnits(far, "x").status().code(), absl::StatusCode::kOutOfRange) << far;
  }
}

// Rounded to six digits, as 3.51844e+13, this number would be within the limit that follows it.
TEST(UnitsTest, ErrorsHaveAllDigits) {
  const absl::Status status = toUnits(std::nextafter(kEnd, kInfinity), "x").status();
  EXPECT_THAT(
      std::string(status.message()),
      HasSubstr("x is 35184372088832.01 finest-block widths from the origin; the frame ends "
                "at 35184372088832 (2^45)"));
}

TEST(UnitsTest, ErrorsOfAPointNameTheComponent) {
  const absl::Status invalid = toUnits(Vec3d{0, kNaN, 0}, "the start").status();
  EXPECT_EQ(invalid.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(invalid.message()), HasSubstr("the start.y"));
  const absl::Status far = toUnits(Vec3d{0, 0, 1e20}, "the start").status();
  EXPECT_EQ(far.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(far.message()), HasSubstr("the start.z"));
}

TEST(UnitsTest, WhatIsNotFiniteWinsOverWhatIsTooFar) {
  for (const Vec3d& point : {Vec3d{1e30, kNaN, 0}, Vec3d{kNaN, 0, 1e30}, Vec3d{1e30, 1e30, kNaN}}) {
    const absl::Status status = toUnits(point, "the start").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("NaN"));
  }
  const absl::Status far = absl::OutOfRangeError("far");
  const absl::Status bad = absl::InvalidArgumentError("bad");
  EXPECT_TRUE(errorToReport({absl::OkStatus(), absl::OkStatus()}).ok());
  EXPECT_EQ(errorToReport({absl::OkStatus(), far, bad, absl::InvalidArgumentError("worse")}), bad);
  EXPECT_EQ(errorToReport({absl::OkStatus(), far, absl::OutOfRangeError("farther")}), far);
}

TEST(UnitsTest, BlocksOfUnitsRoundTripIfADoubleIsExact) {
  for (const std::int64_t units : {0L, 1L, -1L, 65535L, -65537L, 1L << 52, -(1L << 61)}) {
    EXPECT_EQ(toUnits(toBlocks(units), "x").value(), units);
  }
}

TEST(UnitsTest, DivisionsRoundDownAndUp) {
  for (std::int64_t value = -20; value <= 20; ++value) {
    for (std::int64_t divisor = 1; divisor <= 7; ++divisor) {
      const double quotient = static_cast<double>(value) / static_cast<double>(divisor);
      const auto down = static_cast<std::int64_t>(std::floor(quotient));
      const auto up = static_cast<std::int64_t>(std::ceil(quotient));
      EXPECT_EQ(floorDiv(value, divisor), down);
      EXPECT_EQ(ceilDiv(value, divisor), up);
      EXPECT_EQ(floorDiv(absl::int128(value), absl::int128(divisor)), down);
      EXPECT_EQ(ceilDiv(absl::int128(value), absl::int128(divisor)), up);
    }
  }
}

TEST(FrameTest, WidthsFollowTheLevels) {
  for (int levels = 1; levels <= kMaxLevels; ++levels) {
    const Frame frame(levels);
    EXPECT_EQ(frame.blockWidth(levels - 1), 65536);
    for (int level = 0; level < levels; ++level) {
      EXPECT_TRUE(frame.isActive(level));
      EXPECT_EQ(frame.chunkWidth(level), 16 * frame.blockWidth(level));
      if (level > 0) {
        EXPECT_EQ(frame.chunkWidth(level), frame.blockWidth(level - 1));
      }
    }
    EXPECT_FALSE(frame.isActive(levels));
    EXPECT_FALSE(frame.isActive(-1));
  }
}

TEST(FrameTest, PointsAreFlooredToBlocksAndChunks) {
  const Frame frame(2);
  const Vec3i point{-1, 65536 * 16, 65535};
  EXPECT_EQ(frame.blockAt(point, 1), (BlockCoord{-1, 16, 0}));
  EXPECT_EQ(frame.blockAt(point, 0), (BlockCoord{-1, 1, 0}));
  EXPECT_EQ(frame.chunkAt(point, 1), (ChunkCoord{-1, 1, 0}));
  EXPECT_EQ(frame.chunkAt(point, 0), (ChunkCoord{-1, 0, 0}));
}

TEST(FrameTest, ContainsTheWholeFrameAndNoMore) {
  for (int levels = 1; levels <= kMaxLevels; ++levels) {
    const Frame frame(levels);
    for (int level = 0; level < levels; ++level) {
      const std::int64_t limit = kMaxCoordinate / frame.chunkWidth(level);
      EXPECT_TRUE(frame.contains(level, {-limit, limit - 1, 0}));
      EXPECT_FALSE(frame.contains(level, {0, limit, 0}));
      EXPECT_FALSE(frame.contains(level, {0, 0, -limit - 1}));
    }
  }
}

TEST(FrameTest, IndicesWithinAChunkRoundTrip) {
  const ChunkCoord chunk{-3, 0, 7};
  for (int index = 0; index < 4096; ++index) {
    const BlockCoord block = blockOf(chunk, index);
    ASSERT_EQ(chunkOf(block), chunk);
    ASSERT_EQ(indexInChunk(block), index);
    ASSERT_EQ(childChunk(block).values, block.values);
    ASSERT_EQ(parentBlock(childChunk(block)), block);
  }
  EXPECT_EQ(blockOf(chunk, 1), (BlockCoord{-47, 0, 112}));
  EXPECT_EQ(blockOf(chunk, 16), (BlockCoord{-48, 1, 112}));
  EXPECT_EQ(blockOf(chunk, 256), (BlockCoord{-48, 0, 113}));
}

}  // namespace
}  // namespace fractalray::units_test
