// SPDX-License-Identifier: Apache-2.0
// A sparse set of cells that knows the empty cube around each cell: with it a walk crosses
// empty space in big steps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "../../check.h"
#include "../../vec.h"
#include "../containers/cell_table.h"

namespace fractalray {

// A set of cells with inner nodes of 4 x 4 x 4 children, a 64-bit word each, up to the full range
// of coordinates. An inner node exists if a cell below it does. Not thread-safe while it
// changes; const use is safe from any thread.
class SparseCellSet {
 public:
  // 21 heights of 2 bits each: every chunk of a one-level frame has an index below 2^41.
  static constexpr int kHeights = 21;

  // Adds or removes a cell. Does nothing if it is in the set, or not in it, already.
  // Requires: |coordinate| <= 2^kMaxCubeLog2. Cost: O(1) next to present cells, at most kHeights
  // look-ups; copies cost what the present cells do, however many there have been. If memory runs
  // out, insert() throws std::bad_alloc and has changed nothing; after reserve() of the same cell,
  // with no other change between, it does not throw.
  void insert(const Vec3i& cell);
  void reserve(const Vec3i& cell);
  void erase(const Vec3i& cell) noexcept;

  bool contains(const Vec3i& cell) const;
  bool empty() const { return nodes_[kHeights - 1].empty(); }

  // Returns log2 of the width, in cells, of an aligned cube around `cell` that holds no cell of the
  // set: the largest one of width 4^k. Nothing if the cell itself is in the set. Cost: up to
  // kHeights look-ups.
  std::optional<int> emptyCubeLog2(const Vec3i& cell) const;

  // Returns the children of width 4^height that hold a cell of the set, as bits x + 4y + 16z, of
  // the node of width 4^(height + 1) with this index. Requires: 0 <= height < 21. Cost: one
  // look-up.
  std::uint64_t children(int height, const Vec3i& node) const {
    FRACTALRAY_DCHECK(height >= 0 && height < kHeights, height);
    const auto& nodes = nodes_[static_cast<std::size_t>(height)];
    const std::uint64_t* const found = nodes.find(node);
    return found == nullptr ? 0 : *found;
  }

 private:
  static constexpr int kMaxCubeLog2 = 2 * kHeights;

  // For each height h, the nodes of width 4^(h+1) that hold anything; bit x + 4y + 16z of a word is
  // set if its child of width 4^h holds anything.
  std::array<CellTable<std::uint64_t>, kHeights> nodes_;
};

// Returns the smallest and the largest cell of the aligned cube of 2^log2 cells around `cell`,
// along one axis.
constexpr std::int64_t cubeMin(std::int64_t cell, int log2) {
  return (cell >> log2) << log2;
}
constexpr std::int64_t cubeMax(std::int64_t cell, int log2) {
  return cubeMin(cell, log2) + ((std::int64_t{1} << log2) - 1);
}

}  // namespace fractalray
