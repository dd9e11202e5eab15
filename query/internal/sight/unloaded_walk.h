// SPDX-License-Identifier: Apache-2.0
// The search for the space where no level of a mask has a loaded chunk: as the largest cubes of the
// tree that are unloaded as a whole.
#pragma once

#include <array>

#include "../../../core/frame.h"
#include "../../../core/internal/access.h"
#include "../../../levels/internal/world_content.h"
#include "sight_cubes.h"
#include "sight_scope.h"
#include "sight_steps.h"

namespace fractalray::internal {

// Visits unloaded cubes in the hull of a query. touches() and visit() are those of BlockWalk. A
// chunk is a cube of 16 x 16 x 16 chunks of the next finer level, so the walk continues there.
template <class Touches, class Visit>
class UnloadedWalk {
 public:
  UnloadedWalk(const SightScope& scope, Occluder& occluder, SightSteps& steps,
               const Touches& touches, const Visit& visit)
      : scope_(scope), occluder_(occluder), steps_(steps), touches_(touches), visit_(visit) {}

  // Returns false if the walk was ended, by visit() or because steps have run out.
  bool run() {
    const int coarsest = nextLevel(-1);
    const CellsInHull chunks = chunksInHull(coarsest);
    forEachCubeAround(toChunk(chunks.first), toChunk(chunks.last),
                      [&](const Cube& cube) { visitCube(coarsest, cube); });
    return !is_done_;
  }

 private:
  static constexpr int kRegionScale = 1;
  static constexpr int kAreaScale = 2;

  // Returns the next finer level of the mask; the number of levels if there is none.
  int nextLevel(int level) const {
    int next = level + 1;
    while (next < scope_.world.frame().levels() && !scope_.levels.contains(next))
      ++next;
    return next;
  }
  const Level& chunksOf(int level) const { return Access::content(scope_.world).level(level); }
  CellsInHull chunksInHull(int level) const {
    return {scope_.hull, scope_.world.frame().chunkShift(level)};
  }
  static ChunkCoord firstChunk(const Cube& cube) {
    return toChunk(shiftedUp(cube.at, 2 * cube.scale));
  }

  // Returns false if no chunk of the level in the cube is loaded. May return true for large cubes
  // in which there are none but placeholders.
  static bool mayHoldLoaded(const Level& level, const Cube& cube) {
    if (level.loadedChunks() == 0) return false;
    if (cube.scale > kAreaScale)
      return level.areas().present().children(cube.scale - kAreaScale - 1, cube.at) != 0;
    const ChunkCoord chunk = firstChunk(cube);
    const Area* const area = level.area(chunk);
    if (area == nullptr) return false;
    if (cube.scale == kAreaScale) return area->loaded() != 0;
    if (cube.scale == kRegionScale) return hasBit(area->loaded(), slotInArea(chunk));
    return level.find(chunk) != nullptr;
  }
  // Returns true if all chunks of the level in the cube are loaded; may return false for cubes
  // larger than an area.
  static bool isComplete(const Level& level, const Cube& cube) {
    if (cube.scale > kAreaScale) return false;
    const ChunkCoord chunk = firstChunk(cube);
    const Area* const area = level.area(chunk);
    if (area == nullptr) return false;
    if (cube.scale == kAreaScale) return area->complete() == ~std::uint64_t{0};
    if (cube.scale == kRegionScale) return hasBit(area->complete(), slotInArea(chunk));
    return level.find(chunk) != nullptr;
  }

  // Returns true if no level of the mask from `level` on may have a loaded chunk in the cube.
  bool isUnloaded(int level, const Cube& cube) const {
    for (int finer = level; finer < scope_.world.frame().levels(); finer = nextLevel(finer)) {
      const Cube same{cube.scale + 2 * (finer - level), cube.at};
      if (mayHoldLoaded(chunksOf(finer), same)) return false;
    }
    return true;
  }

  void visitCube(int level, const Cube& cube) {
    if (is_done_) return;
    if (!steps_.spendCut()) {
      is_done_ = true;
      return;
    }
    const FixedBox box = unitsOf(cube, scope_.world.frame().chunkShift(level));
    if (!touches_(box) || isComplete(chunksOf(level), cube)) return;
    if (isUnloaded(level, cube)) return visitUnloaded(box);
    if (cube.scale == 0) {
      const int finer = nextLevel(level);
      return visitCube(finer, {2 * (finer - level), cube.at});
    }
    const CellsInHull chunks = chunksInHull(level);
    const std::uint64_t in_hull = slotsBetween(cube, toChunk(chunks.first), toChunk(chunks.last));
    for (const int slot : Slots(in_hull))
      visitCube(level, cube.part(slot));
  }

  void visitUnloaded(const FixedBox& box) {
    occluder_.begin();
    occluder_.is_unloaded = true;
    occluder_.boxes.push_back(box);
    if (!visit_(occluder_)) is_done_ = true;
  }

  const SightScope& scope_;
  Occluder& occluder_;
  SightSteps& steps_;
  const Touches& touches_;
  const Visit& visit_;
  bool is_done_ = false;
};

}  // namespace fractalray::internal
