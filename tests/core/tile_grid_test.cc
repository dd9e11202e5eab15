// SPDX-License-Identifier: Apache-2.0
// Checks what a TileGrid promises and refuses, by small cases that one can follow with a pencil.
#include "../../core/tile_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fractalray::tile_grid_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TileGrid gridOf(const TileLayout& layout) {
  return *TileGrid::create(layout);
}
TileGrid squares(double width) {
  return gridOf({.tile_width = width, .tile_height = width});
}

using Walls = std::set<std::pair<std::int64_t, std::int64_t>>;
auto solidIn(const Walls& walls) {
  return [&walls](std::int64_t x, std::int64_t y) { return walls.count({x, y}) > 0; };
}
constexpr auto kNothing = [](std::int64_t, std::int64_t) { return false; };

// Formats an end as "tile 5,0 through -x at 300,30 after 270", or "open ..." if nothing solid ended
// it.
std::string textOf(const GridResult<BeamEnd>& beam) {
  if (!beam.ok()) return std::string(beam.message());
  const auto number = [](double value) {
    std::string text = std::to_string(value);
    return text.substr(0, text.find_last_not_of('0') + 1);
  };
  return (beam->start_inside ? "inside "
          : beam->is_solid   ? "solid "
                             : "open ") +
         std::to_string(beam->tile[0]) + "," + std::to_string(beam->tile[1]) + " " +
         std::string(faceName(beam->face)) + " at " + number(beam->point[0]) + " " +
         number(beam->point[1]) + " after " + number(beam->distance);
}

TEST(TileGridTest, ABeamEndsOnTheEdgeOfTheFirstSolidTile) {
  const TileGrid grid = squares(60);
  const Walls walls = {{5, 0}, {7, 0}};
  EXPECT_EQ(textOf(grid.firstSolid({.from = {30, 30}, .to = {1000, 30}}, solidIn(walls))),
            "solid 5,0 -x at 300. 30. after 270.");
  EXPECT_EQ(textOf(grid.firstSolid({.from = {1000, 30}, .to = {30, 30}}, solidIn(walls))),
            "solid 7,0 +x at 480. 30. after 520.");
  EXPECT_EQ(
      textOf(grid.firstSolid(TileRay{.origin = {330, -100}, .direction = {0, 8}}, solidIn(walls))),
      "solid 5,0 -y at 330. 0. after 100.");
}

TEST(TileGridTest, ABeamThatStartsInASolidTileEndsThere) {
  const TileGrid grid = squares(60);
  const Walls walls = {{0, 0}};
  EXPECT_EQ(textOf(grid.firstSolid({.from = {30, 10}, .to = {1000, 30}}, solidIn(walls))),
            "inside 0,0 none at 30. 10. after 0.");
  EXPECT_EQ(
      textOf(grid.firstSolid(TileRay{.origin = {30, 10}, .direction = {1, 1}}, solidIn(walls))),
      "inside 0,0 none at 30. 10. after 0.");
  // On an edge it starts in the tile on the positive side, and enters the other at once.
  EXPECT_EQ(textOf(grid.firstSolid({.from = {60, 30}, .to = {0, 30}}, solidIn(walls))),
            "solid 0,0 +x at 60. 30. after 0.");
}

TEST(TileGridTest, WithoutASolidTileABeamReachesItsOwnEnd) {
  const TileGrid grid = squares(60);
  EXPECT_EQ(textOf(grid.firstSolid({.from = {30, 30}, .to = {150.5, 30}}, kNothing)),
            "open 2,0 none at 150.5 30. after 120.5");
  EXPECT_EQ(textOf(grid.firstSolid(
                TileRay{.origin = {30, 30}, .direction = {-2, 0}, .max_distance = 100}, kNothing)),
            "open -2,0 none at -70. 30. after 100.");
  EXPECT_EQ(textOf(grid.firstSolid(
                TileRay{.origin = {0, 0}, .direction = {3, 4}, .max_distance = 100}, kNothing)),
            "open 1,1 none at 60. 80. after 100.");
}

