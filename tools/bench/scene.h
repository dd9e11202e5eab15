// SPDX-License-Identifier: Apache-2.0
// The scenes that are shot at.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../../entities/entity.h"
#include "../../levels/world.h"
#include "grid.h"
#include "ground_shapes.h"

namespace fractalray::bench {

struct Scene {
  std::string name;
  // The finest level.
  Grid grid;
  // A world of its own, if that is more than the grid: one that was opened, or that has several
  // levels; otherwise it is made from the grid.
  std::shared_ptr<const World> world = nullptr;
  double world_build_ms = 0;
  // In the world. Fractalray alone adds them to its scene.
  std::vector<EntitySpec> entities{};
  // The shapes of the world's blocks, if not all fill their cubes; the grid has these blocks too.
  std::optional<GroundShapes> shapes = std::nullopt;
};

// The extents of the first scenes, in blocks.
inline constexpr BlockCoord kUsualSize{512, 256, 512};

// Makes a heightmap and the caves under it, of value noise: about half of the volume under the
// surface is solid, and about 7,000 of the usual size's 16,384 chunks are empty.
Scene makeTerrain(const BlockCoord& size = kUsualSize);
// Makes the terrain with permeable plants on half of its upper faces, those in the caves too, so
// that a segment hits one or two before it enters the ground.
Scene makePlants();
// Make the terrain with ground of slabs and stairs alone; or with one in 20 blocks of the ground a
// slab, a fence, a pane and so on, as in a village.
Scene makeSlabs();
Scene makeVillage();
// Makes each block solid with the probability `density`, independently of the others.
Scene makeSparse(double density, const BlockCoord& size = kUsualSize);
// Makes an empty world that is loaded.
Scene makeEmpty();
// Opens the world that comes with the project by fractalray::formats; the grid has each block's
// kind in the default channel. Ends the program, with a message, if it cannot be read.
Scene openLuantiScene();
// Makes five levels of one fractal; see fractal_scene.cc.
Scene makeFractal();

// Returns the same scene, moved by a multiple of 16 blocks along each axis. Requires: it has no
// world of its own.
Scene movedScene(const Scene& scene, std::int64_t blocks);

}  // namespace fractalray::bench
