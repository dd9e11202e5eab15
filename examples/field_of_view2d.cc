// SPDX-License-Identifier: Apache-2.0
// Finds all that a guard sees in one sweep: the tiles whose middle is seen, with which sight is the
// same both ways, and those of which any part is seen, which one would draw. A line to each tile
// sees the same.
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "fractalray/core/field_of_view.h"
#include "fractalray/core/tile_grid.h"

namespace {

using namespace fractalray;

using Map = std::vector<std::string>;

const Map kMap{
    "##############################",  //
    "#............#...............#",  //
    "#..##........#...##..........#",  //
    "#...#............##....#.....#",  //
    "#............#..........#....#",  //
    "######.#######...........#...#",  //
    "#............................#",  //
    "#......@...........#.........#",  //
    "#..................#....##...#",  //
    "#....#....#........#....##...#",  //
    "#..................#.........#",  //
    "#....#....#..................#",  //
    "#.............######...#.#.#.#",  //
    "##############################",
};
constexpr Vec2i kGuard{7, 7};
constexpr std::int64_t kRadius = 30;

char& at(Map& map, std::int64_t x, std::int64_t y) {
  return map.at(static_cast<std::size_t>(y)).at(static_cast<std::size_t>(x));
}
char tileAt(std::int64_t x, std::int64_t y) {
  const auto rows = static_cast<std::int64_t>(kMap.size());
  const auto columns = static_cast<std::int64_t>(kMap[0].size());
  if (x < 0 || y < 0 || x >= columns || y >= rows) return '#';
  return kMap[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
}
bool isWall(std::int64_t x, std::int64_t y) {
  return tileAt(x, y) == '#';
}

// Returns the map without the tiles that are not seen.
Map seen(TilePart part) {
  Map view(kMap.size(), std::string(kMap[0].size(), ' '));
  const auto show = [&](std::int64_t x, std::int64_t y) { at(view, x, y) = tileAt(x, y); };
  const auto tiles = fieldOfView(kGuard, kRadius, isWall, show, part);  // the number of tiles
  if (!tiles.ok()) std::cerr << tiles.message() << "\n";
  return view;
}

// Returns the same as seen(TilePart::kCenter), by a line to the middle of each tile.
Map seenByLines() {
  const TileGrid grid = *TileGrid::create({});
  const auto middle = [](std::int64_t tile) { return static_cast<double>(tile) + 0.5; };
  Map view = kMap;
  for (std::int64_t y = 0; y < static_cast<std::int64_t>(kMap.size()); ++y) {
    for (std::int64_t x = 0; x < static_cast<std::int64_t>(kMap[0].size()); ++x) {
      const TileSegment line{.from = {middle(kGuard[0]), middle(kGuard[1])},
                             .to = {middle(x), middle(y)}};
      const auto end = grid.firstSolid(line, isWall);
      // A wall is seen if the line ends at it.
      const bool is_seen = !end->is_solid || end->tile == Vec2i{x, y};
      if (!is_seen) at(view, x, y) = ' ';
    }
  }
  return view;
}

void print(const std::string& title, const Map& view) {
  std::cout << title << "\n";
  for (const std::string& row : view)
    std::cout << "|" << row << "|\n";
}

}  // namespace

int main() {
  print("the map:", kMap);
  const Map by_middle = seen(TilePart::kCenter);
  print("the middle is seen:", by_middle);
  print("any part is seen:", seen(TilePart::kAny));
  std::cout << "a line to each tile sees " << (by_middle == seenByLines() ? "the same" : "others")
            << "\n";
  return 0;
}