TEST(TileGridTest, AtAnExactCornerThePolicyDecides) {
  // A beam along the diagonal, between two tiles that touch at the corner (60, 60).
  const TileGrid grid = squares(60);
  const Walls walls = {{1, 0}, {0, 1}, {3, 3}};
  const TileRay ray{.origin = {10, 10}, .direction = {1, 1}};
  EXPECT_EQ(textOf(grid.firstSolid(ray, solidIn(walls))),
            "solid 1,0 -x at 60. 60. after 70.710678");
  EXPECT_EQ(textOf(grid.firstSolid(ray, solidIn(walls), CornerPolicy::kStaircase)),
            "solid 1,0 -x at 60. 60. after 70.710678");
  EXPECT_EQ(textOf(grid.firstSolid(ray, solidIn(walls), CornerPolicy::kNeither)),
            "solid 3,3 -x at 180. 180. after 240.416306");
  // Only `both` sees the other tile.
  const Walls upper = {{0, 1}, {3, 3}};
  EXPECT_EQ(textOf(grid.firstSolid(ray, solidIn(upper))),
            "solid 0,1 -y at 60. 60. after 70.710678");
  EXPECT_EQ(textOf(grid.firstSolid(ray, solidIn(upper), CornerPolicy::kStaircase)),
            "solid 3,3 -y at 180. 180. after 240.416306");
}

TEST(TileGridTest, DirectionsOfSmallWholeNumbersPassExactlyThroughEveryCorner) {
  // (2, 1) from the origin over tiles of 60 x 30: a corner a tile.
  const TileGrid grid = gridOf({.tile_width = 60, .tile_height = 30});
  std::vector<std::string> seen;
  const auto look = [&](std::int64_t x, std::int64_t y) {
    seen.push_back(std::to_string(x) + "," + std::to_string(y));
    return x == 1000;
  };
  const auto beam =
      grid.firstSolid(TileRay{.origin = {0, 0}, .direction = {2, 1}}, look, CornerPolicy::kNeither);
  EXPECT_EQ(seen.size(), 1001U);
  EXPECT_EQ(seen.back(), "1000,1000");
  EXPECT_EQ(beam->point, (Vec2d{60000, 30000}));
}

TEST(TileGridTest, AlongAnEdgeABeamCrossesTheTilesOnThePositiveSide) {
  const TileGrid grid = squares(60);
  const Walls below = {{3, -1}};
  const Walls above = {{3, 0}};
  const TileSegment along{.from = {30, 0}, .to = {400, 0}};
  EXPECT_FALSE(grid.firstSolid(along, solidIn(below))->is_solid);
  EXPECT_EQ(textOf(grid.firstSolid(along, solidIn(above))), "solid 3,0 -x at 180. 0. after 150.");
}

TEST(TileGridTest, ATileEnteredAtExactlyTheMaximumDistanceCounts) {
  const TileGrid grid = squares(60);
  const Walls walls = {{2, 0}, {-3, 0}};
  for (const double distance : {90.0, 90.0 - 1.0 / 65536}) {
    TileRay ray{.origin = {30, 30}, .direction = {0.1, 0}, .max_distance = distance};
    EXPECT_EQ(grid.firstSolid(ray, solidIn(walls))->is_solid, distance == 90) << distance;
    ray = {.origin = {-30, 30}, .direction = {-1e-300, 0}, .max_distance = distance};
    EXPECT_EQ(grid.firstSolid(ray, solidIn(walls))->is_solid, distance == 90) << distance;
  }
  const TileRay none{.origin = {30, 30}, .direction = {5, 5}, .max_distance = 0};
  EXPECT_EQ(textOf(grid.firstSolid(none, solidIn(walls))), "open 0,0 none at 30. 30. after 0.");
}

