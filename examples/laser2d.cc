// SPDX-License-Identifier: Apache-2.0
// A laser turns over a tile map of 60-pixel tiles, as in a game; each frame shows the tiles that
// its beam crosses before the wall that stops it. Needs nothing of the library but one header.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "fractalray/core/tile_grid.h"

namespace {

using fractalray::BeamEnd;
using fractalray::CornerPolicy;
using fractalray::TileGrid;
using fractalray::TileRay;
using fractalray::Vec2d;

constexpr double kTile = 60;  // pixels

using Map = std::vector<std::string>;
const Map kMap{"###########", "#.........#", "#.........#", "#..#...##.#", "#.........#",
               "#.........#", "#.#.....#.#", "#.........#", "###########"};

bool isWall(std::int64_t x, std::int64_t y) {
  return kMap[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#';
}

char& at(Map& map, std::int64_t x, std::int64_t y) {
  return map[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
}

// Returns the map with the beam from `origin` to `end` drawn into it.
Map frame(const TileGrid& grid, const Vec2d& origin, const BeamEnd& end) {
  Map picture = kMap;
  // Whole tiles: the beam's own end lies on the edge of the wall. A thin beam also at corners.
  for (const auto& step :
       *grid.tilesOn<CornerPolicy::kStaircase>({.from = origin, .to = end.point})) {
    if (!isWall(step.cell[0], step.cell[1])) at(picture, step.cell[0], step.cell[1]) = '*';
  }
  at(picture, 5, 4) = '@';
  at(picture, end.tile[0], end.tile[1]) = 'X';
  return picture;
}

}  // namespace

int main() {
  const TileGrid grid = *TileGrid::create({.tile_width = kTile, .tile_height = kTile});
  const Vec2d origin{5.5 * kTile, 4.5 * kTile};
  // Exact directions: the diagonal ones run right through corners.
  const std::vector<Vec2d> directions{{1, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 1}, {-1, 1}, {-1, -1}};
  Map strip(kMap.size());
  for (const Vec2d& direction : directions) {
    const auto end = grid.firstSolid(TileRay{.origin = origin, .direction = direction}, isWall);
    if (!end.ok()) {
      std::cerr << end.message() << "\n";
      return 1;
    }
    const Map picture = frame(grid, origin, *end);
    for (std::size_t row = 0; row < strip.size(); ++row)
      strip[row] += (strip[row].empty() ? "" : "  ") + picture[row];
    std::cout << "direction (" << direction[0] << ", " << direction[1] << "): wall " << end->tile[0]
              << ", " << end->tile[1] << " at pixel " << end->point[0] << ", " << end->point[1]
              << ", " << end->distance << " pixels away\n";
  }
  for (const std::string& row : strip)
    std::cout << row << "\n";
  return 0;
}
