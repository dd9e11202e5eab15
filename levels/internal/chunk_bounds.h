// SPDX-License-Identifier: Apache-2.0
// The box of a changing set of chunks, exact after every removal too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "../../core/check.h"
#include "../../core/vec.h"

namespace fractalray::internal {

// Counts the chunks of each index on each axis. Cost: O(log n) an insertion or removal. A value;
// const use is safe from any thread.
class ChunkBounds {
  using Slices = std::map<std::int64_t, std::size_t>;

 public:
  // The memory for the insertion of one chunk.
  using Reservation = std::array<Slices::node_type, 3>;
  // Allocates the memory to insert a chunk. Throws std::bad_alloc if there is none.
  Reservation reserve(const ChunkCoord& chunk) const {
    Reservation reservation;
    for (int axis = 0; axis < 3; ++axis) {
      const auto index = static_cast<std::size_t>(axis);
      if (slices_[index].contains(chunk[axis])) continue;
      Slices one{{chunk[axis], 0}};
      reservation[index] = one.extract(one.begin());
    }
    return reservation;
  }

  // Adds or removes a chunk. Requires: each chunk is inserted once, with the result of reserve()
  // for it, and erased only after that.
  void insert(const ChunkCoord& chunk, Reservation reservation) noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      Slices::node_type& node = reservation[static_cast<std::size_t>(axis)];
      if (!node.empty()) slices(axis).insert(std::move(node));
      const auto slice = slices(axis).find(chunk[axis]);
      FRACTALRAY_DCHECK(slice != slices(axis).end(), axis, chunk[axis]);
      ++slice->second;
    }
  }
  void erase(const ChunkCoord& chunk) noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      const auto slice = slices(axis).find(chunk[axis]);
      FRACTALRAY_DCHECK(slice != slices(axis).end(), axis, chunk[axis]);
      if (--slice->second == 0) slices(axis).erase(slice);
    }
  }

  bool empty() const { return slices_[0].empty(); }
  // Returns the smallest and the largest index of a chunk on each axis. Requires: not empty.
  ChunkCoord min() const {
    FRACTALRAY_DCHECK(!empty());
    return {slices_[0].begin()->first, slices_[1].begin()->first, slices_[2].begin()->first};
  }
  ChunkCoord max() const {
    FRACTALRAY_DCHECK(!empty());
    return {slices_[0].rbegin()->first, slices_[1].rbegin()->first, slices_[2].rbegin()->first};
  }

 private:
  Slices& slices(int axis) { return slices_[static_cast<std::size_t>(axis)]; }

  std::array<Slices, 3> slices_;
};

}  // namespace fractalray::internal
