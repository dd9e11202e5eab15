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
      if (slices_[index].contains(keyOf(chunk, axis))) continue;
      Slices one{{keyOf(chunk, axis), 0}};
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
      const auto slice = slices(axis).find(keyOf(chunk, axis));
      FRACTALRAY_DCHECK(slice != slices(axis).end(), axis, chunk[axis]);
      ++slice->second;
    }
    update();
  }
  void erase(const ChunkCoord& chunk) noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      const auto slice = slices(axis).find(keyOf(chunk, axis));
      FRACTALRAY_DCHECK(slice != slices(axis).end(), axis, chunk[axis]);
      if (--slice->second == 0) slices(axis).erase(slice);
    }
    update();
  }

  // Adds an offset to the indices of all chunks. Cost: O(1).
  void shift(const Vec3i& offset) noexcept {
    origin_ += offset;
    update();
  }

  bool empty() const { return slices_[0].empty(); }
  // Returns the smallest and the largest index of a chunk on each axis. Requires: not empty.
  const ChunkCoord& min() const {
    FRACTALRAY_DCHECK(!empty());
    return min_;
  }
  const ChunkCoord& max() const {
    FRACTALRAY_DCHECK(!empty());
    return max_;
  }

 private:
  Slices& slices(int axis) { return slices_[static_cast<std::size_t>(axis)]; }

  std::int64_t keyOf(const ChunkCoord& chunk, int axis) const {
    return chunk[axis] - origin_[axis];
  }
  void update() noexcept {
    if (empty()) return;
    for (int axis = 0; axis < 3; ++axis) {
      min_[axis] = origin_[axis] + slices(axis).begin()->first;
      max_[axis] = origin_[axis] + slices(axis).rbegin()->first;
    }
  }

  std::array<Slices, 3> slices_;  // by index minus origin_
  Vec3i origin_{};
  // The ends of the slices, which queries read.
  ChunkCoord min_{};
  ChunkCoord max_{};
};

}  // namespace fractalray::internal
