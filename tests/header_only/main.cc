// SPDX-License-Identifier: Apache-2.0
// Uses the tile map, its field of view and the plain ray cast as their users do: with a checkout
// below the include path, with nothing to link, and without Abseil and Boost.
#include <fractalray/core/field_of_view.h>
#include <fractalray/core/raycast.h>
#include <fractalray/core/tile_grid.h>

#if __has_include("core/raycast.h")
#error "the folders of the checkout are on the include path"
#endif
#if defined(ABSL_BASE_CONFIG_H_) || defined(BOOST_CONFIG_HPP)
#error "a header of the tile map includes Abseil or Boost"
#endif

int main() {
  using namespace fractalray;
  const auto grid = TileGrid::create({.tile_width = 60, .tile_height = 60});
  if (!grid.ok()) return 1;
  const auto wall = [](std::int64_t x, std::int64_t) { return x == 5; };
  const auto beam = grid->firstSolid(TileRay{.origin = {30, 30}, .direction = {1, 0}}, wall);
  if (!beam.ok() || beam->point != Vec2d{300, 30}) return 2;
  int cells = 0;
  for (const GridCell<2>& step : *grid->tilesOn({.from = {30, 30}, .to = {130, 30}}))
    cells += step.cell[0] >= 0 ? 1 : 0;
  const auto count = [&](const Vec3i&, Face) { return ++cells == 5; };
  if (!*raycast({0.5, 0.5, 0.5}, {0, 0, 1}, 10, count)) return 3;
  if (cells != 5) return 4;
  const auto add = [&](std::int64_t, std::int64_t) { ++cells; };
  if (*fieldOfView({3, 3}, 2, wall, add) != 23) return 5;  // but two corners
  return cells == 28 ? 0 : 6;
}
