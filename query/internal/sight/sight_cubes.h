// SPDX-License-Identifier: Apache-2.0
// The cubes of the tree of chunks that a query of sight may have to look into.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../../../core/fixed_box.h"
#include "../../../core/internal/tree64/cube.h"
#include "../../../core/tree64.h"
#include "../../../core/units.h"
#include "../../../core/vec.h"
#include "sight_scope.h"

namespace fractalray::internal {

// The cells, 2^shift units wide, of a level that have interior in common with the hull of a query,
// inclusive.
struct CellsInHull {
  Vec3i first;
  Vec3i last;

  CellsInHull(const FixedBox& hull, int shift) : first(hull.min), last(hull.max) {
    for (int axis = 0; axis < 3; ++axis) {
      first[axis] >>= shift;
      last[axis] = std::max(first[axis], (last[axis] - 1) >> shift);
    }
  }
};

inline ChunkCoord toChunk(const Vec3i& at) {
  return {at[0], at[1], at[2]};
}

// Returns the box, in units, of a cube of cells 2^shift units wide, up to the end of the frame.
inline FixedBox unitsOf(const Vec3i& at, int shift) {
  FixedBox box;
  for (int axis = 0; axis < 3; ++axis) {
    // The cube begins in the frame, but may end at 2^62.
    const std::int64_t min = at[axis] * (std::int64_t{1} << shift);
    box.max[axis] = std::min(min + (std::int64_t{1} << shift), kMaxCoordinate);
    box.min[axis] = std::max(min, -kMaxCoordinate);
  }
  return box;
}
inline FixedBox unitsOf(const Cube& cube, int chunk_shift) {
  return unitsOf(cube.at, chunk_shift + 2 * cube.scale);
}

}  // namespace fractalray::internal
