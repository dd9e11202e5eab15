// SPDX-License-Identifier: Apache-2.0
// Checks what a GridWalk promises, by small cases that one can follow with a pencil.
#include "../../core/grid_walk.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace fractalray {
namespace {

using P2 = Vec<std::int64_t, 2>;
using P3 = Vec<std::int64_t, 3>;

// Formats a walk as "0,0 none 0/1; 1,0 -x 1/2; ..."
template <int N>
std::string textOf(GridWalk<N> walk) {
  std::string text;
  for (const GridCell<N>& cell : walk) {
    if (!text.empty()) text += "; ";
    for (int i = 0; i < N; ++i)
      text += (i > 0 ? "," : "") + std::to_string(cell.cell[i]);
    text += " " + std::string(faceName(cell.face)) + " " + std::to_string(cell.t.numerator) + "/" +
            std::to_string(cell.t.denominator);
  }
  return text;
}
std::string walk2(P2 from, P2 to, CornerPolicy policy = CornerPolicy::kBoth) {
  return textOf(GridWalk<2>(from, to, {4, 4}, policy));
}

TEST(GridWalkTest, VisitsEveryCellThatIsCrossedNotOnlyBresenhams) {
  // y     .  .  /
  //     . . /| .      from (1, 1) to (11, 5), cells of width 4
  //     /----+
  EXPECT_EQ(walk2({1, 1}, {11, 5}), "0,0 none 0/1; 1,0 -x 3/10; 2,0 -x 7/10; 2,1 -y 3/4");
}

TEST(GridWalkTest, WalkingBackwardsHasTheOppositeFaces) {
  EXPECT_EQ(walk2({11, 5}, {1, 1}), "2,1 none 0/1; 2,0 +y 1/4; 1,0 +x 3/10; 0,0 +x 7/10");
}

TEST(GridWalkTest, LengthZeroVisitsOneCell) {
  EXPECT_EQ(walk2({5, 5}, {5, 5}), "1,1 none 0/1");
  EXPECT_EQ(walk2({4, 8}, {4, 8}), "1,2 none 0/1");
  EXPECT_EQ(walk2({-1, -4}, {-1, -4}), "-1,-1 none 0/1");
}

TEST(GridWalkTest, AStartOnAPlaneBelongsToTheCellThatFloorNames) {
  EXPECT_EQ(walk2({4, 1}, {1, 1}), "1,0 none 0/1; 0,0 +x 0/3");  // left at once
  EXPECT_EQ(walk2({4, 1}, {7, 1}), "1,0 none 0/1");
  EXPECT_EQ(walk2({4, 4}, {0, 0}, CornerPolicy::kNeither), "1,1 none 0/1; 0,0 +x 0/4");
}

TEST(GridWalkTest, AnEndOnAPlaneIsEnteredInPositiveDirectionOnly) {
  EXPECT_EQ(walk2({1, 1}, {4, 1}), "0,0 none 0/1; 1,0 -x 3/3");
  EXPECT_EQ(walk2({5, 1}, {4, 1}), "1,0 none 0/1");
}

TEST(GridWalkTest, AlongAPlaneItRunsOnThePositiveSide) {
  EXPECT_EQ(walk2({1, 4}, {9, 4}), "0,1 none 0/1; 1,1 -x 3/8; 2,1 -x 7/8");
  EXPECT_EQ(walk2({-1, 0}, {-9, 0}), "-1,0 none 0/1; -2,0 +x 3/8; -3,0 +x 7/8");
}

TEST(GridWalkTest, OneUnitAcrossAPlaneVisitsBothCells) {
  EXPECT_EQ(walk2({3, 1}, {4, 1}), "0,0 none 0/1; 1,0 -x 1/1");
  EXPECT_EQ(walk2({4, 1}, {3, 1}), "1,0 none 0/1; 0,0 +x 0/1");
  EXPECT_EQ(walk2({-1, 1}, {0, 1}), "-1,0 none 0/1; 0,0 -x 1/1");
}

TEST(GridWalkTest, CornersIn2DFollowThePolicy) {
  EXPECT_EQ(walk2({2, 2}, {6, 6}, CornerPolicy::kNeither), "0,0 none 0/1; 1,1 -x 2/4");
  EXPECT_EQ(walk2({2, 2}, {6, 6}, CornerPolicy::kBoth),
            "0,0 none 0/1; 1,0 -x 2/4; 0,1 -y 2/4; 1,1 -x 2/4");
  EXPECT_EQ(walk2({2, 2}, {6, 6}, CornerPolicy::kStaircase),
            "0,0 none 0/1; 1,0 -x 2/4; 1,1 -y 2/4");
}

TEST(GridWalkTest, CornersIn3DFollowThePolicy) {
  const auto walk = [](CornerPolicy policy) {
    return textOf(GridWalk<3>({1, 3, 1}, {3, 1, 3}, {2, 2, 2}, policy));
  };
  EXPECT_EQ(walk(CornerPolicy::kNeither), "0,1,0 none 0/1; 1,0,1 -x 1/2");
  EXPECT_EQ(walk(CornerPolicy::kBoth),
            "0,1,0 none 0/1; 1,1,0 -x 1/2; 0,0,0 +y 1/2; 0,1,1 -z 1/2; "
            "1,0,0 -x 1/2; 1,1,1 -x 1/2; 0,0,1 +y 1/2; 1,0,1 -x 1/2");
  EXPECT_EQ(walk(CornerPolicy::kStaircase),
            "0,1,0 none 0/1; 1,1,0 -x 1/2; 1,0,0 +y 1/2; 1,0,1 -z 1/2");
}

TEST(GridWalkTest, AnEdgeIn3DTiesTwoAxes) {
  EXPECT_EQ(textOf(GridWalk<3>({1, 0, 1}, {1, 4, 5}, {4, 2, 3}, CornerPolicy::kStaircase)),
            "0,0,0 none 0/1; 0,1,0 -y 2/4; 0,1,1 -z 2/4; 0,2,1 -y 4/4");
}

TEST(GridWalkTest, CrossingsAreKnownBeforeTheWalk) {
  EXPECT_EQ(GridWalk<2>({0, 0}, {40, 40}, {4, 4}).crossings(), 20U);
  EXPECT_EQ(GridWalk<2>({40, 40}, {0, 0}, {4, 4}).crossings(), 20U);
  EXPECT_EQ(GridWalk<3>({0, 0, 0}, {0, 0, 0}, {1, 1, 1}).crossings(), 0U);
  const P3 low{-kMaxCoordinate, -kMaxCoordinate, -kMaxCoordinate};
  const P3 high{kMaxCoordinate, kMaxCoordinate, kMaxCoordinate};
  EXPECT_EQ(GridWalk<3>(low, high, {1, 1, 1}).crossings(), std::uint64_t{6} << 61);
}

TEST(GridWalkTest, RangeForCanBeLeftEarlyAndResumed) {
  GridWalk<2> walk({0, 0}, {100, 0}, {4, 4});
  int visited = 0;
  for (const GridCell<2>& cell : walk) {
    ++visited;
    if (cell.cell[0] == 3) break;
  }
  EXPECT_EQ(visited, 4);
  EXPECT_EQ(walk.cell().cell, (P2{3, 0}));
  EXPECT_TRUE(walk.next());
  EXPECT_EQ(walk.cell().cell, (P2{4, 0}));
}

TEST(GridWalkTest, AVisitorCanStopIt) {
  GridWalk<2> walk({0, 0}, {100, 0}, {4, 4});
  int visited = 0;
  const bool ended = walk.forEach([&](const GridCell<2>& cell) {
    ++visited;
    return cell.cell[0] == 2 ? Visit::kStop : Visit::kContinue;
  });
  EXPECT_FALSE(ended);
  EXPECT_EQ(visited, 3);
  EXPECT_TRUE(walk.forEach([&](const GridCell<2>&) {
    ++visited;
    return Visit::kContinue;
  }));
  EXPECT_EQ(visited, 3 + 24);  // the present cell again, and the rest
  EXPECT_FALSE(walk.next());
  EXPECT_EQ(walk.cell().cell, (P2{25, 0}));
}

TEST(GridWalkTest, AHugeWalkIsLazy) {
  const P3 low{-kMaxCoordinate, -kMaxCoordinate, -kMaxCoordinate};
  const P3 high{kMaxCoordinate, kMaxCoordinate - 1, kMaxCoordinate - 2};
  GridWalk<3> walk(low, high, {1, 1, 1});
  for (int i = 0; i < 1000; ++i)
    ASSERT_TRUE(walk.next());
  EXPECT_EQ(walk.cell().cell[0] > -kMaxCoordinate + 300, true);
}

TEST(GridWalkTest, CreateRefusesInvalidWalks) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  const auto code = [](P2 from, P2 to, P2 widths) {
    return GridWalk<2>::create(from, to, widths).status().code();
  };
  EXPECT_EQ(code({0, 0}, {9, 9}, {4, 4}), absl::StatusCode::kOk);
  EXPECT_EQ(code({kMaxCoordinate, -kMaxCoordinate}, {0, 0}, {kMaxCoordinate, 1}),
            absl::StatusCode::kOk);
  EXPECT_EQ(code({kMaxCoordinate + 1, 0}, {0, 0}, {4, 4}), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(code({0, 0}, {0, -kMaxCoordinate - 1}, {4, 4}), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(code({kMin, 0}, {kMax, 0}, {4, 4}), absl::StatusCode::kOutOfRange);
  for (const std::int64_t width : {std::int64_t{0}, std::int64_t{-4}, kMin, kMax}) {
    EXPECT_EQ(code({0, 0}, {9, 9}, {4, width}), absl::StatusCode::kInvalidArgument) << width;
  }
}

}  // namespace
}  // namespace fractalray
