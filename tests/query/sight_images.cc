// SPDX-License-Identifier: Apache-2.0
#include "sight_images.h"

#include <cstddef>
#include <vector>

#include "../../core/check.h"

namespace fractalray::sight_test {
namespace {

// Returns the image of a cell of a level: of a chunk, or of a block, of which `per_chunk` are as
// wide as a chunk.
template <class Coord>
Coord cellUnder(const WorldMap& map, const Coord& cell, int level, std::int64_t per_chunk) {
  const std::int64_t cells = per_chunk << (4 * level);  // as wide as a chunk of level 0
  Coord image;
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const std::int64_t at = cell[map.axes[i]];
    image[axis] = (map.is_mirrored[i] ? -1 - at : at) + map.by[axis] * cells;
  }
  return image;
}

FixedBox boxUnder(const WorldMap& map, const FixedBox& box, const Frame& frame) {
  FixedBox image;
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const std::int64_t low = box.min[map.axes[i]] << (4 * map.finer);
    const std::int64_t high = box.max[map.axes[i]] << (4 * map.finer);
    const std::int64_t by = map.by[axis] * frame.chunkWidth(0);
    image.min[axis] = (map.is_mirrored[i] ? -high : low) + by;
    image.max[axis] = (map.is_mirrored[i] ? -low : high) + by;
  }
  return image;
}

}  // namespace

SightCase asBoxes(const SightCase& of) {
  SightCase boxes = emptyCase();
  boxes.query = of.query;
  boxes.options.through = of.options.through;
  boxes.options.filter.skip_start_inside = of.options.filter.skip_start_inside;
  boxes.options.unloaded = UnloadedSpace::kTransparent;
  for (const oracle::Occluder& occluder : of.scene().occluders)
    boxes.occluders.insert(boxes.occluders.end(), occluder.begin(), occluder.end());
  return boxes;
}

bool isNearOrigin(const SightCase& of) {
  constexpr std::int64_t kNear = std::int64_t{1} << 40;
  std::vector<FixedBox> boxes = of.occluders;
  boxes.push_back(of.query.box);
  boxes.push_back({of.query.eye, of.query.eye});
  return std::all_of(boxes.begin(), boxes.end(), [](const FixedBox& box) {
    bool is_near = true;
    for (int axis = 0; axis < 3; ++axis)
      is_near = is_near && box.min[axis] > -kNear && box.max[axis] < kNear;
    return is_near;
  });
}

SightCase mapped(const SightCase& of, const WorldMap& map) {
  const int levels = of.world->frame().levels();
  SightCase image = emptyCase(levels + map.finer);
  image.levels = of.levels.activeIn(of.world->frame());
  image.options.through = of.options.through;
  image.options.unloaded = of.options.unloaded;
  image.options.filter.channel = of.options.filter.channel;
  image.options.filter.skip_start_inside = of.options.filter.skip_start_inside;
  for (int level = 0; level < levels; ++level) {
    of.world->forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& chunk) {
      FRACTALRAY_CHECK_OK(image.world->loadChunk(level, cellUnder(map, at, level, 1), Chunk()));
      for (int index = 0; index < kBlocksPerChunk; ++index) {
        const BlockCoord block = blockOf(at, index);
        if (chunk.block(index) == kAir || !of.accepts(level, block)) continue;
        FRACTALRAY_CHECK_OK(image.world->setBlock(level, cellUnder(map, block, level, kChunkSize),
                                                  chunk.block(index)));
      }
    });
  }
  const Frame& frame = image.world->frame();
  for (const FixedBox& box : of.listedBoxes())
    image.occluders.push_back(boxUnder(map, box, frame));
  image.query.box = boxUnder(map, of.query.box, frame);
  image.query.eye = boxUnder(map, {of.query.eye, of.query.eye}, frame).min;
  return image;
}

bool hasCubesOnly(const World& world) {
  bool only = true;
  for (int level = 0; level < world.frame().levels(); ++level) {
    world.forEachLoaded(level, [&](const ChunkCoord& /*at*/, const Chunk& chunk) {
      for (int index = 0; index < kBlocksPerChunk; ++index) {
        const BlockTypeId type = chunk.block(index);
        only = only && world.blockTypes().shape(type, kDefaultChannel) == kWholeCube;
      }
    });
  }
  return only;
}

}  // namespace fractalray::sight_test
