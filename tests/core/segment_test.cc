// SPDX-License-Identifier: Apache-2.0
#include "../../core/segment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../oracle/rng.h"

namespace fractalray {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kEnd = 0x1p45;

absl::StatusCode codeOf(const Ray& ray, const std::optional<Bounds>& bounds = std::nullopt) {
  return toSegment(ray, bounds).status().code();
}

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
  const Segment blocks = toBlocks(units);
  EXPECT_EQ(blocks.from, (Vec3d{1, -0.5, 0}));
  EXPECT_EQ(blocks.to, (Vec3d{0, 0, kEnd}));
}

TEST(RayTest, EndsAtTheMaximumDistance) {
  const Ray ray{{1, 2, 3}, {0, 0, -7}, 5};
  EXPECT_EQ(toSegment(ray).value(), toUnits(Segment{{1, 2, 3}, {1, 2, -2}}).value());
  const Ray diagonal{{0, 0, 0}, {3, 4, 0}, 10};
  EXPECT_EQ(toSegment(diagonal).value(), toUnits(Segment{{0, 0, 0}, {6, 8, 0}}).value());
}

TEST(RayTest, TheLengthOfTheDirectionDoesNotMatter) {
  for (const double scale : {1e-300, 0x1p-1060, 1e-9, 1.0, 1e9, 1e300}) {
    const Ray ray{{0, 0, 0}, {3 * scale, 4 * scale, 0}, 10};
    const FixedSegment segment = toSegment(ray).value();
    EXPECT_EQ(segment.to, (Vec3i{6 * 65536, 8 * 65536, 0})) << scale;
  }
}

TEST(RayTest, DistanceZeroIsASegmentOfLengthZero) {
  const FixedSegment segment = toSegment(Ray{{1, 2, 3}, {1, 1, 1}, 0}).value();
  EXPECT_EQ(segment.from, segment.to);
  EXPECT_EQ(segment.from, (Vec3i{65536, 131072, 196608}));
}

TEST(RayTest, AnInfiniteOneEndsWhereItLeavesTheFrame) {
  const FixedSegment along = toSegment(Ray{{0.5, 1, 2}, {-1, 0, 0}}).value();
  EXPECT_EQ(along.to, (Vec3i{-kMaxCoordinate, 65536, 131072}));
  const FixedSegment diagonal = toSegment(Ray{{0, 0, 0}, {1, 1, 1}}).value();
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_LE(diagonal.to[axis], kMaxCoordinate);
    EXPECT_GE(diagonal.to[axis], kMaxCoordinate - 4096);  // doubles out there are 256 units apart
  }
  const FixedSegment at_end = toSegment(Ray{{kEnd, 0, 0}, {1, 0, 0}}).value();
  EXPECT_EQ(at_end.from, at_end.to);
}

TEST(RayTest, NeverLeavesTheFrameWhereverItPoints) {
  oracle::Rng rng("RayTest.NeverLeavesTheFrame");
  const auto fraction = [&] { return static_cast<double>(rng.in(-1000000, 1000000)) / 1e6; };
  for (int i = 0; i < 20000; ++i) {
    Ray ray{{fraction() * kEnd, fraction() * kEnd, fraction() * kEnd},
            {fraction(), fraction(), fraction()}};
    if (rng.oneIn(3)) ray.origin[rng.below(3)] = rng.pick({kEnd, -kEnd});
    if (ray.direction == Vec3d{}) continue;
    const absl::StatusOr<FixedSegment> segment = toSegment(ray);
    ASSERT_TRUE(segment.ok()) << segment.status();
    double nearest = kInfinity;  // how far from the end of the frame it stops
    for (int axis = 0; axis < 3; ++axis) {
      ASSERT_LE(std::abs(segment->to[axis]), kMaxCoordinate);
      if (ray.direction[axis] == 0) continue;
      nearest = std::min(nearest, kEnd - std::abs(blocksFromUnits(segment->to[axis])));
    }
    ASSERT_LT(nearest, 8 * 0x1p-8) << "it stopped inside";  // doubles there are 2^-8 apart
  }
}

TEST(RayTest, BoundsInPlaceOfTheFrame) {
  const Bounds bounds{{0, 0, 0}, {10, 10, 10}};
  EXPECT_EQ(toSegment(Ray{{1, 1, 1}, {1, 0, 0}}, bounds).value().to,
            (Vec3i{10 * 65536, 65536, 65536}));
  EXPECT_EQ(toSegment(Ray{{1, 1, 1}, {1, 0, 0}, 3}, bounds).value().to,
            (Vec3i{4 * 65536, 65536, 65536}));
  EXPECT_EQ(toSegment(Ray{{10, 1, 1}, {1, 0, 0}}, bounds).value().to,
            (Vec3i{10 * 65536, 65536, 65536}));
  // From outside: a segment of length zero.
  const FixedSegment outside = toSegment(Ray{{11, 1, 1}, {-1, 0, 0}}, bounds).value();
  EXPECT_EQ(outside.from, outside.to);
}

TEST(RayTest, BadRaysAreRefused) {
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  EXPECT_EQ(codeOf({{}, {0, 0, 0}}), kInvalid);
  EXPECT_EQ(codeOf({{}, {0, -0.0, 0}}), kInvalid);
  EXPECT_EQ(codeOf({{}, {1, kNaN, 0}}), kInvalid);
  EXPECT_EQ(codeOf({{}, {1, kInfinity, 0}}), kInvalid);
  EXPECT_EQ(codeOf({{}, {1, 0, 0}, -1}), kInvalid);
  EXPECT_EQ(codeOf({{}, {1, 0, 0}, -kInfinity}), kInvalid);
  EXPECT_EQ(codeOf({{}, {1, 0, 0}, kNaN}), kInvalid);
  EXPECT_EQ(codeOf({{kNaN, 0, 0}, {1, 0, 0}, 1}), kInvalid);
  EXPECT_EQ(codeOf({{0, 1e20, 0}, {1, 0, 0}, 1}), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(codeOf({{}, {1, 0, 0}}, Bounds{{0, 0, 0}, {1, 1, -1}}), kInvalid);
  EXPECT_EQ(codeOf({{}, {1, 0, 0}}, Bounds{{0, 0, 0}, {1, 1, kInfinity}}), kInvalid);
  EXPECT_EQ(codeOf({{}, {1, 0, 0}}, Bounds{{kNaN, 0, 0}, {1, 1, 1}}), kInvalid);
}

}  // namespace
}  // namespace fractalray
