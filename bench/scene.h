// SPDX-License-Identifier: Apache-2.0
// What is shot at.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "../levels/world.h"
#include "grid.h"

namespace fractalray::bench {

struct Scene {
  std::string name;
  // The finest level.
  Grid grid;
  // A world of its own, where that is more than the grid: one that was opened, or of several
  // levels; otherwise it is made from the grid.
  std::shared_ptr<const World> world = nullptr;
  double world_build_ms = 0;
};

// The extents of the first scenes, in blocks.
inline constexpr BlockCoord kUsualSize{512, 256, 512};

// A heightmap and the caves under it, of value noise: about half of what is under the surface is
// solid, and about 7,000 of the usual size's 16,384 chunks are empty.
Scene makeTerrain(const BlockCoord& size = kUsualSize);
// The terrain with permeable plants on half of its upper faces, those in the caves too, so that a
// segment meets one or two on its way into the ground.
Scene makePlants();
// Each block solid with the probability `density`, independently of the others.
Scene makeSparse(double density, const BlockCoord& size = kUsualSize);
// Loaded, and nothing in it.
Scene makeEmpty();
// The world that comes with the project, opened by fractalray::formats; what a block is in the
// default channel. Ends the program, with a message, where it cannot be read.
Scene openLuantiScene();
// Five levels of one fractal; see fractal_scene.cc.
Scene makeFractal();

// The same scene, moved by a multiple of 16 blocks along each axis. Requires: it has no world of
// its own.
Scene movedScene(const Scene& scene, std::int64_t blocks);

}  // namespace fractalray::bench
