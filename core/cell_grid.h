// SPDX-License-Identifier: Apache-2.0
// A dense table of cells over their box, beside a hash map of them: one load instead of a look-up,
// as long as the box is small.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "fractalray/core/vec.h"

namespace fractalray {

// Values (pointers, say) by cell. Holds all the cells it was made of, or none where their box has
// more than kMaxCells. Not thread-safe while it changes; const use is safe from any thread.
template <class Value>
class CellGrid {
 public:
  static constexpr std::int64_t kMaxCells = 4096;

  // Makes the table anew of the (cell, value) pairs of a map; `valueOf` makes the value of what is
  // mapped to. Cost: the pairs and the box, at most kMaxCells each.
  template <class Map, class ValueOf>
  void rebuild(const Map& map, const ValueOf& value_of) {
    values_.clear();
    is_complete_ = false;
    if (map.size() > static_cast<std::size_t>(kMaxCells)) return;
    Vec3i low;
    Vec3i high;
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::numeric_limits<std::int64_t>::max();
      high[axis] = std::numeric_limits<std::int64_t>::min();
    }
    for (const auto& entry : map) {
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], entry.first[axis]);
        high[axis] = std::max(high[axis], entry.first[axis]);
      }
    }
    std::int64_t cells = 1;
    for (int axis = 0; axis < 3; ++axis) {
      // Coordinates are below 2^62, so that the difference fits.
      const std::int64_t width = map.empty() ? 0 : high[axis] - low[axis] + 1;
      if (width > kMaxCells || (cells *= width) > kMaxCells) return;
      size_[axis] = static_cast<std::uint64_t>(width);
    }
    min_ = low;
    values_.resize(static_cast<std::size_t>(cells), Value{});
    for (const auto& [cell, mapped] : map)
      values_[place(cell)] = value_of(mapped);
    is_complete_ = true;
  }

  // Follows a change of the map at one cell (Value{} where it has gone). False where that cell is
  // not in the table: then the table is to be made anew.
  bool set(const Vec3i& cell, Value value) {
    if (!is_complete_ || !holds(cell)) return false;
    values_[place(cell)] = value;
    return true;
  }

  // Whether find() knows all cells of the map.
  bool isComplete() const { return is_complete_; }
  // The value of a cell, Value{} where it has none. Requires: isComplete().
  Value find(const Vec3i& cell) const { return holds(cell) ? values_[place(cell)] : Value{}; }

 private:
  std::uint64_t offset(const Vec3i& cell, int axis) const {
    return static_cast<std::uint64_t>(cell[axis]) - static_cast<std::uint64_t>(min_[axis]);
  }
  bool holds(const Vec3i& cell) const {
    return offset(cell, 0) < size_[0] && offset(cell, 1) < size_[1] && offset(cell, 2) < size_[2];
  }
  std::size_t place(const Vec3i& cell) const {
    return offset(cell, 0) + size_[0] * (offset(cell, 1) + size_[1] * offset(cell, 2));
  }

  Vec3i min_{};
  Vec<std::uint64_t, 3> size_{};
  std::vector<Value> values_;
  bool is_complete_ = true;
};

}  // namespace fractalray
