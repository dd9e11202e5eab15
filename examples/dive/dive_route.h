// SPDX-License-Identifier: Apache-2.0
// The route of a dive: a line of blocks down through a generated world, each in the chunk of the
// one before, and the camera that falls along it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../tools/generator/fractal_way.h"
#include "../../tools/program/camera.h"
#include "../../tools/program/light.h"
#include "fractalray/core/frame.h"

namespace fractalray {

// Falls through one level in a stage: to 1/16 of the distance to the end of the route. The chunk of
// stage k has k steps in its path, and the camera comes near its target block: the highest one, on
// the side of the camera, so that nothing hides it. Deterministic, by sums, products, quotients and
// square roots only, so it is the same on every machine. A value; const use is safe from any
// thread.
class DiveRoute {
 public:
  // The ticks of a stage: a power of 2, so that the factor from tick to tick is a root that is
  // found by square roots.
  static constexpr int kTicks = 32;
  // The distance of the camera at the beginning of a stage, in blocks of its chunk.
  static constexpr double kDistance = 48;

  // Plans `stages` stages, from the root of the world with that seed. Requires: stages >= 1.
  DiveRoute(std::uint64_t seed, const FractalTypes& types, int stages);

  int stages() const { return stages_; }
  // Returns the chunk of a stage by what is in it, "land of snow"; its target, as a step in it.
  // Requires, for all functions: 0 <= stage < stages().
  std::string nameOf(int stage) const;
  const FractalChunk::Step& target(int stage) const { return at(stage).target; }
  // Returns the number of steps of the window's anchor in a stage: the frame's finest level is that
  // of the stage's chunk, except at the beginning, where the window cannot be higher.
  static int anchorSteps(const Frame& frame, int stage);
  // Returns the target of a stage as a block of a frame with the stage's anchor, of the level of
  // the stage's chunk.
  BlockCoord block(const Frame& frame, int stage) const;

  // Returns the width of a block of the stage's chunk, in blocks of the finest level.
  static double blockWidth(const Frame& frame, int stage);

  // Returns the camera in a frame whose anchor is the beginning of the route, in the given tick of
  // a stage, from 0 to kTicks: that of tick kTicks is that of tick 0 of the next stage.
  Camera camera(const Frame& frame, int stage, int tick) const;
  // Returns the sky around it then.
  Sky sky(int stage, int tick) const;

 private:
  const FractalStop& at(int stage) const { return stops_[static_cast<std::size_t>(stage)]; }

  int stages_;
  std::vector<FractalStop> stops_;  // some more than stages_, for the position of the target
};

}  // namespace fractalray
