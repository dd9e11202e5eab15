// SPDX-License-Identifier: Apache-2.0
#include "landscape.h"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "noise.h"

namespace sight_server {
namespace {

using fractalray::BlockTypeId;
using fractalray::Chunk;
using fractalray::ChunkCoord;

constexpr std::array<std::string_view, 4> kNames = {"terrain", "caves", "forest", "town"};
constexpr std::int64_t kTownFloor = 20;
constexpr std::int64_t kLot = 16;  // the width of a house and its streets

// The blocks that are solid, as bytes: what the landscape is made in.
class Blocks {
 public:
  explicit Blocks(std::int64_t width)
      : width_(width), solid_(static_cast<std::size_t>(width * width * Ground::kHeight)) {}

  bool isSolid(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return contains(x, y, z) && solid_[indexOf(x, y, z)] != 0;
  }
  void set(std::int64_t x, std::int64_t y, std::int64_t z) {
    if (contains(x, y, z)) solid_[indexOf(x, y, z)] = 1;
  }
  void setColumn(std::int64_t x, std::int64_t z, std::int64_t height) {
    for (std::int64_t y = 0; y < height; ++y)
      set(x, y, z);
  }
  std::int64_t width() const { return width_; }

 private:
  bool contains(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return x >= 0 && z >= 0 && y >= 0 && x < width_ && z < width_ && y < Ground::kHeight;
  }
  std::size_t indexOf(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return static_cast<std::size_t>((z * Ground::kHeight + y) * width_ + x);
  }

