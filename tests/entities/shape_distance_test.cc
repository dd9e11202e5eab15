// SPDX-License-Identifier: Apache-2.0
// Checks distances, and the filter that refuses entities before their distances are computed,
// against exact roots.
#include "../../entities/internal/shape_distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "../../entities/internal/page_range_filter.h"
#include "../../entities/internal/shape_geometry.h"
#include "../oracle/rng.h"
#include "../oracle/search_oracle.h"

namespace fractalray {
namespace {

using internal::PageRangeFilter;
using internal::ShapeDistance;
using oracle::Rng;

FixedShape randomShape(Rng& rng, std::int64_t size) {
  FixedShape shape;
  shape.kind = rng.pick({FixedShape::Kind::kSphere, FixedShape::Kind::kBox});
  const std::int64_t radius = rng.in(0, size);
  shape.half_extents = {radius, radius, radius};
  return shape;
}

Vec3i randomPoint(Rng& rng, std::int64_t size) {
  return {rng.in(-size, size), rng.in(-size, size), rng.in(-size, size)};
}

TEST(ShapeDistanceTest, OrderAndValueAreThoseOfExactRoots) {
  Rng rng("ShapeDistanceTest.Order");
  for (int i = 0; i < 20000; ++i) {
    // Small numbers give ties, large ones differences that doubles cannot resolve.
    const std::int64_t size = rng.pick({std::int64_t{6}, std::int64_t{1} << 30, kMaxCoordinate});
    const std::int64_t radius = rng.pick({size / 2, size / 1024});
    const FixedShape a = randomShape(rng, radius / 2);
    const FixedShape b = randomShape(rng, radius / 2);
    const Vec3i at_a = randomPoint(rng, size - radius);
    const Vec3i at_b = rng.oneIn(3) ? Vec3i{at_a[2], -at_a[0], at_a[1]} : randomPoint(rng, size);
    const Vec3i from = randomPoint(rng, size / 4);
    const ShapeDistance x(a, at_a, from, from);
    const ShapeDistance y(b, at_b, from, from);
    const oracle::Distance expected_x(a, at_a, from, from);
    const oracle::Distance expected_y(b, at_b, from, from);
    ASSERT_EQ(x <=> y, expected_x <=> expected_y) << i;
    const double blocks = expected_x.inBlocks();
    ASSERT_LE(std::abs(x.toDouble() / 65536 - blocks), blocks * 0x1p-50) << i;
    ASSERT_EQ(x.toDouble() == 0, expected_x.isZero());
    const std::int64_t units = rng.in(0, size);
    ASSERT_EQ(x.isWithin(units), expected_x.isWithin(units));
  }
}

TEST(ShapeDistanceTest, DistancesThatDoublesCannotSeparateAreOrdered) {
  // sqrt(a^2 + 1) - a falls as a grows; all are about 2^-59 of a unit.
  const auto distance = [](std::int64_t a, std::int64_t more) {
    FixedShape sphere;
    sphere.half_extents = {a - 1000, a - 1000, a - 1000};
    return ShapeDistance(sphere, {a, more, 0}, {0, 0, 0}, {0, 0, 0});
  };
  const std::int64_t a = std::int64_t{1} << 58;
  EXPECT_LT(distance(a + 1, 1), distance(a, 1));
  EXPECT_GT(distance(a, 1), distance(a + 1, 1));
  EXPECT_LT(distance(a, 0), distance(a + 1, 1));
  EXPECT_EQ(distance(a, 0), distance(a + 1, 0));
  EXPECT_EQ(distance(a, 0).toDouble(), distance(a, 1).toDouble());
}

TEST(PageRangeFilterTest, AcceptsAllWithinReachAndIsTheSameOnAllMachines) {
  Rng rng("PageBallTest.RoundedBox");
  int let_through = 0;
  int within = 0;
  for (int i = 0; i < 20000; ++i) {
    const int shift = rng.pick({20, 36, 56});
    const std::int64_t width = std::int64_t{1} << shift;
    const ChunkCoord chunk{rng.in(-3, 2), rng.in(-3, 2), rng.in(-3, 2)};
    const std::int64_t radius =
        rng.pick({std::int64_t{0}, width / 16, width / 2, width, 3 * width});
    const Vec3i middle{chunk[0] * width, chunk[1] * width, chunk[2] * width};
    const Vec3i min = middle + randomPoint(rng, width);
    const Vec3i max =
        rng.oneIn(2) ? min : min + Vec3i{rng.in(0, width), rng.in(0, width), rng.in(0, 2 * width)};
    const auto ball = internal::pageBall(min, max, radius, chunk, shift);
    ASSERT_EQ(ball.has_value(), radius < 2 * width);
    if (!ball.has_value()) continue;
    internal::EntityPage page;
    std::uint32_t expected = 0;
    std::uint32_t used = 0;
    for (std::uint32_t lane = 0; lane < internal::EntityPage::kLanes; ++lane) {
      const FixedShape shape = randomShape(rng, rng.pick({width / 16, width - 1}));
      const Vec3i at = middle + randomPoint(rng, 2 * width);
      if (!internal::overlapsBox(shape, at, middle, middle + Vec3i{width, width, width})) continue;
      page.set(lane, {internal::pageCenter(at, chunk, shift), internal::pageRadius(shape, shift)});
      used |= 1U << lane;
      if (oracle::Distance(shape, at, min, max).isWithin(radius)) {
        expected |= 1U << lane;
        ++within;
      }
    }
    const std::uint32_t near = internal::PageBallFilter::near(page, *ball);
    ASSERT_EQ(near, internal::PortablePageBallFilter::near(page, *ball));
    ASSERT_EQ(expected & ~near, 0U);
    let_through += std::popcount(near & used);
  }
  EXPECT_GT(within, 4000);
  EXPECT_LT(let_through, within * 3 / 2) << "most of the rest is refused";
}

}  // namespace
}  // namespace fractalray
