// SPDX-License-Identifier: Apache-2.0
// The slow and exact search for occluding blocks: down the tree of each level, into the cubes that
// a test accepts. It needs no line in units, so it finds what blocks any direction, or any of a set
// of directions.
#pragma once

#include <bit>
#include <cstdint>

#include "../../../core/internal/access.h"
#include "../../../levels/internal/world_content.h"
#include "sight_cubes.h"
#include "sight_scope.h"
#include "sight_steps.h"

namespace fractalray::internal {

// Visits the occluding blocks of a level that may matter, in the order of the tree.
//   touches(box)     returns true if an occluder within the box may matter
//   visit(occluder)  takes a block that does not leave itself out; returns false to end the walk
// Counts a step for each cube and block that is tested.
template <class Touches, class Visit>
class BlockWalk {
 public:
  BlockWalk(const SightScope& scope, int level, Occluder& occluder, SightSteps& steps,
            const Touches& touches, const Visit& visit)
      : scope_(scope),
        level_(level),
        chunks_(Access::content(scope.world).level(level)),
        shift_(scope.world.frame().blockShift(level)),
        blocks_(scope.hull, shift_),
        in_hull_(scope.hull, shift_ + kChunkLog2),
        occluder_(occluder),
        steps_(steps),
        touches_(touches),
        visit_(visit) {}

  // Returns false if the walk was ended, by visit() or because steps have run out.
  bool run() {
    if (chunks_.loadedChunks() == 0) return true;
    forEachCubeAround(toChunk(in_hull_.first), toChunk(in_hull_.last),
                      [&](const Cube& cube) { visitCube(cube); });
    return !is_done_;
  }

 private:
  static constexpr int kAreaScale = 2;

  bool mayMatter(const FixedBox& box) {
    if (is_done_) return false;
    if (!steps_.spendCut()) is_done_ = true;
    return !is_done_ && touches_(box);
  }

  std::uint64_t partsOf(const Cube& cube) const {
    if (cube.scale > kAreaScale)
      return chunks_.areas().present().children(cube.scale - kAreaScale - 1, cube.at);
    const Area* const area = chunks_.area(toChunk(shiftedUp(cube.at, 2 * cube.scale)));
    return area == nullptr ? 0 : area->occupied();
  }

  void visitCube(const Cube& cube) {
    if (!mayMatter(unitsOf(cube, shift_ + kChunkLog2))) return;
    if (cube.scale == 1) return visitRegion(cube);
    const std::uint64_t in_hull =
        slotsBetween(cube, toChunk(in_hull_.first), toChunk(in_hull_.last));
    for (const int slot : Slots(partsOf(cube) & in_hull))
      visitCube(cube.part(slot));
  }

  void visitRegion(const Cube& cube) {
    const Region* const region = chunks_.region(toChunk(shiftedUp(cube.at, 2)));
    if (region == nullptr) return;
    const std::uint64_t in_hull =
        slotsBetween(cube, toChunk(in_hull_.first), toChunk(in_hull_.last));
    for (const int slot : Slots(region->occupied() & in_hull)) {
      const Cube chunk = cube.part(slot);
      if (mayMatter(unitsOf(chunk, shift_ + kChunkLog2)))
        visitChunk(chunk.at, *region->chunk(slot));
    }
  }

  void visitChunk(const Vec3i& at, const Chunk& chunk) {
    const std::uint64_t in_hull = slotsBetween(at * 4, shiftedDown(blocks_.first, kBrickLog2),
                                               shiftedDown(blocks_.last, kBrickLog2));
    for (const int slot : Slots(chunk.occupied().bricks() & in_hull)) {
      const Vec3i brick = at * 4 + offsetOf(slot);
      if (mayMatter(unitsOf(brick, shift_ + kBrickLog2))) visitBrick(brick, chunk, slot);
    }
  }

  void visitBrick(const Vec3i& brick, const Chunk& chunk, int slot) {
    const std::uint64_t in_hull = slotsBetween(brick * 4, blocks_.first, blocks_.last);
    for (const int bit : Slots(chunk.occupied().presentWord(slot) & in_hull)) {
      const Vec3i at = brick * 4 + offsetOf(bit);
      if (mayMatter(unitsOf(at, shift_)))
        visitBlock({at[0], at[1], at[2]}, chunk, BlockSet::indexOf(slot, bit));
    }
  }

  void visitBlock(const BlockCoord& block, const Chunk& chunk, int index) {
    if (!scope_.isOccluder(level_, chunk, index, block)) return;
    if (!scope_.setBlock({level_, block}, chunk.block(index), occluder_)) return;
    if (!visit_(occluder_)) is_done_ = true;
  }

  const SightScope& scope_;
  int level_;
  const Level& chunks_;
  int shift_;
  CellsInHull blocks_;
  CellsInHull in_hull_;  // of chunks
  Occluder& occluder_;
  SightSteps& steps_;
  const Touches& touches_;
  const Visit& visit_;
  bool is_done_ = false;
};

// Walks all levels of the mask. Returns false if the walk was ended.
template <class Touches, class Visit>
bool walkBlocks(const SightScope& scope, Occluder& occluder, SightSteps& steps,
                const Touches& touches, const Visit& visit) {
  if (!scope.options.filter.blocks) return true;
  for (int level = scope.world.frame().levels() - 1; level >= 0; --level) {
    if (!scope.levels.contains(level)) continue;
    if (!BlockWalk(scope, level, occluder, steps, touches, visit).run()) return false;
  }
  return true;
}

}  // namespace fractalray::internal
