// SPDX-License-Identifier: Apache-2.0
// The loop that users write by hand: the grid traversal of Amanatides and Woo ("A Fast Voxel
// Traversal Algorithm for Ray Tracing", Eurographics 1987) in floating point, over chunks in a hash
// map with the present one's pointer kept (chunk_map.h).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "chunk_map.h"
#include "rays.h"

namespace fractalray::bench {

// Real: float or double.
template <class Real>
class TextbookWalk {
 public:
  TextbookWalk(const Grid& grid, ChunkMap chunks) : chunks_(std::move(chunks)) {
    for (int axis = 0; axis < 3; ++axis) {
      before_[axis] = static_cast<int>(grid.origin()[axis]) - 1;
      after_[axis] = static_cast<int>(grid.origin()[axis] + grid.size()[axis]);
    }
  }

  // Calls `visit(id, x, y, z)` for the blocks on the line that are not empty, until it returns
  // true.
  template <class Visitor>
  void operator()(const Segment& segment, Visitor&& visit) const {
    Vec<int, 3> cell;
    Vec<int, 3> step;
    Vec<int, 3> outside;  // the first cell past the world, by axis
    Vec<Real, 3> next;    // t at which the next block is entered, by axis
    Vec<Real, 3> delta;   // t from one block to the next
    for (int axis = 0; axis < 3; ++axis) {
      const Real from = static_cast<Real>(segment.from[axis]);
      const Real direction = static_cast<Real>(segment.to[axis]) - from;
      const Real floor = std::floor(from);
      cell[axis] = static_cast<int>(floor);
      step[axis] = direction > 0 ? 1 : -1;
      outside[axis] = direction > 0 ? after_[axis] : before_[axis];
      delta[axis] =
          direction == 0 ? std::numeric_limits<Real>::infinity() : std::abs(1 / direction);
      next[axis] = direction > 0   ? (floor + 1 - from) / direction
                   : direction < 0 ? (floor - from) / direction
                                   : std::numeric_limits<Real>::infinity();
    }
    Vec<int, 3> chunk{cell[0] >> 4, cell[1] >> 4, cell[2] >> 4};
    const std::uint16_t* ids = chunks_.find(chunk[0], chunk[1], chunk[2]);
    while (true) {
      if (ids != nullptr) {
        const int index = (cell[0] & 15) | (cell[1] & 15) << 4 | (cell[2] & 15) << 8;
        const std::uint16_t id = ids[index];
        if (id != 0 && visit(id, cell[0], cell[1], cell[2])) return;
      }
      const int axis =
          next[0] < next[1] ? (next[0] < next[2] ? 0 : 2) : (next[1] < next[2] ? 1 : 2);
      if (next[axis] > 1) return;
      cell[axis] += step[axis];
      if (cell[axis] == outside[axis]) return;
      next[axis] += delta[axis];
      if (cell[axis] >> 4 != chunk[axis]) {
        chunk[axis] = cell[axis] >> 4;
        ids = chunks_.find(chunk[0], chunk[1], chunk[2]);
      }
    }
  }

 private:
  ChunkMap chunks_;
  Vec<int, 3> before_{};
  Vec<int, 3> after_{};
};

}  // namespace fractalray::bench
