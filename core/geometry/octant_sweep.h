// SPDX-License-Identifier: Apache-2.0
// The directions of an octant that are still open, column by column: the arithmetic of
// field_of_view.h.
// For the library's own use: not part of the interface.
//
// Seen from the middle of tile (0, 0), tile (x, y) is the closed square
// [2x - 1, 2x + 1] x [2y - 1, 2y + 1], in half tiles. A line of slope s, 0 <= s < 1, touches it if
//
//     (2y - 1) / (2x + 1) <= s <= (2y + 1) / (2x - 1).
//
// A solid tile closes these slopes for all that is farther away. Both ends are closed with them, as
// corners are under CornerPolicy::kBoth. (Sweep of columns: Björn Bergström's recursive
// shadowcasting; here with exact slopes and the tiles' full squares.)
#pragma once

#include <cstdint>
#include <vector>

namespace fractalray {

// The part of a tile that has to be seen.
enum class TilePart : std::uint8_t {
  kCenter,  // the middle: the same both ways
  kAny,     // any point of the tile
};

namespace internal {

// A slope y / x. Requires: x > 0, both below 2^31.
struct Slope {
  std::int64_t y = 0;
  std::int64_t x = 1;

  friend constexpr bool operator<(const Slope& a, const Slope& b) { return a.y * b.x < b.y * a.x; }
};

// The open slopes of one octant, 0 <= y <= x. The diagonal itself is not among them: tiles of two
// octants close it.
class OctantSweep {
 public:
  // Returns true if no slope is open.
  bool isClosed() const { return open_.empty(); }

  // Passes over column x, bottom up. Calls visit(y) for each tile of which the part is seen, then
  // solid_at(y) for each that an open slope touches, each at most once. Requires: columns 1, 2, 3,
  // ... one after another, below 2^30. Cost: O(tiles touched).
  template <class SolidAt, class Visit>
  void sweepColumn(std::int64_t x, TilePart part, SolidAt&& solid_at, Visit&& visit) {
    remaining_.clear();
    for (Gap gap : open_) {
      while (!(gap.from < top(x, gap.first)))
        ++gap.first;
      for (std::int64_t y = gap.first; gap.from < gap.to && bottom(x, y) < gap.to; ++y) {
        const Slope center{y, x};
        if (part == TilePart::kAny || (gap.from < center && center < gap.to)) visit(y);
        if (!solid_at(y)) continue;
        if (gap.from < bottom(x, y)) remaining_.push_back({gap.from, bottom(x, y), gap.first});
        gap.from = top(x, y);
        gap.first = y + 1;
      }
      if (gap.from < gap.to) remaining_.push_back(gap);
    }
    open_.swap(remaining_);
  }

 private:
  // An open range of slopes, without its ends.
  struct Gap {
    Slope from;
    Slope to;
    std::int64_t first = 0;  // no tile below it, in this column or later, touches the gap
  };

  // Return the least and the greatest slope of a tile. Below the row of the eye there is nothing: a
  // tile in this row closes all slopes from kNone on.
  static constexpr Slope kNone{-1, 1};
  static constexpr Slope bottom(std::int64_t x, std::int64_t y) {
    return y > 0 ? Slope{2 * y - 1, 2 * x + 1} : kNone;
  }
  static constexpr Slope top(std::int64_t x, std::int64_t y) { return {2 * y + 1, 2 * x - 1}; }

  // In order, disjoint. No two touch the same tile, so there are at most x + 1 in column x: the
  // tile would be wider, seen from the eye, than a nearer one between them. But the diagonals of
  // tiles, from the lower right to the upper left corner, are equal and parallel.
  std::vector<Gap> open_{{kNone, {1, 1}}};
  std::vector<Gap> remaining_;  // of the present column
};

}  // namespace internal
}  // namespace fractalray