TEST(TileGridTest, TilesNeedNotBeSquareNorTheOriginZero) {
  const TileGrid grid = gridOf({.tile_width = 12.5, .tile_height = 60, .origin = {100.25, -7}});
  EXPECT_EQ(*grid.tileAt({100.25, -7}), (Vec2i{0, 0}));
  EXPECT_EQ(*grid.tileAt({100.2, -7.1}), (Vec2i{-1, -1}));
  EXPECT_EQ(*grid.tileAt({125.25, 53}), (Vec2i{2, 1}));
  const Walls walls = {{4, 0}};
  EXPECT_EQ(textOf(grid.firstSolid({.from = {101, 0}, .to = {1000, 0}}, solidIn(walls))),
            "solid 4,0 -x at 150.25 0. after 49.25");
}

TEST(TileGridTest, WidthsOf60StayExactFarAway) {
  const TileGrid grid = squares(60);
  const std::int64_t far = std::int64_t{1} << 30;
  const double x = 60.0 * static_cast<double>(far);
  const Walls walls = {{far + 5, far}};
  const auto beam =
      grid.firstSolid({.from = {x + 1, x + 1}, .to = {x + 600, x + 31}}, solidIn(walls));
  ASSERT_TRUE(beam->is_solid);
  EXPECT_EQ(beam->point[0], x + 300);
}

TEST(TileGridTest, EveryTileOnTheBeamIsVisitedOnce) {
  const TileGrid grid = squares(1);
  std::vector<Vec2i> visited;
  const TileSegment segment{.from = {0.5, 0.5}, .to = {9.5, 6.5}};
  const auto beam = grid.firstSolid(
      segment,
      [&](std::int64_t x, std::int64_t y) {
        visited.push_back({x, y});
        return x == 6;
      },
      CornerPolicy::kStaircase);
  ASSERT_TRUE(beam->is_solid);
  std::vector<Vec2i> expected;
  for (const GridCell<2>& step : *grid.tilesOn<CornerPolicy::kStaircase>(segment)) {
    expected.push_back(step.cell);
    if (step.cell[0] == 6) break;
  }
  EXPECT_EQ(visited, expected);
}

// --- tilesOn

static_assert(std::ranges::forward_range<TileRange<>>);
static_assert(std::ranges::forward_range<const TileRange<>>);
static_assert(std::ranges::sized_range<const TileRange<CornerPolicy::kStaircase>>);
static_assert(std::ranges::forward_range<const TileRange<CornerPolicy::kStaircase>>);
static_assert(std::same_as<TileRange<>, TileRange<CornerPolicy::kBoth>>, "as firstSolid");
static_assert(!std::ranges::sized_range<TileRange<CornerPolicy::kBoth>>,
              "how many corners there are is not known before the walk");
static_assert(!std::ranges::sized_range<TileRange<CornerPolicy::kNeither>>);
static_assert(std::copyable<TileRange<>>);

TEST(TilesOnTest, KnowsItsSizeWithoutWalking) {
  const TileGrid grid = gridOf({.tile_width = 1.0 / 65536, .tile_height = 1.0 / 65536});
  const auto tiles =
      *grid.tilesOn<CornerPolicy::kStaircase>({.from = {-0x1p42, -0x1p42}, .to = {0x1p42, 0x1p42}});
  EXPECT_EQ(std::ranges::size(tiles), (std::uint64_t{1} << 60) + 1);
  EXPECT_EQ(tiles.crossings(), std::uint64_t{1} << 60);
}

TEST(TilesOnTest, LeavingEarlyCostsNothing) {
  const TileGrid grid = gridOf({.tile_width = 1.0 / 65536, .tile_height = 1.0 / 65536});
  int count = 0;
  for (const GridCell<2>& step :
       *grid.tilesOn<CornerPolicy::kStaircase>({.from = {0, 0}, .to = {0x1p42, 0x1p41}})) {
    if (step.cell[0] == 100) break;
    ++count;
  }
  EXPECT_EQ(count, 149);  // 100 columns, and 49 rows entered before column 100
}

