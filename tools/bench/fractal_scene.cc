// SPDX-License-Identifier: Apache-2.0
// Five levels of a percolation fractal (Mandelbrot): space is divided into cubes of 4 blocks of
// the finest level, each of these into a larger one of 16, and so on; half of the cubes of each
// width are emptied with their whole content, at random. The remaining blocks of a level are solid
// if they are not expanded.
//
// The ray space is the usual extents. Its whole content is loaded on the finest level, so every
// coarser block in it defers, and a shot at all five levels has to give the very hits of a shot at
// the finest alone. Around it each coarser level is loaded for a few chunks more.
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "random.h"
#include "scene.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

constexpr int kLevels = 5;
constexpr std::uint64_t kSeed = 31;
// Chunks of a coarser level around the one that holds the ray space, along each axis.
constexpr std::int64_t kMargin = 3;

// Returns true if the cube of width 4^log4 blocks with that index, in such cubes, is emptied. Cubes
// that hold the ray space and are wider than its details never are.
bool isEmptied(int log4, std::int64_t x, std::int64_t y, std::int64_t z) {
  const bool holds_ray_space = log4 >= 4 && (x << (2 * log4)) < kUsualSize[0] && x >= 0 &&
                               (y << (2 * log4)) < kUsualSize[1] && y >= 0 &&
                               (z << (2 * log4)) < kUsualSize[2] && z >= 0;
  return !holds_ray_space && hashCell(kSeed + static_cast<std::uint64_t>(log4), x, y, z) % 2 == 0;
}

// Returns true if anything is left of a block of a level, given the emptied cubes that contain it
// and itself.
bool isLeft(int level, const BlockCoord& block) {
  const int log4 = 2 * (kLevels - 1 - level);
  for (int wider = 2 * kLevels; wider >= log4; --wider) {
    const int shift = 2 * (wider - log4);
    if (isEmptied(wider, block[0] >> shift, block[1] >> shift, block[2] >> shift)) return false;
  }
  return true;
}

void load(World& world, int level, const ChunkCoord& at, BlockTypeId rock) {
  std::vector<BlockTypeId> ids(kBlocksPerChunk);
  for (int index = 0; index < kBlocksPerChunk; ++index)
    ids[static_cast<std::size_t>(index)] = isLeft(level, blockOf(at, index)) ? rock : kAir;
  checkOk(world.loadChunk(level, at, unwrap(Chunk::copied(Chunk::Ids(ids), world.blockTypes()))));
}

}  // namespace

Scene makeFractal() {
  const auto begin = std::chrono::steady_clock::now();
  auto world = std::make_shared<World>(WorldOptions{.levels = kLevels});
  const BlockTypeId rock =
      unwrap(world->blockTypes().add({.name = "rock", .kind = BlockKind::kSolid}));
  Grid grid({0, 0, 0}, kUsualSize);
  grid.forEachChunk([&](const ChunkCoord& at) {
    load(*world, kLevels - 1, at, rock);
    const Chunk& chunk = *world->chunk(kLevels - 1, at);
    for (int index = 0; index < kBlocksPerChunk; ++index) {
      if (chunk.isOccupied(index)) grid.set(blockOf(at, index), BlockKind::kSolid);
    }
  });
  for (int level = 0; level < kLevels - 1; ++level) {
    const std::int64_t width = std::int64_t{16} << (4 * (kLevels - 1 - level));
    ChunkCoord last;
    for (int axis = 0; axis < 3; ++axis)
      last[axis] = (kUsualSize[axis] - 1) / width;
    for (std::int64_t z = -kMargin; z <= last[2] + kMargin; ++z)
      for (std::int64_t y = -kMargin; y <= last[1] + kMargin; ++y)
        for (std::int64_t x = -kMargin; x <= last[0] + kMargin; ++x)
          load(*world, level, {x, y, z}, rock);
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  return {.name = "fractal",
          .grid = std::move(grid),
          .world = std::move(world),
          .world_build_ms = took.count()};
}

}  // namespace fractalray::bench
