// SPDX-License-Identifier: Apache-2.0
// What does a guard see? A tile is seen if the line to its centre crosses no wall before it. Walls
// that touch at a corner hide the tiles beyond the corner: nothing slips between them.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "fractalray/core/tile_grid.h"

namespace {

using fractalray::TileGrid;
using fractalray::TileSegment;
using fractalray::Vec2i;

const std::vector<std::string> kMap{
    "####################", "#.........#........#", "#..##.....#........#", "#...#.........##...#",
    "#...#....@....##...#", "#.........#........#", "#........#.........#", "####.####..........#",
    "#..................#", "####################",
};
constexpr Vec2i kGuard{9, 4};

bool isWall(std::int64_t x, std::int64_t y) {
  return kMap[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#';
}

bool sees(const TileGrid& grid, const Vec2i& tile) {
  const TileSegment line{
      .from = {static_cast<double>(kGuard[0]) + 0.5, static_cast<double>(kGuard[1]) + 0.5},
      .to = {static_cast<double>(tile[0]) + 0.5, static_cast<double>(tile[1]) + 0.5}};
  const auto end = grid.firstSolid(line, isWall);
  // A wall is seen if the line ends at it.
  return end.ok() && (!end->is_solid || end->tile == tile);
}

}  // namespace

int main() {
  const TileGrid grid = *TileGrid::create({});
  int seen = 0;
  for (std::int64_t y = 0; y < static_cast<std::int64_t>(kMap.size()); ++y) {
    std::string row = kMap[static_cast<std::size_t>(y)];
    for (std::int64_t x = 0; x < static_cast<std::int64_t>(row.size()); ++x) {
      char& tile = row[static_cast<std::size_t>(x)];
      if (sees(grid, {x, y})) {
        ++seen;
      } else {
        tile = ' ';
      }
    }
    std::cout << row << "\n";
  }
  std::cout << seen << " tiles are seen from @\n";
  return 0;
}
