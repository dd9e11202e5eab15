// SPDX-License-Identifier: Apache-2.0
#include "../../core/segment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace fractalray::segment_test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kEnd = 0x1p45;

TEST(SegmentTest, BothEndsAreRoundedAndCheckedByName) {
  const FixedSegment units = toUnits(Segment{{1, -0.5, 0}, {0, 0, kEnd}}).value();
  EXPECT_EQ(units.from, (Vec3i{65536, -32768, 0}));
  EXPECT_EQ(units.to, (Vec3i{0, 0, kMaxCoordinate}));
  EXPECT_EQ(units.delta(), (Vec3i{-65536, 32768, kMaxCoordinate}));
  const absl::Status from = toUnits(Segment{{kNaN, 0, 0}, {}}).status();
  EXPECT_EQ(from.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(from.message()), testing::HasSubstr("from.x"));
  const absl::Status to = toUnits(Segment{{}, {0, -1e300, 0}}).status();
  EXPECT_EQ(to.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(to.message()), testing::HasSubstr("to.y"));
  const absl::Status both = toUnits(Segment{{1e300, 0, 0}, {0, 0, kNaN}}).status();
  EXPECT_EQ(both.code(), absl::StatusCode::kInvalidArgument) << "it wins over OUT_OF_RANGE";
  EXPECT_THAT(std::string(both.message()), testing::HasSubstr("to.z"));
  const Segment blocks = toBlocks(units);
  EXPECT_EQ(blocks.from, (Vec3d{1, -0.5, 0}));
  EXPECT_EQ(blocks.to, (Vec3d{0, 0, kEnd}));
}

}  // namespace
}  // namespace fractalray::segment_test
