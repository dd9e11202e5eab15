// SPDX-License-Identifier: Apache-2.0
// The perspective of an eye: outlines agree with lines that hit, and polygons with their points.
#include "../../tools/program/eye_view.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"

#include "../../core/units.h"
#include "../../tools/program/polygon.h"

namespace fractalray {
namespace {

constexpr std::int64_t kUnit = kUnitsPerBlock;

FixedBox blocks(const Vec3i& min, const Vec3i& max) {
  return {min * kUnit, max * kUnit};
}

bool contains(const Polygon& polygon, const Vec2d& point) {
  if (polygon.size() < 3) return false;
  bool all = true;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2d a = polygon[i];
    const Vec2d b = polygon[(i + 1) % polygon.size()];
    all = all && (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0;
  }
  return all;
}

// Returns true if the line from the eye along a direction crosses the box before a time.
bool crosses(const Vec3d& eye, const Vec3d& direction, const FixedBox& box, double to = 1e9) {
  double from = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double low = toBlocks(box.min[axis]) - eye[axis];
    const double high = toBlocks(box.max[axis]) - eye[axis];
    if (direction[axis] == 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    from = std::max(from, std::min(low / direction[axis], high / direction[axis]));
    to = std::min(to, std::max(low / direction[axis], high / direction[axis]));
  }
  return from < to;
}

TEST(EyeViewTest, LooksAlongTheAxisOfTheFarthestFace) {
  const EyeView view({.eye = Vec3i{0, 0, 0} * kUnit, .box = blocks({2, 4, -1}, {3, 5, 1})});
  EXPECT_EQ(view.axis(), 1);
  EXPECT_EQ(view.plane(), 4 * kUnit);
  EXPECT_EQ(view.distance(), 4);
  EXPECT_EQ(view.acrossAxis(), 0);
  EXPECT_EQ(view.upAxis(), 2);
}

// As in Luanti: who looks along +z has +x on the right, who turns to the right then looks along +x.
TEST(EyeViewTest, HasTheRightOnTheRight) {
  const auto rightwards = [](const Vec3i& at) {
    const EyeView view({.eye = {}, .box = blocks(at, at + Vec3i{1, 1, 1})});
    return view.rightwards();
  };
  EXPECT_EQ(rightwards({0, 0, 9}), 1);
  EXPECT_EQ(rightwards({0, 0, -9}), -1);
  EXPECT_EQ(rightwards({9, 0, 0}), -1);
  EXPECT_EQ(rightwards({-9, 0, 0}), 1);
}

TEST(EyeViewTest, ABlockInThePlaneIsASquare) {
  const EyeView view({.eye = blocks({0, 0, 0}, {}).min, .box = blocks({-1, -1, 5}, {1, 1, 7})});
  const Polygon outline = view.outlineOf(blocks({-1, -1, 5}, {1, 1, 7}));
  EXPECT_EQ(areaOf(outline), 4);
  EXPECT_EQ(centerOf(outline), (Vec2d{0, 0}));
  EXPECT_EQ(view.facesOf(blocks({-1, -1, 5}, {1, 1, 7})).size(), 1U);
  EXPECT_EQ(view.facesOf(blocks({2, -1, 5}, {3, 1, 7})).size(), 2U);
}

TEST(EyeViewTest, APartBeforeTheTargetIsCutAtItsNearFaces) {
  const EyeView view({.eye = {}, .box = blocks({5, 4, -1}, {8, 8, 1})});
  const FixedBox before = blocks({1, 0, 0}, {5, 9, 1});
  EXPECT_EQ(view.partsBefore(before), std::vector<FixedBox>{before});
  EXPECT_TRUE(view.partsBefore(blocks({5, 4, 0}, {6, 5, 1})).empty()) << "inside";
  const std::vector<FixedBox> two = {blocks({4, 3, 0}, {5, 9, 1}), blocks({4, 3, 0}, {9, 4, 1})};
  EXPECT_EQ(view.partsBefore(blocks({4, 3, 0}, {9, 9, 1})), two);
}

// A point of the plane is in the outline of a box if, and only if, the line through it hits the
// box.
TEST(EyeViewTest, OutlinesAgreeWithLines) {
  std::mt19937_64 random(20261128);
  const auto any = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  const auto anyBox = [&](std::int64_t reach) {
    FixedBox box;
    for (int axis = 0; axis < 3; ++axis) {
      box.min[axis] = any(-reach, reach) * kUnit;
      box.max[axis] = box.min[axis] + any(1, 6) * kUnit;
    }
    return box;
  };
  int inside = 0;
  int outside = 0;
  int blocked = 0;
  for (int scene = 0; scene < 400; ++scene) {
    const SightQuery query{
        .eye = Vec3i{any(-9, 9), any(-9, 9), any(-9, 9)} * kUnit + Vec3i{20011, 30011, 40009},
        .box = anyBox(30)};
    bool is_outside = false;
    for (int axis = 0; axis < 3; ++axis) {
      is_outside = is_outside || query.eye[axis] < query.box.min[axis] ||
                   query.eye[axis] > query.box.max[axis];
    }
    if (!is_outside) continue;
    const EyeView view(query);
    FixedBox occluder = anyBox(12);
    if (scene % 2 == 1) {  // on the way to the target
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t middle = (query.eye[axis] + query.box.min[axis]) / 2 / kUnit;
        occluder.min[axis] = (middle + any(-4, 1)) * kUnit;
        occluder.max[axis] = occluder.min[axis] + any(1, 6) * kUnit;
      }
    }
    const Polygon outline = view.outlineOf(occluder);
    for (int sample = 0; sample < 50; ++sample) {
      Vec2d point{static_cast<double>(any(-20000, 20000)) / 1009,
                  static_cast<double>(any(-20000, 20000)) / 1013};
      if (sample % 2 == 1) {  // of the target
        Vec3i in_target;
        for (int axis = 0; axis < 3; ++axis)
          in_target[axis] = any(query.box.min[axis] + 1, query.box.max[axis] - 1);
        point = view.project(toBlocks(in_target - query.eye));
      }
      const Vec3d direction = view.pointAt(point);
      const bool hit = crosses(toBlocks(query.eye), direction, occluder);
      ASSERT_EQ(contains(outline, point), hit) << "scene " << scene << ", sample " << sample;
      ++(hit ? inside : outside);
      // And that of the target is entered where entryTime() says.
      const double entry = view.entryTime(direction);
      ASSERT_EQ(entry > 0, crosses(toBlocks(query.eye), direction, query.box));
      if (entry > 0) {
        const Vec2d again = view.project(direction * entry);
        EXPECT_NEAR(again[0], point[0], 1e-9);
        EXPECT_NEAR(again[1], point[1], 1e-9);
        // An occluder counts up to there, and so do its parts before the target.
        const std::vector<FixedBox> parts = view.partsBefore(occluder);
        const bool is_before =
            crosses(toBlocks(query.eye), direction, occluder, entry * (1 - 1e-9));
        const bool has_part = std::any_of(parts.begin(), parts.end(), [&](const FixedBox& part) {
          return crosses(toBlocks(query.eye), direction, part, entry * (1 - 1e-9));
        });
        ASSERT_EQ(has_part, is_before) << "scene " << scene << ", sample " << sample;
        blocked += is_before ? 1 : 0;
      }
    }
  }
  EXPECT_GT(inside, 500);
  EXPECT_GT(outside, 500);
  EXPECT_GT(blocked, 50);
}

TEST(PolygonTest, TheHullHasTheCornersInOrder) {
  EXPECT_EQ(convexHull({{1, 1}, {0, 0}, {2, 0}, {1, 0}, {2, 2}, {0, 2}, {0, 0}}),
            (Polygon{{0, 0}, {2, 0}, {2, 2}, {0, 2}}));
  EXPECT_EQ(convexHull({{1, 1}, {1, 1}}), (Polygon{{1, 1}}));
  EXPECT_EQ(convexHull({{0, 0}, {1, 1}, {2, 2}}).size(), 2U);
}

TEST(PolygonTest, ClipsAtAWindow) {
  const Polygon square = {{0, 0}, {4, 0}, {4, 4}, {0, 4}};
  EXPECT_EQ(areaOf(clipped(square, {{1, -1}, {3, 2}})), 4);
  EXPECT_EQ(areaOf(clipped(square, {{-1, -1}, {9, 9}})), 16);
  EXPECT_TRUE(clipped(square, {{4, 0}, {9, 9}}).empty()) << "a line has no area";
  EXPECT_TRUE(clipped(square, {{5, 5}, {9, 9}}).empty());
  const Polygon corner = clipped({{0, 0}, {4, 0}, {0, 4}}, {{0, 0}, {3, 3}});
  EXPECT_EQ(areaOf(corner), 7);
  EXPECT_EQ(centerOf(square), (Vec2d{2, 2}));
}

}  // namespace
}  // namespace fractalray
