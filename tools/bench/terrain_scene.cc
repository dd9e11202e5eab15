// SPDX-License-Identifier: Apache-2.0
// The scenes made of noise: terrain, plants, sparse, empty.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "random.h"
#include "scene.h"

namespace fractalray::bench {
namespace {

constexpr std::uint64_t kHeightSeed = 11;
constexpr std::uint64_t kCaveSeed = 12;
constexpr std::uint64_t kPlantSeed = 13;
constexpr std::uint64_t kSparseSeed = 14;

double between(double a, double b, double share) {
  return a + (b - a) * share;
}
double smooth(double share) {
  return share * share * (3 - 2 * share);
}

// Value noise in [0, 1), row by row along x: random values on a lattice, smoothly joined.
class NoiseRows {
 public:
  NoiseRows(std::uint64_t seed, std::int64_t cell, std::int64_t width)
      : seed_(seed), cell_(cell), knots_(static_cast<std::size_t>(width / cell + 2)) {}

  // Computes the row at (y, z).
  void goTo(std::int64_t y, std::int64_t z) {
    const std::int64_t cell_y = y / cell_;
    const std::int64_t cell_z = z / cell_;
    const double share_y = smooth(static_cast<double>(y % cell_) / static_cast<double>(cell_));
    const double share_z = smooth(static_cast<double>(z % cell_) / static_cast<double>(cell_));
    for (std::size_t i = 0; i < knots_.size(); ++i) {
      const auto value = [&](std::int64_t dy, std::int64_t dz) {
        return toUnitInterval(
            hashCell(seed_, static_cast<std::int64_t>(i), cell_y + dy, cell_z + dz));
      };
      knots_[i] = between(between(value(0, 0), value(1, 0), share_y),
                          between(value(0, 1), value(1, 1), share_y), share_z);
    }
  }
  double at(std::int64_t x) const {
    const auto knot = static_cast<std::size_t>(x / cell_);
    const double share = smooth(static_cast<double>(x % cell_) / static_cast<double>(cell_));
    return between(knots_[knot], knots_[knot + 1], share);
  }

 private:
  std::uint64_t seed_;
  std::int64_t cell_;
  std::vector<double> knots_;
};

// The heights of the ground, in blocks, at each x of a row.
class Heights {
 public:
  explicit Heights(std::int64_t width)
      : hills_(kHeightSeed, 128, width),
        slopes_(kHeightSeed + 100, 40, width),
        bumps_(kHeightSeed + 200, 12, width) {}

  void goTo(std::int64_t z) {
    hills_.goTo(0, z);
    slopes_.goTo(0, z);
    bumps_.goTo(0, z);
  }
  std::int64_t at(std::int64_t x) const {
    return static_cast<std::int64_t>(100 + 56 * hills_.at(x) + 24 * slopes_.at(x) +
                                     6 * bumps_.at(x));
  }

 private:
  NoiseRows hills_;
  NoiseRows slopes_;
  NoiseRows bumps_;
};

}  // namespace

Scene makeTerrain(const BlockCoord& size) {
  Grid grid({0, 0, 0}, size);
  Heights heights(size[0]);
  NoiseRows caverns(kCaveSeed, 14, size[0]);
  NoiseRows walls(kCaveSeed + 100, 6, size[0]);
  for (std::int64_t z = 0; z < size[2]; ++z) {
    heights.goTo(z);
    std::vector<std::int64_t> ground(static_cast<std::size_t>(size[0]));
    for (std::int64_t x = 0; x < size[0]; ++x)
      ground[static_cast<std::size_t>(x)] = heights.at(x);
    for (std::int64_t y = 0; y < size[1]; ++y) {
      caverns.goTo(y, z);
      walls.goTo(y, z);
      for (std::int64_t x = 0; x < size[0]; ++x) {
        if (y > ground[static_cast<std::size_t>(x)]) continue;
        // 0.496 leaves 52 % solid.
        if (0.75 * caverns.at(x) + 0.25 * walls.at(x) > 0.496) continue;
        grid.set({x, y, z}, BlockKind::kSolid);
      }
    }
  }
  return {.name = "terrain", .grid = std::move(grid)};
}

Scene makePlants() {
  Scene scene = makeTerrain();
  scene.name = "plants";
  const BlockCoord size = scene.grid.size();
  for (std::int64_t z = 0; z < size[2]; ++z) {
    for (std::int64_t y = 1; y < size[1]; ++y) {
      for (std::int64_t x = 0; x < size[0]; ++x) {
        const bool on_ground = scene.grid.kind({x, y, z}) == BlockKind::kEmpty &&
                               scene.grid.kind({x, y - 1, z}) == BlockKind::kSolid;
        if (!on_ground || hashCell(kPlantSeed, x, y, z) % 2 != 0) continue;
        scene.grid.set({x, y, z}, BlockKind::kPermeable);
      }
    }
  }
  return scene;
}

Scene makeSparse(double density, const BlockCoord& size) {
  Grid grid({0, 0, 0}, size);
  Random random(kSparseSeed);
  // From one solid block to the next, in the order of indices, the gap is geometrically
  // distributed.
  const double scale = 1 / std::log1p(-density);
  const std::int64_t count = size[0] * size[1] * size[2];
  std::int64_t index = -1;
  while (true) {
    index += 1 + static_cast<std::int64_t>(std::log1p(-random.real()) * scale);
    if (index >= count) break;
    grid.set({index % size[0], index / size[0] % size[1], index / (size[0] * size[1])},
             BlockKind::kSolid);
  }
  return {.name = "sparse", .grid = std::move(grid)};
}

Scene makeEmpty() {
  return {.name = "empty", .grid = Grid({0, 0, 0}, kUsualSize)};
}

Scene movedScene(const Scene& scene, std::int64_t blocks) {
  Scene moved = scene;
  const BlockCoord& from = scene.grid.origin();
  moved.grid.moveTo({from[0] + blocks, from[1] + blocks, from[2] + blocks});
  return moved;
}

}  // namespace fractalray::bench
