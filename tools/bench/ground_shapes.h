// SPDX-License-Identifier: Apache-2.0
// The shapes of a scene's ground: its solid blocks under air, on the floors of caves too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../levels/block_shape.h"
#include "grid.h"
#include "random.h"

namespace fractalray::bench {

// Gives blocks of the ground a shape, at random: always the same for the same block.
class GroundShapes {
 public:
  // The union of boxes with coordinates in whole sixteenths of a block, so that it may be expanded
  // into a chunk of the next finer level.
  using Shape = std::vector<ShapeBox>;

  // `share` of the ground's blocks do not fill their cube, and have each of the shapes as often.
  GroundShapes(std::vector<Shape> shapes, double share)
      : shapes_(std::move(shapes)), share_(share) {}

  // Returns the number of a block's shape, from 1 to shapes().size(); 0 for a whole cube, and for
  // no block.
  std::size_t numberAt(const Grid& grid, const BlockCoord& at) const {
    const bool is_ground = grid.kind(at) == BlockKind::kSolid &&
                           grid.kind({at[0], at[1] + 1, at[2]}) == BlockKind::kEmpty;
    if (!is_ground) return 0;
    const std::uint64_t hash = hashCell(kSeed, at[0], at[1], at[2]);
    return toUnitInterval(hash) < share_ ? 1 + mix(hash) % shapes_.size() : 0;
  }
  const std::vector<Shape>& shapes() const { return shapes_; }

 private:
  static constexpr std::uint64_t kSeed = 15;

  std::vector<Shape> shapes_;
  double share_;
};

}  // namespace fractalray::bench
