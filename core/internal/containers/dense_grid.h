// SPDX-License-Identifier: Apache-2.0
// A dense table of cells over their box, kept next to a hash table of them: one load replaces a
// hash look-up, as long as the box is small and there is memory for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>

#include "../../check.h"
#include "../../vec.h"

namespace fractalray {

// Values (pointers, say) by cell. Holds all the cells from which it was made, or none if their box
// has more than kMaxCells or there is no memory for it: no function throws. Not thread-safe while
// it changes; const use is safe from any thread.
template <class Value>
class DenseGrid {
 public:
  static constexpr std::int64_t kMaxCells = 4096;

  DenseGrid() = default;
  ~DenseGrid() = default;
  DenseGrid(const DenseGrid& other) noexcept { *this = other; }
  DenseGrid& operator=(const DenseGrid& other) noexcept {
    if (this == &other) return *this;
    is_complete_ = other.is_complete_ && growTo(other.size_);
    if (!is_complete_) return *this;
    min_ = other.min_;
    std::copy_n(other.values_.get(), cells(size_), values_.get());
    return *this;
  }
  DenseGrid(DenseGrid&&) noexcept = default;
  DenseGrid& operator=(DenseGrid&&) noexcept = default;

  // Rebuilds the table from the (cell, value) pairs of a map; `valueOf` converts each mapped value.
  // Cost: the pairs and the box, at most kMaxCells each; if the box is too large, the pairs that it
  // takes to see it.
  template <class Map, class ValueOf>
  void rebuild(const Map& map, const ValueOf& value_of) noexcept {
    is_complete_ = false;
    if (map.size() > static_cast<std::size_t>(kMaxCells)) return;
    Vec3i low;
    Vec3i high;
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::numeric_limits<std::int64_t>::max();
      high[axis] = std::numeric_limits<std::int64_t>::min();
    }
    Vec<std::uint64_t, 3> size{};
    for (const auto& entry : map) {
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], entry.first[axis]);
        high[axis] = std::max(high[axis], entry.first[axis]);
        // Coordinates are below 2^62, so that the difference fits.
        size[axis] = static_cast<std::uint64_t>(high[axis] - low[axis] + 1);
      }
      // Mostly, few cells show that they lie far apart.
      if (!isSmall(size)) return;
    }
    if (!growTo(size)) return;
    min_ = low;
    std::fill_n(values_.get(), cells(size_), Value{});
    for (const auto& [cell, mapped] : map)
      values_[indexOf(cell)] = value_of(mapped);
    is_complete_ = true;
  }

  // Follows a change of the map at one cell; Value{} stands for an erased cell. Returns false if
  // the cell is not in the table: the caller must then rebuild it.
  bool set(const Vec3i& cell, Value value) {
    if (!is_complete_ || !holds(cell)) return false;
    values_[indexOf(cell)] = value;
    return true;
  }

  // Discards all cells, until the table is built again.
  void drop() { is_complete_ = false; }

  // Returns true if find() knows all cells of the map.
  bool isComplete() const { return is_complete_; }
  // Returns the value of a cell, Value{} if it has none. Requires: isComplete().
  Value find(const Vec3i& cell) const {
    FRACTALRAY_DCHECK(isComplete());
    return holds(cell) ? values_[indexOf(cell)] : Value{};
  }

 private:
  // Returns true if a box of that size has at most kMaxCells.
  static bool isSmall(const Vec<std::uint64_t, 3>& size) {
    constexpr std::uint64_t kMost = kMaxCells;
    return size[0] <= kMost && size[1] <= kMost && size[0] * size[1] <= kMost && size[2] <= kMost &&
           cells(size) <= kMost;
  }
  static std::uint64_t cells(const Vec<std::uint64_t, 3>& size) {
    return size[0] * size[1] * size[2];
  }
  // Makes values_ a table of that size, whose values are yet to be set. Returns false if there is
  // no memory for it.
  bool growTo(const Vec<std::uint64_t, 3>& size) {
    if (cells(size) > capacity_) {
      values_.reset(new (std::nothrow) Value[static_cast<std::size_t>(cells(size))]);
      capacity_ = values_ == nullptr ? 0 : cells(size);
      if (values_ == nullptr) return false;
    }
    size_ = size;
    return true;
  }
  std::uint64_t offset(const Vec3i& cell, int axis) const {
    return static_cast<std::uint64_t>(cell[axis]) - static_cast<std::uint64_t>(min_[axis]);
  }
  bool holds(const Vec3i& cell) const {
    // One branch for the caller, instead of three.
    bool is_inside = offset(cell, 0) < size_[0];
    is_inside &= offset(cell, 1) < size_[1];
    is_inside &= offset(cell, 2) < size_[2];
    return is_inside;
  }
  std::size_t indexOf(const Vec3i& cell) const {
    return static_cast<std::size_t>(offset(cell, 0) +
                                    size_[0] * (offset(cell, 1) + size_[1] * offset(cell, 2)));
  }

  Vec3i min_{};
  Vec<std::uint64_t, 3> size_{};
  std::unique_ptr<Value[]> values_;  // NOLINT(modernize-avoid-c-arrays): a vector would throw
  std::uint64_t capacity_ = 0;
  bool is_complete_ = true;
};

}  // namespace fractalray
