// SPDX-License-Identifier: Apache-2.0
#include "shape_world.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "unwrap.h"

namespace fractalray::bench {
namespace {

using Shape = GroundShapes::Shape;

BlockTypeId addSolid(World& world, const std::string& name, ShapeId shape = kWholeCube) {
  return unwrap(world.blockTypes().add({.name = name, .kind = BlockKind::kSolid, .shape = shape}));
}

// Adds "stone", and for each shape a type that has it, or fills its cube. Returns all by number.
std::vector<BlockTypeId> addTypes(World& world, const std::vector<Shape>& shapes, bool are_cubes) {
  std::vector<BlockTypeId> types{addSolid(world, "stone")};
  for (const Shape& shape : shapes) {
    const ShapeId id = are_cubes ? kWholeCube : unwrap(world.blockTypes().addShape(shape));
    types.push_back(addSolid(world, "stone " + std::to_string(types.size()), id));
  }
  return types;
}

// Loads all chunks of a grid on the coarsest level, with a block's type by its shape's number.
void loadGrid(World& world, const Grid& grid, const GroundShapes& shapes,
              const std::vector<BlockTypeId>& types) {
  std::vector<BlockTypeId> ids(kBlocksPerChunk);
  grid.forEachChunk([&](const ChunkCoord& at) {
    for (int index = 0; index < kBlocksPerChunk; ++index) {
      const BlockCoord block = blockOf(at, index);
      ids[static_cast<std::size_t>(index)] =
          grid.occupied(block) ? types[shapes.numberAt(grid, block)] : kAir;
    }
    checkOk(world.loadChunk(0, at, unwrap(Chunk::copied(Chunk::Ids(ids), world.blockTypes()))));
  });
}

// Makes the chunk into which a block of that shape is expanded.
Chunk expand(const Shape& shape, BlockTypeId type, const BlockTypeTable& types) {
  constexpr std::uint32_t kWidth = kShapeUnits / 16;
  std::array<BlockTypeId, kBlocksPerChunk> ids{};
  for (const ShapeBox& box : shape) {
    for (std::uint32_t z = box.min[2] / kWidth; z < box.max[2] / kWidth; ++z)
      for (std::uint32_t y = box.min[1] / kWidth; y < box.max[1] / kWidth; ++y)
        for (std::uint32_t x = box.min[0] / kWidth; x < box.max[0] / kWidth; ++x)
          ids[x + 16 * y + 256 * z] = type;
  }
  return unwrap(Chunk::copied(ids, types));
}

}  // namespace

std::shared_ptr<World> makeShapedWorld(const Grid& grid, const GroundShapes& shapes) {
  auto world = std::make_shared<World>();
  loadGrid(*world, grid, shapes, addTypes(*world, shapes.shapes(), false));
  return world;
}

std::shared_ptr<World> makeCubeWorld(const Grid& grid, const GroundShapes& shapes) {
  auto world = std::make_shared<World>();
  loadGrid(*world, grid, shapes, addTypes(*world, shapes.shapes(), true));
  return world;
}

std::shared_ptr<World> makeExpandedWorld(const Grid& grid, const GroundShapes& shapes) {
  auto world = std::make_shared<World>(WorldOptions{.levels = 2});
  const std::vector<BlockTypeId> types = addTypes(*world, shapes.shapes(), true);
  loadGrid(*world, grid, shapes, types);
  std::vector<Chunk> expanded;  // copies share their ids
  for (const Shape& shape : shapes.shapes())
    expanded.push_back(expand(shape, types.front(), world->blockTypes()));
  grid.forEachChunk([&](const ChunkCoord& at) {
    for (int index = 0; index < kBlocksPerChunk; ++index) {
      const BlockCoord block = blockOf(at, index);
      const std::size_t number = shapes.numberAt(grid, block);
      if (number == 0) continue;
      checkOk(world->loadChunk(1, {block[0], block[1], block[2]}, expanded[number - 1]));
    }
  });
  return world;
}

}  // namespace fractalray::bench
