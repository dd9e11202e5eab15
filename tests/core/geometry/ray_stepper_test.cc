// SPDX-License-Identifier: Apache-2.0
// Compares the quick walk of a ray with the general one, cell for cell. raycast_test.cc compares
// the general one with exact fractions.
#include "../../../core/geometry/ray_stepper.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "../../../core/raycast.h"
#include "../walk_compare.h"

namespace fractalray::internal::ray_stepper_test {
namespace {

using oracle::Rng;
using Cells = std::vector<std::pair<Vec3i, Face>>;

struct Ray {
  Vec3d origin;
  Vec3d direction;
  double reach = 0;
  CellBounds bounds = kAllCells;
};

GridLine<3> lineOf(const Ray& ray) {
  Vec3i from;
  EXPECT_EQ(toGridUnits(ray.origin, from), GridError::kNone);
  return *rayLine<3>(from, ray.direction, ray.reach);
}

// If both visit the same cells, the first `most` are enough.
constexpr std::size_t kMost = 2000;

Cells quickCells(RayStepper stepper) {
  Cells cells;
  stepper.anyOf([&](const Vec3i& cell, Face face) {
    cells.emplace_back(cell, face);
    return cells.size() == kMost;
  });
  return cells;
}

Cells gridCells(const GridLine<3>& line, const CellBounds& bounds) {
  Cells cells;
  const auto visit = [&](const Vec3i& cell, Face face) {
    cells.emplace_back(cell, face);
    return cells.size() == kMost;
  };
  EXPECT_TRUE(raycastByGrid(line, bounds, CornerPolicy::kStaircase, visit).ok());
  return cells;
}

// Returns a coordinate on a plane, an edge's distance from one, or anywhere.
double coordinate(Rng& rng, std::int64_t middle) {
  const std::int64_t units =
      rng.pick<std::int64_t>({0, 0, 32768, 1, -1, 21845, rng.in(-65536, 65536)});
  return static_cast<double>((middle + rng.in(-6, 6)) * kUnitsPerBlock + units) / 65536;
}

Vec3d direction(Rng& rng) {
  switch (rng.below(4)) {
    case 0:  // along axes and exact diagonals
      return {static_cast<double>(rng.in(-1, 1)), static_cast<double>(rng.in(-1, 1)),
              static_cast<double>(rng.in(-1, 1))};
    case 1:  // through exact corners now and then
      return {static_cast<double>(rng.in(-6, 6)), static_cast<double>(rng.in(-6, 6)),
              static_cast<double>(rng.in(-6, 6))};
    case 2:  // nearly along an axis
      return {1.0, std::ldexp(static_cast<double>(rng.in(-9, 9)), -rng.below(60)),
              std::ldexp(static_cast<double>(rng.in(-9, 9)), -rng.below(60))};
    default:
      return {std::sin(static_cast<double>(rng.in(0, 1'000'000))),
              std::sin(static_cast<double>(rng.in(0, 1'000'000))),
              std::sin(static_cast<double>(rng.in(0, 1'000'000)))};
  }
}

Ray randomRay(Rng& rng) {
  const std::int64_t middle =
      rng.pick<std::int64_t>({0, 0, 1 << 24, -(std::int64_t{1} << 40), std::int64_t{1} << 41});
  Ray ray;
  for (int axis = 0; axis < 3; ++axis)
    ray.origin[axis] = coordinate(rng, middle);
  ray.direction = direction(rng);
  // Whole numbers end on planes exactly.
  ray.reach = rng.oneIn(3)   ? static_cast<double>(rng.in(0, 40))
              : rng.oneIn(8) ? 0x1p20
                             : static_cast<double>(rng.in(0, 40 * 65536)) / 65536;
  if (rng.oneIn(2)) return ray;
  for (int axis = 0; axis < 3; ++axis) {
    ray.bounds.min[axis] = middle + rng.in(-12, 1);
    ray.bounds.max[axis] = ray.bounds.min[axis] + rng.in(0, 16);
  }
  return ray;
}

TEST(RayStepperTest, VisitsTheCellsOfTheGeneralWalk) {
  Rng rng("RayStepperTest.Cells");
  int walked = 0;
  for (int i = 0; i < 30'000; ++i) {
    const Ray ray = randomRay(rng);
    if (ray.direction == Vec3d{}) continue;
    const GridLine<3> line = lineOf(ray);
    const auto stepper = RayStepper::create(line, ray.bounds);
    if (!stepper.has_value()) continue;
    ++walked;
    ASSERT_EQ(quickCells(*stepper), gridCells(line, ray.bounds))
        << oracle::describe<3>(line.from) << " to " << oracle::describe<3>(line.to) << " reach "
        << ray.reach << " in " << oracle::describe<3>(ray.bounds.min) << " to "
        << oracle::describe<3>(ray.bounds.max);
  }
  EXPECT_GT(walked, 15'000);
}

TEST(RayStepperTest, EndsAtThePlaneAtExactlyItsReach) {
  for (const double reach : {0.5, 2.5, 7.5}) {
    const Ray ray{.origin = {0.5, 0.5, 0.5}, .direction = {0, 0, -3}, .reach = reach};
    const auto stepper = RayStepper::create(lineOf(ray), kAllCells);
    ASSERT_TRUE(stepper.has_value());
    EXPECT_EQ(quickCells(*stepper).size(), static_cast<std::size_t>(reach + 1.5));
    const Ray shorter{.origin = ray.origin, .direction = ray.direction, .reach = reach - 0x1p-40};
    EXPECT_EQ(quickCells(*RayStepper::create(lineOf(shorter), kAllCells)).size(),
              static_cast<std::size_t>(reach + 0.5));
  }
}

// Returns true if the line crosses planes of other axes, too, where it is `ahead` units along
// `axis`.
bool isAtCorner(const GridLine<3>& line, int axis, std::int64_t ahead) {
  const std::int64_t length = std::abs(line.to[axis] - line.from[axis]);
  for (int other = 0; other < 3; ++other) {
    const Int128 scaled = Int128(line.to[other] - line.from[other]) * ahead;
    const bool is_parallel = line.to[other] == line.from[other];
    if (other == axis || is_parallel || scaled % length != 0) continue;
    const auto moved = static_cast<std::int64_t>(scaled / length);
    if ((line.from[other] + moved) % kUnitsPerBlock == 0) return true;
  }
  return false;
}

// The double nearest to the distance of a plane, and its neighbours: the last digit decides. At a
// corner each axis rounds the distance on its own, and the two walks need not agree.
TEST(RayStepperTest, EndsAsTheGeneralWalkDoesAtTheDistanceOfAPlane) {
  Rng rng("RayStepperTest.Reach");
  int ended = 0;
  for (int i = 0; i < 10'000; ++i) {
    Ray ray = randomRay(rng);
    if (ray.direction == Vec3d{}) continue;
    ray.bounds = kAllCells;
    const GridLine<3> line = lineOf(ray);
    const int axis = rng.below(3);
    const std::int64_t from = line.from[axis];
    const std::int64_t length = std::abs(line.to[axis] - from);
    const std::int64_t cell = from >> 16;
    const std::int64_t next =
        line.to[axis] > from ? (cell + 1) * kUnitsPerBlock - from : from - cell * kUnitsPerBlock;
    const std::int64_t ahead = next + rng.in(0, 20) * kUnitsPerBlock;
    if (length == 0 || isAtCorner(line, axis, ahead)) continue;
    const double distance = line.distanceAt({ahead, length}) / 65536;
    if (distance > 1000) continue;
    std::size_t before = 0;
    for (const double reach : {std::nextafter(distance, 0), distance, distance + 0x1p-20}) {
      ray.reach = reach;
      const auto stepper = RayStepper::create(lineOf(ray), kAllCells);
      ASSERT_TRUE(stepper.has_value());
      const Cells cells = quickCells(*stepper);
      ASSERT_EQ(cells, gridCells(lineOf(ray), kAllCells))
          << oracle::describe<3>(line.from) << " to " << oracle::describe<3>(line.to) << " reach "
          << reach;
      ended += reach == distance && cells.size() > before ? 1 : 0;
      before = cells.size();
    }
  }
  EXPECT_GT(ended, 2000);
}

TEST(RayStepperTest, RefusesRaysThatOnlyTheGeneralWalkCanWalk) {
  const auto can = [](const Ray& ray) {
    return RayStepper::create(lineOf(ray), ray.bounds).has_value();
  };
  const CellBounds eight{{0, 0, 0}, {7, 7, 7}};
  EXPECT_TRUE(can({.origin = {1, 1, 1}, .direction = {1, 2, 3}, .reach = 100}));
  EXPECT_TRUE(can({.origin = {1, 1, 1}, .direction = {1, 2, 3}, .reach = 100, .bounds = eight}));
  EXPECT_FALSE(can({.origin = {9, 1, 1}, .direction = {-1, 0, 0}, .reach = 9, .bounds = eight}))
      << "the start is outside";
  EXPECT_FALSE(can({.origin = {1, 1, 1}, .direction = {1, 2, 3}, .reach = 0x1p29})) << "too long";
  EXPECT_FALSE(can({.origin = {1, 1, 1}, .direction = {1, 1, 1}, .reach = 0x1p24}))
      << "too many cells";
}

}  // namespace
}  // namespace fractalray::internal::ray_stepper_test
