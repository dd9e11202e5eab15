// SPDX-License-Identifier: Apache-2.0
// The tiles on a segment as a lazy range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <variant>

#include "check.h"
#include "corner_policy.h"
#include "geometry/grid_stepper.h"
#include "vec.h"

namespace fractalray {

// The tiles that a segment crosses, from its start to its end: each a GridCell<2> with the tile
// (`cell`), the time and the face of its entry. Walked as it is iterated: leaving a loop early
// costs nothing more. TileGrid::tilesOn makes it.
//
// A forward range (multi-pass, const-iterable); with the staircase policy also a sized one, which
// knows its size without walking. Cost: O(1) to make, to begin and per step; no allocation. A value
// type that refers to nothing; const use is safe from any thread.
template <CornerPolicy corner = CornerPolicy::kBoth>
class TileRange {
 public:
  using Point = Vec<std::int64_t, 2>;

  // Makes the range of TileGrid::tilesOn: ends and tile size in units, the map's origin at zero.
  // Requires: as GridWalk<2>.
  TileRange(const Point& from, const Point& to, const Point& tile_size)
      : from_(from), to_(to), tile_size_(tile_size) {}

  class Iterator {
   public:
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;  // it returns values, not references
    using value_type = GridCell<2>;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = value_type;

    Iterator() = default;
    // Returns the present tile. Requires: not at the end.
    value_type operator*() const {
      FRACTALRAY_DCHECK(!is_at_end_, position_);
      return std::visit([](const auto& stepper) { return stepper.cell(); }, stepper_);
    }
    Iterator& operator++() {
      is_at_end_ = !std::visit([](auto& stepper) { return stepper.next(); }, stepper_);
      ++position_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    // Compares two iterators of the same range.
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.position_ == b.position_;
    }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) { return it.is_at_end_; }

   private:
    friend class TileRange;
    explicit Iterator(const internal::AnyGridStepper<2>& stepper)
        : stepper_(stepper), is_at_end_(false) {}

    internal::AnyGridStepper<2> stepper_{std::in_place_index<0>, Point{}, Point{}, Point{1, 1},
                                         corner};
    std::uint64_t position_ = 0;
    bool is_at_end_ = true;
  };

  Iterator begin() const {
    return Iterator(internal::makeGridStepper<2>(from_, to_, tile_size_, corner));
  }
  std::default_sentinel_t end() const { return {}; }

  // Returns the number of tiles.
  std::uint64_t size() const requires(corner == CornerPolicy::kStaircase) {
    return crossings() + 1;
  }
  // Returns the number of tile edges that the segment crosses: the Manhattan distance of the first
  // and the last tile.
  std::uint64_t crossings() const {
    return std::visit([](const auto& stepper) { return stepper.crossingsLeft(); },
                      internal::makeGridStepper<2>(from_, to_, tile_size_, corner));
  }
  // Returns false: there is always a first tile.
  bool empty() const { return false; }

 private:
  Point from_;
  Point to_;
  Point tile_size_;
};

}  // namespace fractalray
