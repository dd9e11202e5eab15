// SPDX-License-Identifier: Apache-2.0
// Viewers by position, for the distance from a chunk to the nearest of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "../../core/internal/geometry/unit_box.h"
#include "../../core/vec.h"

namespace fractalray::internal {

// Distances are squares of multiples of 2^-16 chunk widths ("fractions") of a level, from a viewer
// to the nearest point of a closed cube, each axis rounded down: integers, so that all machines
// decide alike. Saturated at 2^14 chunk widths on each axis.
inline constexpr int kFractionBits = 16;
inline constexpr std::int64_t kChunkFractions = std::int64_t{1} << kFractionBits;
inline constexpr std::int64_t kMostFractions = std::int64_t{1} << 30;  // three squares fit 63 bits

// Returns the distance between two closed boxes, in fractions of 2^`shift` units.
inline std::int64_t distanceBetween(const UnitBox& a, const UnitBox& b, int shift) {
  std::int64_t sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t gap =
        std::max({std::int64_t{0}, a.min[axis] - b.max[axis], b.min[axis] - a.max[axis]});
    const std::int64_t scaled = std::min(gap >> shift, kMostFractions);
    sum += scaled * scaled;
  }
  return sum;
}

// A tree of boxes, each with the viewers of one half of its parent's. A value; const use is safe
// from any thread.
class ViewerTree {
 public:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

  ViewerTree() = default;
  // Cost: O(n log n).
  explicit ViewerTree(std::span<const Vec3i> viewers);

  // Returns the distance from a box to the nearest viewer, in fractions of 2^`shift` units; kNone
  // if there are no viewers. Cost: O(log n) for viewers that are spread out.
  std::int64_t distance(const UnitBox& box, int shift) const {
    Search search{box, shift, kNone, -1};
    descend(0, search);
    return search.least;
  }
  // Returns true if a viewer is within a distance.
  bool isWithin(const UnitBox& box, int shift, std::int64_t distance) const {
    if (distance < 0) return false;
    Search search{box, shift, distance + 1, distance};
    descend(0, search);
    return search.least <= distance;
  }

 private:
  struct Node {
    UnitBox box;
    std::size_t begin;
    std::size_t end;
    std::size_t right;  // of its halves; the left one follows the node. 0 for a leaf
  };
  struct Search {
    const UnitBox& box;
    int shift;
    std::int64_t least;   // so far
    std::int64_t enough;  // ends the search
  };

  void build(std::size_t begin, std::size_t end);
  void descend(std::size_t node, Search& search) const;

  std::vector<Vec3i> viewers_;
  std::vector<Node> nodes_;
};

}  // namespace fractalray::internal
