// SPDX-License-Identifier: Apache-2.0
// Checks the plain voxel ray cast: by hand, against exact fractions, and its refusals.
#include "../../core/raycast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "walk_compare.h"

namespace fractalray::raycast_test {
namespace {

using oracle::Integer;
using oracle::Rational;
using oracle::Rng;
using oracle::WalkCell;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr CellBounds kEight{{0, 0, 0}, {7, 7, 7}};
constexpr auto kContinue = [](const Vec3i&, Face) { return false; };

// Formats a ray's cells as "0,0,0 none; 1,0,0 -x; ..."
class Listing {
 public:
  bool operator()(const Vec3i& cell, Face face) {
    text_ += text_.empty() ? "" : "; ";
    for (int axis = 0; axis < 3; ++axis)
      text_ += (axis > 0 ? "," : "") + std::to_string(cell[axis]);
    text_ += " " + std::string(faceName(face));
    return false;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string cellsOf(const Vec3d& origin, const Vec3d& direction, double max_distance,
                    const std::optional<CellBounds>& bounds = std::nullopt,
                    CornerPolicy corner = CornerPolicy::kStaircase) {
  Listing listing;
  const GridResult<bool> end = raycast(origin, direction, max_distance, listing, bounds, corner);
  return end.ok() ? listing.text() : std::string(end.message());
}

TEST(RaycastTest, VisitsCellsWithTheFaceOfTheirEntry) {
  EXPECT_EQ(cellsOf({0.5, 0.5, 0.5}, {2, 1, 0}, 2), "0,0,0 none; 1,0,0 -x; 1,1,0 -y; 2,1,0 -x");
  EXPECT_EQ(cellsOf({0.5, 0.5, 0.5}, {0, 0, -1}, 1.5), "0,0,0 none; 0,0,-1 +z; 0,0,-2 +z");
  EXPECT_EQ(cellsOf({0.5, 0.5, 0.5}, {0, 0, -1}, 1.4999), "0,0,0 none; 0,0,-1 +z");
  EXPECT_EQ(cellsOf({0.5, 0.5, 0.5}, {1, 1, 1}, 0), "0,0,0 none");
}

TEST(RaycastTest, AVisitorCanEndIt) {
  int visits = 0;
  const auto third = [&](const Vec3i&, Face) { return ++visits == 3; };
  EXPECT_TRUE(*raycast({0, 0, 0}, {1, 0, 0}, 100, third));
  EXPECT_EQ(visits, 3);
  const auto stop = [](const Vec3i& cell, Face) {
    return cell[0] == 5 ? Visit::kStop : Visit::kContinue;
  };
  EXPECT_TRUE(*raycast({0, 0, 0}, {1, 0, 0}, 100, stop));
  EXPECT_FALSE(*raycast({0, 0, 0}, {1, 0, 0}, 4.5, stop));
}

TEST(RaycastTest, InsideBoundsItMayBeInfinite) {
  EXPECT_EQ(cellsOf({5.5, 0.5, 0.5}, {1, 0, 0}, kInfinity, kEight),
            "5,0,0 none; 6,0,0 -x; 7,0,0 -x");
  EXPECT_EQ(cellsOf({6.5, 1.5, 0.5}, {1, -1, 0}, kInfinity, kEight),
            "6,1,0 none; 7,1,0 -x; 7,0,0 +y");
  EXPECT_EQ(cellsOf({5.5, 0.5, 0.5}, {1, 0, 0}, 1, kEight), "5,0,0 none; 6,0,0 -x");
}

TEST(RaycastTest, AStartOutsideOfTheBoundsIsSkippedInOneStep) {
  EXPECT_EQ(cellsOf({-4e12, 0.5, 0.5}, {1, 0, 0}, kInfinity, CellBounds{{0, 0, 0}, {1, 7, 7}}),
            "0,0,0 -x; 1,0,0 -x");
  EXPECT_EQ(cellsOf({9.5, 9.5, 9.5}, {-1, -1, -1}, kInfinity, CellBounds{{6, 6, 6}, {7, 7, 7}},
                    CornerPolicy::kNeither),
            "7,7,7 +x; 6,6,6 +x");
  EXPECT_EQ(cellsOf({9.5, 0.5, 0.5}, {1, 0, 0}, kInfinity, kEight), "") << "away from it";
  EXPECT_EQ(cellsOf({-9.5, 20, 0.5}, {1, 0, 0}, kInfinity, kEight), "") << "past it";
  EXPECT_EQ(cellsOf({-9.5, 0.5, 0.5}, {1, 0, 0}, 9, kEight), "") << "too short";
  EXPECT_EQ(cellsOf({-9.5, 0.5, 0.5}, {1, 0, 0}, 9.5, kEight), "0,0,0 -x");
  EXPECT_EQ(cellsOf({-9.5, -9.5, 0.5}, {1, 3, 0}, kInfinity, kEight), "") << "past a corner";
}

// Directions and starts have few digits, so that the oracle's line is exactly the same.
TEST(RaycastTest, VisitsTheCellsOfExactFractions) {
  Rng rng("RaycastTest.Oracle");
  std::size_t visited = 0;
  int outside = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t middle = rng.pick<std::int64_t>({0, 0, 1 << 24, -(std::int64_t{1} << 30)});
    const CornerPolicy corner = oracle::kPolicies[rng.below(3)];
    const int detail = rng.pick({1, 2, 16, 65536});
    Vec3i from;
    Vec3i direction;
    Vec3d origin;
    CellBounds bounds;
    for (int axis = 0; axis < 3; ++axis) {
      from[axis] = middle * 65536 + rng.in(-12 * detail, 12 * detail) * (65536 / detail);
      origin[axis] = static_cast<double>(from[axis]) / 65536;
      direction[axis] = rng.oneIn(4) ? 0 : rng.in(-4, 4);
      bounds.min[axis] = middle + rng.in(-10, 3);
      bounds.max[axis] = bounds.min[axis] + rng.in(0, 12);
    }
    if (direction == Vec3i{}) continue;
    const bool bounded = rng.oneIn(2);
    const std::int64_t reach = rng.in(0, 20 * 65536);  // in units
    const bool infinite = bounded && rng.oneIn(2);

    // 40 cells along the slowest axis: beyond any reach and any bounds.
    const Vec3i to = from + direction * (40 * 65536);
    const Vec3i d = to - from;
    const Integer squares = Integer(d[0]) * d[0] + Integer(d[1]) * d[1] + Integer(d[2]) * d[2];
    Listing expected;
    for (const WalkCell<3>& cell : oracle::walkCells<3>(from, to, {65536, 65536, 65536}, corner)) {
      bool counts = infinite || cell.t * cell.t * squares <= Integer(reach) * reach;
      for (int axis = 0; bounded && axis < 3; ++axis) {
        counts =
            counts && cell.cell[axis] >= bounds.min[axis] && cell.cell[axis] <= bounds.max[axis];
      }
      if (!counts) continue;
      expected(cell.cell, cell.face);
      ++visited;
    }
    if (expected.text().empty()) ++outside;
    const Vec3d along{static_cast<double>(direction[0]) / 8, static_cast<double>(direction[1]) / 8,
                      static_cast<double>(direction[2]) / 8};
    ASSERT_EQ(cellsOf(origin, along, infinite ? kInfinity : static_cast<double>(reach) / 65536,
                      bounded ? std::optional(bounds) : std::nullopt, corner),
              expected.text())
        << oracle::describe<3>(from) << " along " << oracle::describe<3>(direction) << " reach "
        << reach << " infinite " << infinite << " bounded " << bounded << " "
        << oracle::describe<3>(bounds.min) << " to " << oracle::describe<3>(bounds.max);
  }
  EXPECT_GT(visited, 10000U);
  EXPECT_GT(outside, 50);
}

TEST(RaycastTest, RefusesWithTheReason) {
  const auto error = [](const Vec3d& origin, const Vec3d& direction, double distance,
                        const std::optional<CellBounds>& bounds = std::nullopt) {
    return raycast(origin, direction, distance, kContinue, bounds).error();
  };
  EXPECT_EQ(error({0, 0, 0}, {0, 0, 0}, 1), GridError::kZeroDirection);
  EXPECT_EQ(error({0, 0, 0}, {0, -0.0, 0}, kInfinity, kEight), GridError::kZeroDirection);
  EXPECT_EQ(error({kNaN, 0, 0}, {1, 0, 0}, 1), GridError::kNotFinite);
  EXPECT_EQ(error({0, 0, 0}, {1, 0, kNaN}, 1), GridError::kNotFinite);
  EXPECT_EQ(error({0, 0, 0}, {1, kInfinity, 0}, 1), GridError::kNotFinite);
  EXPECT_EQ(error({0, 0, 1e300}, {1, 0, 0}, 1), GridError::kTooFar);
  EXPECT_EQ(error({0, 0, 0}, {1, 0, 0}, -1), GridError::kBadDistance);
  EXPECT_EQ(error({0, 0, 0}, {1, 0, 0}, kNaN), GridError::kBadDistance);
  EXPECT_EQ(error({0, 0, 0}, {1, 0, 0}, kNaN, kEight), GridError::kBadDistance);
  EXPECT_EQ(error({0, 0, 0}, {1, 0, 0}, kInfinity), GridError::kUnbounded);
  EXPECT_EQ(error({0, 0, 0}, {1, 0, 0}, 1, CellBounds{{0, 0, 5}, {9, 9, 4}}),
            GridError::kBadBounds);
  EXPECT_EQ(error({0, 0, 0}, {1, 0, 0}, 1,
                  CellBounds{{0, 0, std::numeric_limits<std::int64_t>::min()}, {9, 9, 4}}),
            GridError::kBadBounds);
  EXPECT_EQ(error({0, 0, 0}, {1, 0, 0}, 1e300), GridError::kTooManyCells);
  EXPECT_EQ(error({5e-324, 0, 0}, {5e-324, 1.7e308, 0}, 10), GridError::kNone);
}

TEST(RaycastTest, AWalkOfEndlessLengthEnds) {
  std::uint64_t visits = 0;
  const auto count = [&](const Vec3i&, Face) {
    ++visits;
    return false;
  };
  constexpr std::int64_t kEdge = std::int64_t{1} << 42;
  const CellBounds all{{-kEdge, -kEdge, -kEdge}, {kEdge, kEdge, kEdge}};
  EXPECT_EQ(raycast({0, 0, 0}, {1, 2, 3}, kInfinity, count, all).error(), GridError::kTooManyCells);
  EXPECT_EQ(visits, kMaxGridCells);
  // A ray that passes slowly along the outside of the bounds ends at once.
  EXPECT_FALSE(*raycast({0.5, -0.5, 0}, {1, 1e-12, 0}, kInfinity, kContinue, kEight));
}

}  // namespace
}  // namespace fractalray::raycast_test
