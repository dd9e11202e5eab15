// SPDX-License-Identifier: Apache-2.0
// The context of a query of sight: the world that it runs on, and what occludes there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../../../core/fixed_box.h"
#include "../../../core/frame.h"
#include "../../../core/level_mask.h"
#include "../../../levels/world.h"
#include "../../sight.h"
#include "../service_state.h"

namespace fractalray::internal {

// A block of a level.
struct BlockAt {
  int level = 0;
  BlockCoord block{};
};

// A block, a box or unloaded space that blocks directions: the union of its boxes.
struct Occluder {
  std::vector<FixedBox> boxes;
  // The block that it is; and the same, if it fills its cube, so that it may be grown.
  std::optional<BlockAt> block;
  std::optional<BlockAt> cube;
  // True for unloaded space, which no direction passes.
  bool is_unloaded = false;

  void begin() {
    boxes.clear();
    block.reset();
    cube.reset();
    is_unloaded = false;
  }
};

class SightScope {
 public:
  // Requires: the query has been checked. All arguments outlive it.
  SightScope(const ServiceState& service, const SightQuery& sight_query, LevelMask mask,
             const SightOptions& sight_options);

  const ServiceState& state;
  const World& world;
  const Frame frame;
  const SightQuery& query;
  const SightOptions& options;
  const LevelMask levels;  // active ones
  const FixedBox hull;     // around the eye and the box

  // Returns true if the eye is in the interior of an occluder, which then does not count.
  bool isLeftOut(std::span<const FixedBox> boxes) const;
  // Returns true if a block of a loaded chunk occludes, but for isLeftOut().
  bool isOccluder(int level, const Chunk& chunk, int index, const BlockCoord& block) const;
  // Sets an occluder to a block that isOccluder(); returns false if it isLeftOut().
  bool setBlock(const BlockAt& at, BlockTypeId type, Occluder& occluder) const;
  // Returns true if each block of a box of them, inclusive, occludes, fills its cube, and leaves
  // not itself out, so that they may be united. Cost: a look-up for each block.
  bool areSolidCubes(int level, const BlockCoord& first, const BlockCoord& last) const;
  // Returns the cube of a block.
  FixedBox cubeOf(const BlockAt& at) const {
    const std::int64_t width = frame.blockWidth(at.level);
    const Vec3i min = Vec3i{at.block[0], at.block[1], at.block[2]} * width;
    return {.min = min, .max = min + Vec3i{width, width, width}};
  }
  // Returns true if some level of the mask has no unloaded chunk in the hull.
  bool isHullLoaded() const;

 private:
  bool isSolidCube(int level, const Chunk& chunk, const BlockCoord& block) const;
};

}  // namespace fractalray::internal
