// SPDX-License-Identifier: Apache-2.0
// The chunks of an index level as one tree of cubes, each with a 64-bit word of the parts that hold
// anything: range searches go down it, and up.
#pragma once

#include <cstdint>

#include "../../core/check.h"
#include "../../core/internal/tree64/cube.h"
#include "../../core/tree64.h"
#include "../../core/vec.h"
#include "entity_grid.h"

namespace fractalray::internal {

// The cubes of one index level.
class EntityTree {
 public:
  EntityTree(const EntityGrid& grid, int chunk_shift) : grid_(&grid), chunk_shift_(chunk_shift) {}

  const EntityGrid& grid() const { return *grid_; }
  int chunkShift() const { return chunk_shift_; }
  // Returns the scale at which the cubes from -1 to 0 on each axis hold everything.
  int topScale() const { return (kTopLog2 - chunk_shift_) / 2; }

  // Returns the corners of the closed cube, in units: within 2^62.
  Vec3i min(const Cube& cube) const { return corner(cube, 0); }
  Vec3i max(const Cube& cube) const { return corner(cube, 1); }

  // Returns the parts of a cube that hold an entity, as bits by slots. Requires: the cube is no
  // chunk, nor larger than the top scale. Cost: a look-up.
  std::uint64_t parts(const Cube& cube) const {
    FRACTALRAY_DCHECK(cube.scale > 0 && cube.scale <= topScale(), cube.scale, topScale());
    if (cube.scale > kAreaScale) {
      return grid_->areas().present().children(cube.scale - kAreaScale - 1, cube.at);
    }
    if (cube.scale == kAreaScale) {
      const EntityGrid::Area* const area = grid_->area(firstChunk(cube));
      return area == nullptr ? 0 : area->occupied();
    }
    const EntityGrid::Region* const found = region(cube);
    return found == nullptr ? 0 : found->occupied();
  }
  // Returns the region of a cube, null if it holds nothing. Requires: the cube is a region.
  const EntityGrid::Region* region(const Cube& cube) const {
    FRACTALRAY_DCHECK(cube.scale == 1, cube.scale);
    const ChunkCoord chunk = firstChunk(cube);
    const EntityGrid::Area* const area = grid_->area(chunk);
    return area == nullptr ? nullptr : area->region(slotInArea(chunk));
  }

 private:
  // The frame ends at 2^61; entities at its end are in chunks beyond it too. Even, as every shift
  // is.
  static constexpr int kTopLog2 = 62;
  static constexpr int kAreaScale = 2;

  static ChunkCoord firstChunk(const Cube& cube) {
    const int log2 = 2 * cube.scale;
    return {cube.at[0] << log2, cube.at[1] << log2, cube.at[2] << log2};
  }
  int widthLog2(int scale) const { return chunk_shift_ + 2 * scale; }
  Vec3i corner(const Cube& cube, int side) const {
    const int log2 = widthLog2(cube.scale);
    return {(cube.at[0] + side) * (std::int64_t{1} << log2),
            (cube.at[1] + side) * (std::int64_t{1} << log2),
            (cube.at[2] + side) * (std::int64_t{1} << log2)};
  }

  const EntityGrid* grid_;
  int chunk_shift_;
};

}  // namespace fractalray::internal