  std::int64_t width_;
  std::vector<std::uint8_t> solid_;
};

// Calls visit(x, z) for the columns.
template <class Visit>
void forEachColumn(const Blocks& blocks, const Visit& visit) {
  for (std::int64_t z = 0; z < blocks.width(); ++z) {
    for (std::int64_t x = 0; x < blocks.width(); ++x)
      visit(x, z);
  }
}

double noiseAt(std::int64_t x, std::int64_t z, double cell, std::uint64_t seed) {
  return noise(static_cast<double>(x) / cell, 0, static_cast<double>(z) / cell, seed);
}

void makeTerrain(Blocks& blocks) {
  forEachColumn(blocks, [&](std::int64_t x, std::int64_t z) {
    const double height =
        40 * noiseAt(x, z, 48, 1) + 12 * noiseAt(x, z, 13, 2) + 3 * noiseAt(x, z, 4, 3);
    blocks.setColumn(x, z, 20 + static_cast<std::int64_t>(height));
  });
}

void makeCaves(Blocks& blocks) {
  forEachColumn(blocks, [&](std::int64_t x, std::int64_t z) {
    const auto at_x = static_cast<double>(x);
    const auto at_z = static_cast<double>(z);
    for (std::int64_t y = 0; y < Ground::kHeight; ++y) {
      const auto at_y = static_cast<double>(y);
      const double density = 0.65 * noise(at_x / 11, at_y / 8, at_z / 11, 11) +
                             0.35 * noise(at_x / 5, at_y / 4, at_z / 5, 12);
      if (density < 0.56 || y < 2) blocks.set(x, y, z);
    }
  });
}

// Plants a trunk and leaves, of which four in ten are missing.
void plantTree(Blocks& blocks, std::int64_t x, std::int64_t floor, std::int64_t z) {
  const std::int64_t crown = floor + 4 + static_cast<std::int64_t>(hashOf(31, x, floor, z) % 4);
  for (std::int64_t y = floor; y < crown; ++y)
    blocks.set(x, y, z);
  for (std::int64_t dz = -3; dz <= 3; ++dz) {
    for (std::int64_t dx = -3; dx <= 3; ++dx) {
      for (std::int64_t dy = -2; dy <= 2; ++dy) {
        const bool is_near = dx * dx + dz * dz + 2 * dy * dy <= 9;
        if (is_near && hashOf(32, x + dx, crown + dy, z + dz) % 10 < 6)
          blocks.set(x + dx, crown + dy, z + dz);
      }
    }
  }
}

void makeForest(Blocks& blocks) {
  const auto floor_at = [](std::int64_t x, std::int64_t z) {
    return 30 + static_cast<std::int64_t>(8 * noiseAt(x, z, 60, 21) + 2 * noiseAt(x, z, 6, 22));
  };
  forEachColumn(blocks, [&](std::int64_t x, std::int64_t z) {
    blocks.setColumn(x, z, floor_at(x, z));
    if (hashOf(33, x, 0, z) % 30 == 0) plantTree(blocks, x, floor_at(x, z), z);
  });
}

// Builds the walls and the roof of a house, with windows; one lot of four has none.
void buildHouse(Blocks& blocks, std::int64_t lot_x, std::int64_t lot_z) {
  const std::uint64_t hash = hashOf(41, lot_x, 0, lot_z);
  if (hash % 4 == 0) return;
  const std::int64_t from_x = lot_x * kLot + 2;
  const std::int64_t from_z = lot_z * kLot + 2;
  const std::int64_t last_x = from_x + 7 + static_cast<std::int64_t>((hash >> 8U) & 3U);
  const std::int64_t last_z = from_z + 7 + static_cast<std::int64_t>((hash >> 12U) & 3U);
  const std::int64_t roof = kTownFloor + 3 + static_cast<std::int64_t>((hash >> 16U) & 7U);
  for (std::int64_t z = from_z; z <= last_z; ++z) {
    for (std::int64_t x = from_x; x <= last_x; ++x) {
      for (std::int64_t y = kTownFloor; y <= roof; ++y) {
        const bool is_wall = x == from_x || x == last_x || z == from_z || z == last_z || y == roof;
        const bool is_window = (y % 4 == 1 || y % 4 == 2) && (x + z) % 3 == 0;
        if (is_wall && !is_window) blocks.set(x, y, z);
      }
    }
  }
}

void makeTown(Blocks& blocks) {
  forEachColumn(blocks,
                [&](std::int64_t x, std::int64_t z) { blocks.setColumn(x, z, kTownFloor); });
  for (std::int64_t z = 0; z < blocks.width() / kLot; ++z) {
    for (std::int64_t x = 0; x < blocks.width() / kLot; ++x)
      buildHouse(blocks, x, z);
  }
}

Blocks makeBlocks(Landscape landscape, std::int64_t width) {
  Blocks blocks(width);
  switch (landscape) {
    case Landscape::kTerrain:
      makeTerrain(blocks);
      break;
    case Landscape::kCaves:
      makeCaves(blocks);
      break;
    case Landscape::kForest:
      makeForest(blocks);
      break;
    case Landscape::kTown:
      makeTown(blocks);
      break;
  }
  return blocks;
}

}  // namespace

std::string_view landscapeName(Landscape landscape) {
  return kNames[static_cast<std::size_t>(landscape)];
}

std::optional<Landscape> landscapeOf(std::string_view name) {
  for (const Landscape landscape : kLandscapes) {
    if (landscapeName(landscape) == name) return landscape;
  }
  return std::nullopt;
}

Ground::Ground(Landscape landscape, std::int64_t width) : width_(width) {
  stone_ = world_.blockTypes().add({.name = "stone"}).value();
  ore_ = world_.blockTypes().add({.name = "ore"}).value();
  const Blocks blocks = makeBlocks(landscape, width);
  std::vector<BlockTypeId> ids(fractalray::kBlocksPerChunk);
  const std::int64_t columns = width / 16;
  for (std::int64_t z = 0; z < columns; ++z) {
    for (std::int64_t y = 0; y < kHeight / 16; ++y) {
      for (std::int64_t x = 0; x < columns; ++x) {
        const ChunkCoord at{x, y, z};
        for (int i = 0; i < fractalray::kBlocksPerChunk; ++i) {
          const fractalray::BlockCoord block = fractalray::blockOf(at, i);
          const bool is_solid = blocks.isSolid(block[0], block[1], block[2]);
          const bool is_ore = hashOf(51, block[0], block[1], block[2]) % 40 == 0;
          ids[static_cast<std::size_t>(i)] = !is_solid ? fractalray::kAir : is_ore ? ore_ : stone_;
        }
        Chunk chunk = Chunk::copied(Chunk::Ids(ids), world_.blockTypes()).value();
        FRACTALRAY_CHECK_OK(world_.loadChunk(0, at, std::move(chunk)));
      }
    }
  }
}

bool Ground::isSolid(std::int64_t x, std::int64_t y, std::int64_t z) const {
  return world_.block(0, {x, y, z}).value_or(fractalray::kAir) != fractalray::kAir;
}

std::optional<std::int64_t> Ground::floorAt(std::int64_t x, std::int64_t z,
                                            std::int64_t near) const {
  if (x < 1 || z < 1 || x >= width_ - 1 || z >= width_ - 1) return std::nullopt;
  for (std::int64_t away = 0; away < 12; ++away) {
    for (const std::int64_t y : {near + away, near - away}) {
      if (y < 1 || y >= kHeight - 2) continue;
      if (isSolid(x, y - 1, z) && !isSolid(x, y, z) && !isSolid(x, y + 1, z)) return y;
    }
  }
  return std::nullopt;
}

}  // namespace sight_server