TEST(TilesOnTest, IsAForwardRangeThatAlgorithmsTake) {
  const TileGrid grid = squares(60);
  const auto tiles = *grid.tilesOn<CornerPolicy::kStaircase>({.from = {30, 30}, .to = {330, 210}});
  EXPECT_EQ(std::ranges::distance(tiles), 9);
  EXPECT_EQ(tiles.size(), 9U);
  EXPECT_FALSE(tiles.empty());
  const auto third =
      std::ranges::find_if(tiles, [](const GridCell<2>& step) { return step.cell[0] == 3; });
  ASSERT_NE(third, tiles.end());
  EXPECT_EQ((*third).cell, (Vec2i{3, 1}));
  EXPECT_EQ((*third).face, (Face{0, -1}));
  // The range is multi-pass: a copy advances on its own.
  auto copy = third;
  const auto before = copy++;
  EXPECT_EQ(before, third);
  EXPECT_NE(copy, third);
  EXPECT_EQ((*third).cell, (Vec2i{3, 1}));
  EXPECT_EQ((*copy).cell, (Vec2i{3, 2}));
  EXPECT_EQ(std::ranges::next(third), copy);
  EXPECT_EQ(std::ranges::iterator_t<decltype(tiles)>(), std::default_sentinel);
}

TEST(TilesOnTest, EachPolicyHasItsOwnTilesAtACorner) {
  const TileGrid grid = squares(60);
  const TileSegment segment{.from = {30, 30}, .to = {90, 90}};
  const auto count = [](const auto& tiles) { return std::ranges::distance(tiles); };
  EXPECT_EQ(count(*grid.tilesOn<CornerPolicy::kNeither>(segment)), 2);
  EXPECT_EQ(count(*grid.tilesOn<CornerPolicy::kStaircase>(segment)), 3);
  EXPECT_EQ(count(*grid.tilesOn<CornerPolicy::kBoth>(segment)), 4);
  EXPECT_EQ(count(*grid.tilesOn(segment)), 4) << "the default";
}

TEST(TilesOnTest, ASegmentOfLengthZeroHasOneTile) {
  const TileGrid grid = squares(60);
  const auto tiles = *grid.tilesOn<CornerPolicy::kStaircase>({.from = {60, -1}, .to = {60, -1}});
  EXPECT_EQ(tiles.size(), 1U);
  EXPECT_EQ((*tiles.begin()).cell, (Vec2i{1, -1}));
}

// --- what is refused

TEST(TileGridErrorTest, BadTileSizesAreRefused) {
  const auto error = [](double width, double height) {
    return TileGrid::create({.tile_width = width, .tile_height = height}).error();
  };
  EXPECT_EQ(error(60, 60), GridError::kNone);
  EXPECT_EQ(error(1.0 / 65536, 0x1p42), GridError::kNone);
  for (const double bad : {0.0, -60.0, kNaN, kInfinity, -kInfinity, 0x1.00001p42, 1e300}) {
    EXPECT_EQ(error(bad, 60), GridError::kBadTileSize) << bad;
    EXPECT_EQ(error(60, bad), GridError::kBadTileSize) << bad;
  }
  for (const double inexact : {0.1, 60.1, 1.0 / 65537, 1e-300, 0x1.8p-16}) {
    EXPECT_EQ(error(inexact, 60), GridError::kInexactTileSize) << inexact;
    EXPECT_EQ(error(60, inexact), GridError::kInexactTileSize) << inexact;
  }
  EXPECT_EQ(TileGrid::create({.origin = {0, kNaN}}).error(), GridError::kNotFinite);
  EXPECT_EQ(TileGrid::create({.origin = {-1e13, 0}}).error(), GridError::kTooFar);
}

