// SPDX-License-Identifier: Apache-2.0
// The box of a changing set of chunks, exact after every removal too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/container/btree_map.h"
#include "fractalray/core/vec.h"

namespace fractalray {

// Counts the chunks of each index on each axis. Cost: O(log n) an insertion or removal. A value;
// const use is safe from any thread.
class ChunkBounds {
 public:
  // Requires: each chunk inserted once, and erased only after that.
  void insert(const ChunkCoord& chunk) {
    for (int axis = 0; axis < 3; ++axis)
      ++slices(axis)[chunk[axis]];
  }
  void erase(const ChunkCoord& chunk) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto slice = slices(axis).find(chunk[axis]);
      if (--slice->second == 0) slices(axis).erase(slice);
    }
  }

  bool empty() const { return slices_[0].empty(); }
  // The smallest and the largest index of a chunk on each axis. Requires: not empty.
  ChunkCoord min() const {
    return {slices_[0].begin()->first, slices_[1].begin()->first, slices_[2].begin()->first};
  }
  ChunkCoord max() const {
    return {slices_[0].rbegin()->first, slices_[1].rbegin()->first, slices_[2].rbegin()->first};
  }

 private:
  using Slices = absl::btree_map<std::int64_t, std::size_t>;

  Slices& slices(int axis) { return slices_[static_cast<std::size_t>(axis)]; }

  std::array<Slices, 3> slices_;
};

}  // namespace fractalray
