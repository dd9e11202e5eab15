// SPDX-License-Identifier: Apache-2.0
// Checks shapes by hand: tangent lines, touching points, starts inside, and the geometry of a hit.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "../../entities/internal/shape_geometry.h"

namespace fractalray {
namespace {

FixedShape sphere(std::int64_t radius) {
  return {FixedShape::Kind::kSphere, {radius, radius, radius}};
}
FixedShape box(const Vec3i& half_extents) {
  return {FixedShape::Kind::kBox, half_extents};
}

// Returns when a segment hits a shape around the origin.
std::optional<HitTime> intersectAtOrigin(const Vec3i& from, const Vec3i& to,
                                         const FixedShape& shape) {
  return internal::intersect(Line(FixedSegment{from, to}), shape, {0, 0, 0});
}
bool hitsAt(const Vec3i& from, const Vec3i& to, const FixedShape& shape, const Fraction& t) {
  const std::optional<HitTime> time = intersectAtOrigin(from, to, shape);
  return time.has_value() && *time == HitTime(t);
}

TEST(ShapeTest, SizesAreRoundedAndChecked) {
  EXPECT_EQ(toUnits(Shape(Sphere{1.5})).value(), sphere(98304));
  EXPECT_EQ(toUnits(Shape(Box{{1, 0, 2}})).value(), box({65536, 0, 131072}));
  EXPECT_EQ(toUnits(Shape(Box{{1, 0, 2}})).value().radius(), 131072);
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(toUnits(Shape(Sphere{-0.5})).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(toUnits(Shape(Sphere{kNaN})).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(toUnits(Shape(Box{{1, 1, -1}})).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(toUnits(Shape(Box{{1, kNaN, 1}})).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(toUnits(Shape(Sphere{1e300})).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(std::get<Sphere>(toBlocks(sphere(98304))).radius, 1.5);
  EXPECT_EQ(std::get<Box>(toBlocks(box({65536, 0, 131072}))).half_extents, (Vec3d{1, 0, 2}));
}

TEST(ShapeTest, ALineThroughTheMiddleIsAHit) {
  EXPECT_TRUE(hitsAt({-10, 0, 0}, {10, 0, 0}, sphere(5), {1, 4}));
  EXPECT_TRUE(hitsAt({10, 0, 0}, {-10, 0, 0}, sphere(5), {1, 4}));
  EXPECT_TRUE(hitsAt({-10, 0, 0}, {10, 0, 0}, box({5, 1, 1}), {1, 4}));
  EXPECT_FALSE(intersectAtOrigin({10, 0, 0}, {20, 0, 0}, sphere(5)).has_value())
      << "before the start";
  EXPECT_FALSE(intersectAtOrigin({-20, 0, 0}, {-10, 0, 0}, sphere(5)).has_value())
      << "after the end";
}

TEST(ShapeTest, ATangentLineTouchesAtOnePoint) {
  for (const std::int64_t scale : {std::int64_t{1}, std::int64_t{1} << 54}) {
    const std::int64_t r = 5 * scale;
    EXPECT_TRUE(hitsAt({-8 * scale, r, 0}, {8 * scale, r, 0}, sphere(r), {1, 2}));
    EXPECT_FALSE(intersectAtOrigin({-8 * scale, r + 1, 0}, {8 * scale, r + 1, 0}, sphere(r)));
    EXPECT_TRUE(intersectAtOrigin({-8 * scale, r - 1, 0}, {8 * scale, r - 1, 0}, sphere(r)));
    // 3-4-5: through (3, 4) along (4, -3), which is at right angles to it.
    const Vec3i touch{3 * scale, 4 * scale, 0};
    const Vec3i along{4 * scale, -3 * scale, 0};
    EXPECT_TRUE(hitsAt(touch - along, touch + along, sphere(r), {1, 2}));
    EXPECT_FALSE(intersectAtOrigin(touch - along + Vec3i{1, 0, 0}, touch + along + Vec3i{1, 0, 0},
                                   sphere(r)));
    EXPECT_TRUE(intersectAtOrigin(touch - along, touch + along - Vec3i{1, 0, 0}, sphere(r)));
  }
}

TEST(ShapeTest, AnEndAtTheSurfaceIsAHitAtOne) {
  for (const std::int64_t r : {std::int64_t{5}, std::int64_t{5} << 50}) {
    EXPECT_TRUE(hitsAt({2 * r, 0, 0}, {r, 0, 0}, sphere(r), {1, 1}));
    EXPECT_FALSE(intersectAtOrigin({2 * r, 0, 0}, {r + 1, 0, 0}, sphere(r)).has_value());
    EXPECT_TRUE(hitsAt({0, 2 * r, 0}, {r / 5 * 3, r / 5 * 4, 0}, sphere(r), {1, 1}));
    EXPECT_FALSE(
        intersectAtOrigin({0, 2 * r, 0}, {r / 5 * 3, r / 5 * 4 + 1, 0}, sphere(r)).has_value());
    EXPECT_TRUE(hitsAt({2 * r, 2 * r, 0}, {r, r, 0}, box({r, r, 0}), {1, 1}));
    EXPECT_FALSE(intersectAtOrigin({2 * r, 2 * r, 0}, {r, r + 1, 0}, box({r, r, 0})).has_value());
  }
}

TEST(ShapeTest, AStartInsideOrOnTheSurfaceIsAHitAtZero) {
  for (const FixedShape& shape : {sphere(5), box({5, 5, 5})}) {
    EXPECT_TRUE(hitsAt({0, 0, 0}, {100, 0, 0}, shape, {0, 1}));
    EXPECT_TRUE(hitsAt({5, 0, 0}, {100, 0, 0}, shape, {0, 1})) << "on the surface, leaving";
    EXPECT_TRUE(hitsAt({5, 0, 0}, {-100, 0, 0}, shape, {0, 1})) << "on the surface, going in";
    EXPECT_TRUE(hitsAt({3, 4, 0}, {3, 4, 0}, shape, {0, 1})) << "length zero";
    EXPECT_FALSE(intersectAtOrigin({6, 0, 0}, {6, 0, 0}, shape).has_value());
    EXPECT_FALSE(intersectAtOrigin({6, 0, 0}, {60, 0, 0}, shape).has_value());
  }
}

TEST(ShapeTest, ShapesOfSizeZeroArePointsAndPlates) {
  EXPECT_TRUE(hitsAt({-3, -3, -3}, {3, 3, 3}, sphere(0), {1, 2}));
  EXPECT_FALSE(intersectAtOrigin({-3, -3, -3}, {3, 3, 2}, sphere(0)).has_value());
  EXPECT_TRUE(hitsAt({0, 0, 0}, {0, 0, 0}, sphere(0), {0, 1}));
  EXPECT_TRUE(hitsAt({0, 0, -4}, {0, 0, 4}, box({9, 9, 0}), {1, 2}));
  EXPECT_TRUE(hitsAt({-18, 0, 0}, {18, 0, 0}, box({9, 9, 0}), {1, 4})) << "along the plate";
}

TEST(ShapeTest, ABoxIsEnteredThroughTheLowestAxisOfATie) {
  const auto geometryOf = [](const Vec3i& from, const Vec3i& to, const FixedShape& shape) {
    const Line line(FixedSegment{from, to});
    return internal::hitGeometry(line, shape, {0, 0, 0},
                                 internal::intersect(line, shape, {0, 0, 0}).value());
  };
  const Vec3i ten{10, 10, 10};
  EXPECT_EQ(geometryOf({-30, -30, -30}, {0, 0, 0}, box(ten)).face, (Face{0, -1}));
  EXPECT_EQ(geometryOf({-20, 30, 30}, {0, 0, 0}, box(ten)).face, (Face{1, 1}));
  EXPECT_EQ(geometryOf({0, 0, 30}, {0, 0, 0}, box(ten)).face, (Face{2, 1}));
  // Just touching an edge: x and y tie.
  const HitGeometry edge = geometryOf({-20, 0, 0}, {0, 20, 0}, box(ten));
  EXPECT_EQ(edge.face, (Face{0, -1}));
  EXPECT_EQ(edge.t, 0.5);
  EXPECT_EQ(edge.t_exit, 0.5);
  EXPECT_EQ(edge.normal, (Vec3d{-1, 0, 0}));
  const HitGeometry inside = geometryOf({0, 0, 0}, {40, 0, 0}, box(ten));
  EXPECT_TRUE(inside.start_inside);
  EXPECT_FALSE(inside.face.exists());
  EXPECT_EQ(inside.normal, Vec3d{});
  EXPECT_EQ(inside.t_exit, 0.25);
}

TEST(ShapeTest, ASphereHasANormalAndNoFace) {
  const std::int64_t block = 65536;
  const Line line(FixedSegment{{0, 4 * block, 0}, {16 * block, 4 * block, 0}});
  const Vec3i center{8 * block, 0, 0};
  const FixedShape shape = sphere(5 * block);
  const HitGeometry hit =
      internal::hitGeometry(line, shape, center, internal::intersect(line, shape, center).value());
  EXPECT_FALSE(hit.face.exists());
  EXPECT_FALSE(hit.start_inside);
  EXPECT_DOUBLE_EQ(hit.t, 5.0 / 16);
  EXPECT_DOUBLE_EQ(hit.t_exit, 11.0 / 16);
  EXPECT_NEAR(hit.normal[0], -0.6, 1e-12);
  EXPECT_NEAR(hit.normal[1], 0.8, 1e-12);
  EXPECT_NEAR(hit.normal[2], 0, 1e-12);
  EXPECT_DOUBLE_EQ(hit.point[0], 5);
  EXPECT_DOUBLE_EQ(hit.distance, 5);
}

TEST(ShapeTest, ANormalIsNeverMoreNorLessThanOneLong) {
  // Radii of a few units, even none, far from the origin, where doubles are coarse.
  for (const std::int64_t far : {std::int64_t{0}, std::int64_t{1} << 60}) {
    for (const std::int64_t radius : {std::int64_t{0}, std::int64_t{1}, std::int64_t{3}}) {
      const Vec3i center{far, -far, far};
      const Line line(FixedSegment{center - Vec3i{40, 0, 0}, center + Vec3i{40, 0, 0}});
      const std::optional<HitTime> time = internal::intersect(line, sphere(radius), center);
      ASSERT_TRUE(time.has_value());
      const HitGeometry hit = internal::hitGeometry(line, sphere(radius), center, *time);
      double squared = 0;
      for (int axis = 0; axis < 3; ++axis)
        squared += hit.normal[axis] * hit.normal[axis];
      EXPECT_NEAR(std::sqrt(squared), 1, 1e-9) << far << " " << radius;
      EXPECT_NEAR(hit.normal[0], -1, 1e-9) << far << " " << radius;
    }
  }
}

}  // namespace
}  // namespace fractalray
