// SPDX-License-Identifier: Apache-2.0
// Which corner policies see both ways: on small random maps, between all pairs of points of a
// lattice with the middles, edges and corners of cells, in 2D and 3D.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "../../core/grid_walk.h"
#include "../../core/tile_grid.h"
#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"
#include "../oracle/walk_oracle.h"

namespace fractalray::oracle {
namespace {

// Of pairs of points.
struct Pairs {
  int all = 0;
  int clear = 0;
  int one_way = 0;

  void add(bool there, bool back) {
    ++all;
    clear += there && back ? 1 : 0;
    one_way += there != back ? 1 : 0;
  }
};

// Expects that a policy is symmetric, but for `kStaircase`, of which cases are expected.
void expectSymmetric(CornerPolicy corner, const Pairs& pairs) {
  EXPECT_GT(pairs.clear, pairs.all / 20) << "nothing is seen";
  EXPECT_GT(pairs.all - pairs.clear, pairs.all / 20) << "all is seen";
  if (corner == CornerPolicy::kStaircase) {
    EXPECT_GT(pairs.one_way, 0) << "the docs say that it is not symmetric";
  } else {
    EXPECT_EQ(pairs.one_way, 0) << "policy " << static_cast<int>(corner);
  }
}

TEST(SymmetricSightTest, OverTiles) {
  constexpr int kWidth = 6;
  Rng rng("SymmetricSightTest.Tiles");
  const TileGrid grid = *TileGrid::create({});
  for (const CornerPolicy corner : kPolicies) {
    Pairs pairs;
    for (int map = 0; map < 6; ++map) {
      std::set<std::pair<std::int64_t, std::int64_t>> walls;
      for (int i = 0; i < 5; ++i)
        walls.emplace(rng.below(kWidth), rng.below(kWidth));
      const auto sees = [&](const Vec2d& from, const Vec2d& to) {
        const auto is_wall = [&](std::int64_t x, std::int64_t y) { return walls.contains({x, y}); };
        return !grid.firstSolid(TileSegment{from, to}, is_wall, corner)->is_solid;
      };
      // Half tiles.
      constexpr int kPoints = 2 * kWidth + 1;
      for (int a = 0; a < kPoints * kPoints; ++a) {
        for (int b = a + 1; b < kPoints * kPoints; ++b) {
          const Vec2d from{0.5 * (a % kPoints), 0.5 * (a / kPoints)};
          const Vec2d to{0.5 * (b % kPoints), 0.5 * (b / kPoints)};
          pairs.add(sees(from, to), sees(to, from));
        }
      }
    }
    expectSymmetric(corner, pairs);
  }
}

// The cells themselves are the same, whatever is in them.
template <int N>
void checkWalks(int width) {
  using Point = Vec<std::int64_t, N>;
  Point widths;
  for (std::int64_t& each : widths.values)
    each = 2;
  const auto cells = [&](const Point& from, const Point& to, CornerPolicy corner) {
    std::set<decltype(from.values)> visited;
    for (const GridCell<N>& cell : GridWalk<N>(from, to, widths, corner))
      visited.insert(cell.cell.values);
    return visited;
  };
  std::vector<Point> points(1, Point{});
  for (int axis = 0; axis < N; ++axis) {
    std::vector<Point> more;
    for (const Point& point : points) {
      for (std::int64_t i = -width; i <= width; ++i) {
        more.push_back(point);
        more.back()[axis] = i;
      }
    }
    points = more;
  }
  for (const CornerPolicy corner : kPolicies) {
    int differ = 0;
    for (std::size_t a = 0; a < points.size(); ++a) {
      for (std::size_t b = a + 1; b < points.size(); ++b) {
        if (cells(points[a], points[b], corner) != cells(points[b], points[a], corner)) ++differ;
      }
    }
    EXPECT_EQ(differ > 0, corner == CornerPolicy::kStaircase) << differ;
  }
}

TEST(SymmetricSightTest, ThereAndBackTheCellsAreTheSameIn2D) {
  checkWalks<2>(7);
}
TEST(SymmetricSightTest, ThereAndBackTheCellsAreTheSameIn3D) {
  checkWalks<3>(3);
}

TEST(SymmetricSightTest, OverTilesOnALineByDefault) {
  const TileGrid grid = *TileGrid::create({});
  const auto tiles = [&](const TileSegment& segment) {
    std::set<std::array<std::int64_t, 2>> visited;
    for (const GridCell<2>& step : *grid.tilesOn(segment))
      visited.insert(step.cell.values);
    return visited;
  };
  for (int x = -8; x <= 8; ++x) {
    for (int y = -8; y <= 8; ++y) {
      const Vec2d from{0.5, 0.5};
      const Vec2d to{0.5 * x, 0.5 * y};
      EXPECT_EQ(tiles({from, to}), tiles({to, from})) << x << ", " << y;
    }
  }
}

TEST(SymmetricSightTest, OverBlocks) {
  constexpr int kWidth = 3;
  constexpr int kPoints = 2 * kWidth + 1;
  Rng rng("SymmetricSightTest.Blocks");
  World world({.levels = 1, .block_types = sceneTypes()});
  EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  const auto point = [](int i) {
    return Vec3d{0.5 * (i % kPoints), 0.5 * (i / kPoints % kPoints), 0.5 * (i / kPoints / kPoints)};
  };
  for (const CornerPolicy corner : kPolicies) {
    Pairs pairs;
    const auto sees = [&](int a, int b) {
      return *service.occluded({point(a), point(b)}, LevelMask::all(),
                               {.entities_block = true, .corner = corner}) == Occlusion::kClear;
    };
    for (int map = 0; map < 3; ++map) {
      ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(kAir, world.blockTypes())).ok());
      for (int i = 0; i < 3; ++i) {
        const BlockCoord wall{rng.below(kWidth), rng.below(kWidth), rng.below(kWidth)};
        ASSERT_TRUE(world.setBlock(0, wall, kStone).ok());
      }
      const auto ball = entities.add({.id = static_cast<EntityId>(map + 1),
                                      .shape = Sphere{0.4},
                                      .position = {0.5 + rng.below(3), 1.5, 0.25}});
      ASSERT_TRUE(ball.ok());
      for (int a = 0; a < kPoints * kPoints * kPoints; ++a) {
        for (int b = a + 1; b < kPoints * kPoints * kPoints; ++b)
          pairs.add(sees(a, b), sees(b, a));
      }
      ASSERT_TRUE(entities.remove(*ball).ok());
    }
    expectSymmetric(corner, pairs);
  }
}

}  // namespace
}  // namespace fractalray::oracle
