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
    ++count_;
    update();
  }
  void erase(const ChunkCoord& chunk) noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      const auto slice = slices(axis).find(keyOf(chunk, axis));
      FRACTALRAY_DCHECK(slice != slices(axis).end(), axis, chunk[axis]);
      if (--slice->second == 0) slices(axis).erase(slice);
    }
    --count_;
    update();
  }

  // Adds an offset to the indices of all chunks. Cost: O(1), but for one shift in millions.
  void shift(const Vec3i& offset) noexcept {
    origin_ += offset;
    for (int axis = 0; axis < 3; ++axis) {
      if (origin_[axis] > kMaxOrigin || origin_[axis] < -kMaxOrigin) resetOrigin(axis);
    }
    update();
  }

  std::size_t chunks() const { return count_; }
  bool empty() const { return count_ == 0; }
  // Returns true if there are chunks, and they fill the box.
  bool isFull() const { return is_full_; }
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
  // Far from overflow, whatever is added to it: offsets are below 2^61.
  static constexpr std::int64_t kMaxOrigin = std::int64_t{1} << 61;

  // Changes the keys of an axis to the indices themselves.
  void resetOrigin(int axis) noexcept {
    Slices reset;
    while (!slices(axis).empty()) {
      Slices::node_type node = slices(axis).extract(slices(axis).begin());
      node.key() += origin_[axis];
      reset.insert(std::move(node));
    }
    slices(axis).swap(reset);
    origin_[axis] = 0;
  }
  Slices& slices(int axis) { return slices_[static_cast<std::size_t>(axis)]; }

  std::int64_t keyOf(const ChunkCoord& chunk, int axis) const {
    return chunk[axis] - origin_[axis];
  }
  void update() noexcept {
    is_full_ = fillsBox();
    if (empty()) return;
    for (int axis = 0; axis < 3; ++axis) {
      min_[axis] = origin_[axis] + slices(axis).begin()->first;
      max_[axis] = origin_[axis] + slices(axis).rbegin()->first;
    }
  }

  // Returns true if there are as many chunks as fit between their ends.
  bool fillsBox() const {
    std::uint64_t volume = 1;
    for (const Slices& slices : slices_) {
      if (slices.empty()) return false;
      const std::int64_t width = slices.rbegin()->first - slices.begin()->first + 1;
      // Both factors are at most the number of chunks, so that the product fits.
      if (static_cast<std::uint64_t>(width) > count_) return false;
      volume *= static_cast<std::uint64_t>(width);
      if (volume > count_) return false;
    }
    return volume == count_;
  }

  std::array<Slices, 3> slices_;  // by index minus origin_
  Vec3i origin_{};
  std::size_t count_ = 0;
  // The ends of the slices, and whether the box between them is full, which queries read.
  ChunkCoord min_{};
  ChunkCoord max_{};
  bool is_full_ = false;
};

}  // namespace fractalray::internal