TEST(TileGridErrorTest, BadCoordinatesAreRefused) {
  const TileGrid grid = squares(60);
  const std::vector<std::pair<double, GridError>> cases = {
      {kNaN, GridError::kNotFinite},         {kInfinity, GridError::kNotFinite},
      {-kInfinity, GridError::kNotFinite},   {1e300, GridError::kTooFar},
      {-0x1.0000001p42, GridError::kTooFar},
  };
  for (const auto& [bad, error] : cases) {
    for (const TileSegment& segment :
         {TileSegment{{bad, 0}, {1, 1}}, TileSegment{{0, bad}, {1, 1}},
          TileSegment{{1, 1}, {bad, 0}}, TileSegment{{1, 1}, {0, bad}}}) {
      EXPECT_EQ(grid.firstSolid(segment, kNothing).error(), error) << bad;
      EXPECT_EQ(grid.tilesOn(segment).error(), error) << bad;
    }
    EXPECT_EQ(grid.firstSolid(TileRay{.origin = {0, bad}, .direction = {1, 0}}, kNothing).error(),
              error);
    EXPECT_EQ(grid.tileAt({bad, 0}).error(), error);
  }
  EXPECT_TRUE(grid.tilesOn({.from = {0x1p42, -0x1p42}, .to = {-0x1p42, 0x1p42}}).ok());
}

TEST(TileGridErrorTest, BadRaysAreRefused) {
  const TileGrid grid = squares(60);
  const auto error = [&](const Vec2d& direction, double distance) {
    return grid
        .firstSolid(TileRay{.origin = {1, 1}, .direction = direction, .max_distance = distance},
                    kNothing)
        .error();
  };
  EXPECT_EQ(error({0, 0}, 10), GridError::kZeroDirection);
  EXPECT_EQ(error({-0.0, 0}, kInfinity), GridError::kZeroDirection);
  EXPECT_EQ(error({kNaN, 1}, 10), GridError::kNotFinite);
  EXPECT_EQ(error({1, kInfinity}, 10), GridError::kNotFinite);
  EXPECT_EQ(error({1, 1}, -1), GridError::kBadDistance);
  EXPECT_EQ(error({1, 1}, kNaN), GridError::kBadDistance);
  EXPECT_EQ(error({1, 1}, kInfinity), GridError::kTooManyCells);
  EXPECT_EQ(error({1, 1}, 1e300), GridError::kTooManyCells);
  // The smallest and the largest directions are valid too.
  EXPECT_EQ(error({5e-324, 5e-324}, 1000), GridError::kNone);
  EXPECT_EQ(error({1.7e308, -1.7e308}, 1000), GridError::kNone);
  EXPECT_EQ(error({1.7e308, 5e-324}, 1000), GridError::kNone);
}

TEST(TileGridErrorTest, NoBeamVisitsMoreTilesThanTheLimit) {
  const TileGrid grid = squares(1.0 / 65536);
  std::uint64_t visited = 0;
  const auto count = [&](std::int64_t, std::int64_t) {
    ++visited;
    return false;
  };
  const auto beam = grid.firstSolid({.from = {0, 0}, .to = {0x1p42, 3}}, count);
  EXPECT_EQ(beam.error(), GridError::kTooManyCells);
  EXPECT_EQ(visited, kMaxGridCells);
  // A beam may visit exactly as many tiles.
  const double end = static_cast<double>(kMaxGridCells - 1) / 65536;
  EXPECT_TRUE(grid.firstSolid({.from = {0, 0}, .to = {end, 0}}, kNothing).ok());
}

TEST(TileGridErrorTest, EveryErrorHasAMessageOfItsOwn) {
  std::set<std::string_view> messages;
  for (int error = 0; error <= static_cast<int>(GridError::kTooManyCells); ++error) {
    const std::string_view text = message(static_cast<GridError>(error));
    EXPECT_TRUE(messages.insert(text).second) << text;
    EXPECT_EQ(text.find("unknown"), std::string_view::npos);
  }
  const auto grid = TileGrid::create({.tile_width = 0.1});
  EXPECT_EQ(grid.message(), message(GridError::kInexactTileSize));
}

TEST(TileGridErrorDeathTest, AnErrorHasNoValue) {
  EXPECT_DEATH(static_cast<void>(*TileGrid::create({.tile_width = -1})), "check failed: ok");
}

}  // namespace
}  // namespace fractalray::tile_grid_test
