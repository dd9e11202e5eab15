// SPDX-License-Identifier: Apache-2.0
// The box of a changing set of cells, exact after every removal too, whatever their shape.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "../../check.h"
#include "../../vec.h"

namespace fractalray::internal {

// Counts the cells of each index on each axis: the box ends at the first and the last of them. So a
// flat world, all of whose cells are at a side of their box, costs no more than any other: O(log n)
// an insertion or removal. Allocates only if there are more slices on the three axes together than
// ever before. A value; const use is safe from any thread.
template <class Coord>
class CellBounds {
  using Slices = std::map<std::int64_t, std::size_t>;
  using Slice = Slices::node_type;

 public:
  // The memory for the insertion of one cell.
  using Reservation = std::array<Slice, 3>;
  // Takes the memory to insert a cell. Throws std::bad_alloc if there is none.
  Reservation reserve(const Coord& cell) {
    Reservation reservation;
    for (int axis = 0; axis < 3; ++axis) {
      if (slices(axis).contains(keyOf(cell, axis))) continue;
      Slice& slice = reservation[static_cast<std::size_t>(axis)];
      slice = spare_.take();
      slice.key() = keyOf(cell, axis);
      slice.mapped() = 0;
    }
    return reservation;
  }

  // Adds or removes a cell. Requires: each cell is inserted once, with the result of reserve()
  // for it, and erased only after that.
  void insert(const Coord& cell, Reservation reservation) noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      Slice& fresh = reservation[static_cast<std::size_t>(axis)];
      if (!fresh.empty()) slices(axis).insert(std::move(fresh));
      const auto slice = slices(axis).find(keyOf(cell, axis));
      FRACTALRAY_DCHECK(slice != slices(axis).end(), axis, cell[axis]);
      ++slice->second;
    }
    ++count_;
    update();
  }
  void erase(const Coord& cell) noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      const auto slice = slices(axis).find(keyOf(cell, axis));
      FRACTALRAY_DCHECK(slice != slices(axis).end(), axis, cell[axis]);
      if (--slice->second == 0) spare_.keep(slices(axis).extract(slice));
    }
    --count_;
    update();
  }

  // Adds an offset to the indices of all cells. Cost: O(1), but for one shift in millions.
  void shift(const Vec3i& offset) noexcept {
    origin_ += offset;
    for (int axis = 0; axis < 3; ++axis) {
      if (origin_[axis] > kMaxOrigin || origin_[axis] < -kMaxOrigin) resetOrigin(axis);
    }
    update();
  }

  std::size_t cells() const { return count_; }
  bool empty() const { return count_ == 0; }
  // Returns true if there are cells, and they fill the box.
  bool isFull() const { return is_full_; }
  // Returns the smallest and the largest index of a cell on each axis. Requires: not empty.
  const Coord& min() const {
    FRACTALRAY_DCHECK(!empty());
    return min_;
  }
  const Coord& max() const {
    FRACTALRAY_DCHECK(!empty());
    return max_;
  }

 private:
  // Slices that are not in use. A copy begins with none.
  class SpareSlices {
   public:
    SpareSlices() = default;
    ~SpareSlices() = default;
    SpareSlices(const SpareSlices& /*other*/) {}
    SpareSlices& operator=(const SpareSlices& /*other*/) { return *this; }
    SpareSlices(SpareSlices&&) noexcept = default;
    SpareSlices& operator=(SpareSlices&&) noexcept = default;

    // Returns a spare slice, or a new one if there is none.
    Slice take() {
      if (slices_.empty()) slices_.emplace(0, 0);
      return slices_.extract(std::prev(slices_.end()));
    }
    void keep(Slice slice) noexcept {
      slice.key() = static_cast<std::int64_t>(slices_.size());
      slices_.insert(slices_.end(), std::move(slice));
    }

   private:
    Slices slices_;  // by their numbers from 0: a map, since keeping one must not allocate
  };

  // Far from overflow, whatever is added to it: offsets are below 2^61.
  static constexpr std::int64_t kMaxOrigin = std::int64_t{1} << 61;

  // Changes the keys of an axis to the indices themselves.
  void resetOrigin(int axis) noexcept {
    Slices reset;
    while (!slices(axis).empty()) {
      Slice slice = slices(axis).extract(slices(axis).begin());
      slice.key() += origin_[axis];
      reset.insert(std::move(slice));
    }
    slices(axis).swap(reset);
    origin_[axis] = 0;
  }
  Slices& slices(int axis) { return slices_[static_cast<std::size_t>(axis)]; }

  std::int64_t keyOf(const Coord& cell, int axis) const { return cell[axis] - origin_[axis]; }
  void update() noexcept {
    is_full_ = fillsBox();
    if (empty()) return;
    for (int axis = 0; axis < 3; ++axis) {
      min_[axis] = origin_[axis] + slices(axis).begin()->first;
      max_[axis] = origin_[axis] + slices(axis).rbegin()->first;
    }
  }

  // Returns true if there are as many cells as fit between their ends.
  bool fillsBox() const {
    std::uint64_t volume = 1;
    for (const Slices& slices : slices_) {
      if (slices.empty()) return false;
      const std::int64_t width = slices.rbegin()->first - slices.begin()->first + 1;
      // Both factors are at most the number of cells, so that the product fits.
      if (static_cast<std::uint64_t>(width) > count_) return false;
      volume *= static_cast<std::uint64_t>(width);
      if (volume > count_) return false;
    }
    return volume == count_;
  }

  std::array<Slices, 3> slices_;  // by index minus origin_
  SpareSlices spare_;
  Vec3i origin_{};
  std::size_t count_ = 0;
  // The ends of the slices, and whether the box between them is full, which queries read.
  Coord min_{};
  Coord max_{};
  bool is_full_ = false;
};

}  // namespace fractalray::internal
