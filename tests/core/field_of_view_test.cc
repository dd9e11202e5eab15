// SPDX-License-Identifier: Apache-2.0
// Checks fields of view against a line per tile, and those of any part of a tile against a line
// between each two neighbouring corners, on random and on adversarial maps; symmetry, limits.
#include "../../core/field_of_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../../core/tile_grid.h"
#include "../oracle/rng.h"

namespace fractalray::oracle {
namespace {

using Tile = std::pair<std::int64_t, std::int64_t>;
using SolidAt = std::function<bool(std::int64_t, std::int64_t)>;

// Tiles are two pixels wide, so that middles and corners are whole numbers.
const TileGrid& grid() {
  static const TileGrid tiles = *TileGrid::create({.tile_width = 2, .tile_height = 2});
  return tiles;
}
Vec2d middleOf(const Vec2i& tile) {
  return {static_cast<double>(2 * tile[0] + 1), static_cast<double>(2 * tile[1] + 1)};
}

std::set<Tile> seenFrom(const Vec2i& eye, std::int64_t radius, const SolidAt& solid_at,
                        TilePart part = TilePart::kCenter) {
  std::set<Tile> seen;
  const auto visit = [&](std::int64_t x, std::int64_t y) {
    EXPECT_TRUE(seen.emplace(x, y).second) << x << "," << y << " is visited twice";
  };
  const auto count = fieldOfView(eye, radius, solid_at, visit, part);
  EXPECT_TRUE(count.ok()) << count.message();
  EXPECT_EQ(count.ok() ? *count : 0, seen.size());
  return seen;
}

// Returns what firstSolid() sees, with a line to each tile.
std::set<Tile> seenByLines(const Vec2i& eye, std::int64_t radius, const SolidAt& solid_at) {
  const auto solid_around = [&](std::int64_t x, std::int64_t y) {
    return Vec2i{x, y} != eye && solid_at(x, y);
  };
  std::set<Tile> seen;
  for (std::int64_t y = eye[1] - radius; y <= eye[1] + radius; ++y) {
    for (std::int64_t x = eye[0] - radius; x <= eye[0] + radius; ++x) {
      const auto end =
          grid().firstSolid({.from = middleOf(eye), .to = middleOf({x, y})}, solid_around);
      if (!end->is_solid || end->tile == Vec2i{x, y}) seen.emplace(x, y);
    }
  }
  return seen;
}

// Returns the sums of neighbouring directions to corners of tiles: one in each range of directions
// in which all lines cross the same tiles within the radius.
std::vector<Vec2i> directionsBetweenCorners(std::int64_t radius) {
  std::vector<Vec2i> corners;
  for (std::int64_t y = 1; y <= 2 * radius + 1; y += 2) {
    for (std::int64_t x = 1; x <= 2 * radius + 1; x += 2)
      corners.push_back({x, y});
  }
  const auto cross = [](const Vec2i& a, const Vec2i& b) { return a[0] * b[1] - a[1] * b[0]; };
  std::sort(corners.begin(), corners.end(),
            [&](const Vec2i& a, const Vec2i& b) { return cross(a, b) > 0; });
  std::vector<Vec2i> between{corners.front() + Vec2i{corners.front()[0], -corners.front()[1]}};
  for (std::size_t i = 1; i < corners.size(); ++i) {
    if (cross(corners[i - 1], corners[i]) > 0) between.push_back(corners[i - 1] + corners[i]);
  }
  // A quarter, from just below the x axis to just below the y axis.
  std::vector<Vec2i> all;
  for (const Vec2i& d : between) {
    for (const Vec2i& turned : {d, Vec2i{-d[1], d[0]}, -d, Vec2i{d[1], -d[0]}})
      all.push_back(turned);
  }
  return all;
}

// Returns the tiles that any line from the eye enters.
std::set<Tile> seenInPart(const Vec2i& eye, std::int64_t radius, const SolidAt& solid_at) {
  std::set<Tile> seen;
  for (const Vec2i& direction : directionsBetweenCorners(radius)) {
    const Vec2d from = middleOf(eye);
    const auto reach = static_cast<double>(2 * radius + 2);
    const Vec2d to = from + Vec2d{static_cast<double>(direction[0]) * reach,
                                  static_cast<double>(direction[1]) * reach};
    for (const GridCell<2>& step : *grid().tilesOn({.from = from, .to = to})) {
      const Vec2i away = step.cell - eye;
      if (std::max(std::abs(away[0]), std::abs(away[1])) > radius) break;
      seen.emplace(step.cell[0], step.cell[1]);
      if (step.cell != eye && solid_at(step.cell[0], step.cell[1])) break;
    }
  }
  return seen;
}

// Returns a map that is solid at one tile in `one_in`, without an end.
SolidAt randomMap(std::uint64_t seed, int one_in) {
  return [seed, one_in](std::int64_t x, std::int64_t y) {
    return Rng(seed + static_cast<std::uint64_t>(x) * 7919 + static_cast<std::uint64_t>(y) * 104729)
        .oneIn(one_in);
  };
}

// Returns the rest of a division, from 0, also of negative numbers.
std::int64_t restOf(std::int64_t value, std::int64_t divisor) {
  return ((value % divisor) + divisor) % divisor;
}

// Returns maps on which most lines pass close to corners.
std::vector<SolidAt> adversarialMaps() {
  return {
      [](std::int64_t, std::int64_t) { return false; },
      [](std::int64_t, std::int64_t) { return true; },
      // Chequered, from the eye's colour and from the other.
      [](std::int64_t x, std::int64_t y) { return restOf(x + y, 2) == 0; },
      [](std::int64_t x, std::int64_t y) { return restOf(x + y, 2) == 1; },
      // Pillars.
      [](std::int64_t x, std::int64_t y) { return restOf(x, 2) == 1 && restOf(y, 2) == 1; },
      [](std::int64_t x, std::int64_t y) { return restOf(x, 3) == 1 && restOf(y, 4) == 2; },
      [](std::int64_t x, std::int64_t y) { return restOf(x, 5) == 2 && restOf(y, 5) == 2; },
      // Walls with gaps.
      [](std::int64_t x, std::int64_t y) { return restOf(x, 4) == 2 && restOf(y, 3) != 0; },
      [](std::int64_t x, std::int64_t y) { return restOf(y, 6) == 3 && restOf(x, 7) != 1; },
      // Diagonal walls, one tile thin: closed at their corners.
      [](std::int64_t x, std::int64_t y) { return x + y == 6 || x - y == 5; },
      [](std::int64_t x, std::int64_t y) { return std::abs(x - y) == 1; },
      [](std::int64_t x, std::int64_t y) { return x == y && x != 0; },
      // A hall whose walls are the border of a map.
      [](std::int64_t x, std::int64_t y) { return x < -4 || y < -3 || x > 7 || y > 5; },
      // A corridor.
      [](std::int64_t, std::int64_t y) { return y != 0; },
  };
}

TEST(FieldOfViewTest, IsThatOfALinePerTile) {
  Rng rng("FieldOfViewTest.Lines");
  std::size_t seen_in_all = 0;
  for (int i = 0; i < 400; ++i) {
    const SolidAt map = randomMap(rng.next(), rng.pick({2, 3, 5, 10, 40, 200}));
    const Vec2i eye{rng.in(-1000, 1000), rng.in(-1000, 1000)};
    const std::int64_t radius = rng.in(0, 16);
    const std::set<Tile> expected = seenByLines(eye, radius, map);
    ASSERT_EQ(seenFrom(eye, radius, map), expected) << "map " << i;
    seen_in_all += expected.size();
  }
  EXPECT_GT(seen_in_all, 10000U);
}

TEST(FieldOfViewTest, IsThatOfALinePerTileFarAway) {
  Rng rng("FieldOfViewTest.FarLines");
  for (const int one_in : {30, 200, 2000, 20000}) {
    const SolidAt map = randomMap(rng.next(), one_in);
    ASSERT_EQ(seenFrom({3, -5}, 120, map), seenByLines({3, -5}, 120, map)) << "one in " << one_in;
  }
}

TEST(FieldOfViewTest, IsThatOfALinePerTileOnAdversarialMaps) {
  int map = 0;
  for (const SolidAt& solid_at : adversarialMaps()) {
    for (const Vec2i& eye : {Vec2i{0, 0}, Vec2i{1, 0}, Vec2i{2, 1}, Vec2i{3, 3}}) {
      ASSERT_EQ(seenFrom(eye, 25, solid_at), seenByLines(eye, 25, solid_at))
          << "map " << map << ", eye " << eye[0] << "," << eye[1];
    }
    ++map;
  }
}

TEST(FieldOfViewTest, OfAnyPartIsThatOfALineBetweenEachTwoCorners) {
  Rng rng("FieldOfViewTest.Parts");
  std::size_t only_in_part = 0;
  for (int i = 0; i < 200; ++i) {
    const SolidAt map = randomMap(rng.next(), rng.pick({2, 3, 5, 10, 40, 200}));
    const Vec2i eye{rng.in(-1000, 1000), rng.in(-1000, 1000)};
    const std::int64_t radius = rng.in(0, 9);
    const std::set<Tile> expected = seenInPart(eye, radius, map);
    ASSERT_EQ(seenFrom(eye, radius, map, TilePart::kAny), expected) << "map " << i;
    const std::set<Tile> by_middle = seenFrom(eye, radius, map);
    ASSERT_TRUE(std::includes(expected.begin(), expected.end(), by_middle.begin(), by_middle.end()))
        << "map " << i;
    only_in_part += expected.size() - by_middle.size();
  }
  EXPECT_GT(only_in_part, 1000U);
  int map = 0;
  for (const SolidAt& solid_at : adversarialMaps()) {
    for (const Vec2i& eye : {Vec2i{0, 0}, Vec2i{1, 0}, Vec2i{2, 1}, Vec2i{3, 3}}) {
      ASSERT_EQ(seenFrom(eye, 12, solid_at, TilePart::kAny), seenInPart(eye, 12, solid_at))
          << "map " << map << ", eye " << eye[0] << "," << eye[1];
    }
    ++map;
  }
}

// Of solid tiles as well.
TEST(FieldOfViewTest, SightIsSymmetric) {
  constexpr std::int64_t kWidth = 9;
  Rng rng("FieldOfViewTest.Symmetric");
  int clear = 0;
  int blocked = 0;
  for (int i = 0; i < 30; ++i) {
    const SolidAt map = randomMap(rng.next(), rng.pick({2, 4, 10}));
    std::vector<std::set<Tile>> seen;
    for (std::int64_t tile = 0; tile < kWidth * kWidth; ++tile)
      seen.push_back(seenFrom({tile % kWidth, tile / kWidth}, kWidth, map));
    const auto sees = [&](std::int64_t a, std::int64_t b) {
      return seen[static_cast<std::size_t>(a)].contains({b % kWidth, b / kWidth});
    };
    for (std::int64_t a = 0; a < kWidth * kWidth; ++a) {
      for (std::int64_t b = 0; b < a; ++b) {
        ASSERT_EQ(sees(a, b), sees(b, a)) << "map " << i << ", tiles " << a << " and " << b;
        ++(sees(a, b) ? clear : blocked);
      }
    }
  }
  EXPECT_GT(clear, 10000);
  EXPECT_GT(blocked, 10000);
}

TEST(FieldOfViewTest, TurnedMapsHaveTurnedFields) {
  Rng rng("FieldOfViewTest.Turned");
  for (int i = 0; i < 60; ++i) {
    const SolidAt map = randomMap(rng.next(), rng.pick({3, 8, 30}));
    const SolidAt turned = [&](std::int64_t x, std::int64_t y) { return map(y, -x); };
    const SolidAt mirrored = [&](std::int64_t x, std::int64_t y) { return map(-x, y); };
    for (const TilePart part : {TilePart::kCenter, TilePart::kAny}) {
      std::set<Tile> expected_turned;
      std::set<Tile> expected_mirrored;
      for (const auto& [x, y] : seenFrom({0, 0}, 14, map, part)) {
        expected_turned.emplace(-y, x);
        expected_mirrored.emplace(-x, y);
      }
      ASSERT_EQ(seenFrom({0, 0}, 14, turned, part), expected_turned) << i;
      ASSERT_EQ(seenFrom({0, 0}, 14, mirrored, part), expected_mirrored) << i;
    }
  }
}

// The line to the tile + passes through a corner of a wall, so only parts of this tile are seen, as
// of those marked -; the upper wall is seen past the lower one, but not its middle.
TEST(FieldOfViewTest, ACornerHidesTheMiddleOfATile) {
  const std::vector<std::string> map{
      "oooooo",  //
      "ooooo+",  //
      "oooo# ",  //
      "ooo#--",  //
      "@ooooo",  //
      "oooooo",
  };
  const auto mark = [&](std::int64_t x, std::int64_t y) {
    return map[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
  };
  const SolidAt solid_at = [&](std::int64_t x, std::int64_t y) {
    return x >= 0 && y >= 0 && x < 6 && y < 6 && mark(x, y) == '#';
  };
  const std::set<Tile> middle = seenFrom({0, 4}, 5, solid_at);
  const std::set<Tile> part = seenFrom({0, 4}, 5, solid_at, TilePart::kAny);
  for (std::int64_t y = 0; y < 6; ++y) {
    for (std::int64_t x = 0; x < 6; ++x) {
      const bool is_lower_wall = x == 3 && y == 3;
      EXPECT_EQ(middle.contains({x, y}), mark(x, y) == 'o' || mark(x, y) == '@' || is_lower_wall)
          << x << "," << y;
      EXPECT_EQ(part.contains({x, y}), mark(x, y) != ' ') << x << "," << y;
    }
  }
}

TEST(FieldOfViewTest, TilesComeInRingsOutwards) {
  std::int64_t ring = 0;
  int tiles = 0;
  const auto visit = [&](std::int64_t x, std::int64_t y) {
    const std::int64_t away = std::max(std::abs(x - 7), std::abs(y + 2));
    EXPECT_TRUE(away == ring || away == ring + 1) << away << " after " << ring;
    ring = away;
    ++tiles;
  };
  const auto empty = [](std::int64_t, std::int64_t) { return false; };
  for (const TilePart part : {TilePart::kCenter, TilePart::kAny}) {
    ring = 0;
    tiles = 0;
    ASSERT_EQ(*fieldOfView({7, -2}, 10, empty, visit, part), 441U);
    EXPECT_EQ(tiles, 441);
    EXPECT_EQ(ring, 10);
  }
}

TEST(FieldOfViewTest, TheEyesOwnTileHidesNothing) {
  const SolidAt all = [](std::int64_t, std::int64_t) { return true; };
  const SolidAt own = [](std::int64_t x, std::int64_t y) { return x == 4 && y == 4; };
  EXPECT_EQ(seenFrom({4, 4}, 0, all), (std::set<Tile>{{4, 4}}));
  // Its neighbours at corners are hidden by those at edges.
  EXPECT_EQ(seenFrom({4, 4}, 9, all), (std::set<Tile>{{4, 4}, {3, 4}, {5, 4}, {4, 3}, {4, 5}}));
  EXPECT_EQ(seenFrom({4, 4}, 9, own).size(), 361U);
}

TEST(FieldOfViewTest, RefusesWrongInput) {
  int calls = 0;
  const auto solid_at = [&](std::int64_t, std::int64_t) { return ++calls > 0; };
  const auto visit = [&](std::int64_t, std::int64_t) { ++calls; };
  constexpr std::int64_t kLimit = std::int64_t{1} << 42;
  EXPECT_EQ(fieldOfView({0, 0}, -1, solid_at, visit).error(), GridError::kBadDistance);
  for (const std::int64_t far : {kLimit + 1, -kLimit - 1, std::numeric_limits<std::int64_t>::min(),
                                 std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(fieldOfView({far, 0}, 1, solid_at, visit).error(), GridError::kTooFar) << far;
    EXPECT_EQ(fieldOfView({0, far}, 1, solid_at, visit).error(), GridError::kTooFar) << far;
  }
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(fieldOfView({kLimit, -kLimit}, 1, solid_at, visit).ok());
}

TEST(FieldOfViewTest, AnyRadiusEndsAtTheWalls) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kFar = std::int64_t{1} << 42;
  const SolidAt hall = [](std::int64_t x, std::int64_t y) {
    return std::abs(x - kFar) > 3 || std::abs(y + kFar) > 3;
  };
  EXPECT_EQ(seenFrom({kFar, -kFar}, kMost, hall).size(), 77U);
  EXPECT_EQ(seenFrom({kFar, -kFar}, kMost, hall, TilePart::kAny).size(), 77U);
}

// Slopes of a few millionths, which are still exact.
TEST(FieldOfViewTest, DownALongCorridor) {
  constexpr std::int64_t kLength = 1000000;
  const SolidAt corridor = [](std::int64_t x, std::int64_t y) {
    return y != 0 || x < 0 || x > kLength;
  };
  EXPECT_TRUE(seenFrom({0, 0}, 2 * kLength, corridor).contains({kLength + 1, 0}));
  std::uint64_t seen = 0;
  const auto count = [&](std::int64_t, std::int64_t) { ++seen; };
  ASSERT_TRUE(fieldOfView({0, 0}, 2 * kLength, corridor, count, TilePart::kAny).ok());
  // The corridor with both walls along it, and the two walls at its ends.
  EXPECT_EQ(seen, 3U * (kLength + 1) + 2);
}

TEST(FieldOfViewTest, AMapWithoutWallsIsTooLarge) {
  const auto empty = [](std::int64_t, std::int64_t) { return false; };
  const auto ignore = [](std::int64_t, std::int64_t) {};
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (const TilePart part : {TilePart::kCenter, TilePart::kAny}) {
    EXPECT_EQ(fieldOfView({0, 0}, kMost, empty, ignore, part).error(), GridError::kTooManyCells);
  }
  EXPECT_EQ(*fieldOfView({0, 0}, 1000, empty, ignore), 2001U * 2001U);
}

}  // namespace
}  // namespace fractalray::oracle
