// SPDX-License-Identifier: Apache-2.0
// The terrain with ground of blocks that do not fill their cube.
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scene.h"
#include "shape_world.h"

namespace fractalray::bench {
namespace {

using Shape = GroundShapes::Shape;
using Corner = std::array<std::uint32_t, 3>;

// Returns a box between two corners in sixteenths of a block.
ShapeBox box(const Corner& min, const Corner& max) {
  constexpr std::uint32_t kSixteenth = kShapeUnits / 16;
  ShapeBox result;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result.min[axis] = kSixteenth * min[axis];
    result.max[axis] = kSixteenth * max[axis];
  }
  return result;
}

// A slab, and stairs that face in four directions.
std::vector<Shape> slabsAndStairs() {
  const ShapeBox slab = box({0, 0, 0}, {16, 8, 16});
  const ShapeBox step = box({0, 8, 8}, {16, 16, 16});
  std::vector<Shape> shapes{{slab}};
  for (int quarters = 0; quarters < 4; ++quarters)
    shapes.push_back({slab, turned(step, CubeTurn::about(1, quarters))});
  return shapes;
}

// Those, and a fence, a pane, a carpet and a chest.
std::vector<Shape> buildersBlocks() {
  std::vector<Shape> shapes = slabsAndStairs();
  shapes.push_back(
      {box({6, 0, 6}, {10, 16, 10}), box({7, 6, 0}, {9, 9, 6}), box({7, 12, 0}, {9, 15, 6})});
  shapes.push_back({box({7, 0, 0}, {9, 16, 16})});
  shapes.push_back({box({0, 0, 0}, {16, 1, 16})});
  shapes.push_back({box({1, 0, 1}, {15, 14, 15})});
  return shapes;
}

Scene shapedTerrain(std::string name, GroundShapes shapes) {
  Scene scene = makeTerrain();
  scene.name = std::move(name);
  const auto begin = std::chrono::steady_clock::now();
  scene.world = makeShapedWorld(scene.grid, shapes);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  scene.world_build_ms = took.count();
  scene.shapes = std::move(shapes);
  return scene;
}

}  // namespace

Scene makeSlabs() {
  return shapedTerrain("slabs", {slabsAndStairs(), 1});
}

Scene makeVillage() {
  return shapedTerrain("village", {buildersBlocks(), 0.05});
}

}  // namespace fractalray::bench
