// SPDX-License-Identifier: Apache-2.0
// The descent of a line through the tree of cubes above the blocks of a level (areas, regions,
// chunks, bricks): always to the parts that the line touches, between a first and a last block.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "../../../core/check.h"
#include "../../../core/internal/geometry/path_mask.h"
#include "../../../core/tree64.h"
#include "../../../core/vec.h"

namespace fractalray::internal {

// Width of a window of areas, as log2 of blocks of the level.
inline constexpr int kWindowLog2 = 10;  // 4 x 4 x 4 areas, wherever the line begins

// For each slot, the slots that are not before it, or not after it, on any axis.
using SlotMasks = std::array<std::uint64_t, 64>;
constexpr SlotMasks slotsOnSide(bool after) {
  SlotMasks masks{};
  for (unsigned slot = 0; slot < 64; ++slot) {
    for (unsigned other = 0; other < 64; ++other) {
      bool inside = true;
      for (unsigned bits = 0; bits < 6; bits += 2) {
        const unsigned a = (slot >> bits) & 3;
        const unsigned b = (other >> bits) & 3;
        inside = inside && (after ? b >= a : b <= a);
      }
      if (inside) masks[slot] |= std::uint64_t{1} << other;
    }
  }
  return masks;
}
inline constexpr SlotMasks kFromSlot = slotsOnSide(true);
inline constexpr SlotMasks kUntilSlot = slotsOnSide(false);

// Bits for the ends of the range of blocks that a cube holds.
inline constexpr unsigned kHoldsFirst = 1;
inline constexpr unsigned kHoldsLast = 2;

// A cube of the tree, or a block.
struct PathNode {
  Vec3i corner;  // mirrored, in units ahead of the line's start
  unsigned ends;
};

// Returns log2 of the width, in blocks, of the smallest cube of the tree that holds all blocks from
// `first` to `last` (0 for a block), kWindowLog2 if only a window of areas does, and more if none
// does.
constexpr int commonCubeLog2(const Vec3i& first, const Vec3i& last) {
  const std::int64_t differs = (first[0] ^ last[0]) | (first[1] ^ last[1]) | (first[2] ^ last[2]);
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(differs)));
  const Vec3i areas = shiftedDown(last, kAreaLog2) - shiftedDown(first, kAreaLog2);
  const bool is_wide = std::max({areas[0], areas[1], areas[2]}) > 3;
  // Up to 8 bits differ within an area, 9 or 10 within a window of areas; blocks that lie more than
  // three areas apart differ in more. Without branches, since a random line may have any length.
  return std::min((bits + 1) & ~1, kWindowLog2 + (is_wide ? 2 : 0));
}

// Slots and blocks are mirrored here, as `path` mirrors them. Product as in PathMask::touched.
//
// Laws, each with its test in line_descent_test.cc, for a descent with everything present:
//   1. conservative: it reaches every block of the walk from `first` to `last`; the line misses the
//      other blocks that it reaches by little;
//   2. it reaches `first`, but no other block that is not beyond `first` on any axis, and `last`,
//      but no other block that is not before `last` on any axis;
//   3. it reaches a block once, and none directly after a block that lies beyond it.
template <class Product>
class LineDescent {
 public:
  // Descends to the blocks from `first` to `last`, 2^shift units wide.
  LineDescent(const PathMask& path, int shift, const Vec3i& first, const Vec3i& last)
      : path_(path), shift_(shift), first_(first), last_(last) {}

  const PathMask& path() const { return path_; }
  const Vec3i& first() const { return first_; }
  const Vec3i& last() const { return last_; }
  int shift() const { return shift_; }

  // Returns the corner of a cube given by its index.
  Vec3i cornerOf(const Vec3i& index, int log2) const {
    return shiftedUp(index, shift_ + log2) - path_.start();
  }
  // Returns the cube of that width that holds the first block and, as the caller knows, the last.
  PathNode nodeAround(int log2) const {
    return {.corner = cornerOf(shiftedDown(first_, log2), log2), .ends = kHoldsFirst | kHoldsLast};
  }
  // Returns the cube of that index and width.
  PathNode nodeAt(const Vec3i& index, int log2) const {
    return {.corner = cornerOf(index, log2),
            .ends = (index == shiftedDown(first_, log2) ? kHoldsFirst : 0) |
                    (index == shiftedDown(last_, log2) ? kHoldsLast : 0)};
  }

  // Returns the areas along the line, as slots counted from the first one. Requires:
  // commonCubeLog2(first, last) <= kWindowLog2.
  std::uint64_t window() const {
    FRACTALRAY_DCHECK(commonCubeLog2(first_, last_) <= kWindowLog2);
    const Vec3i origin = shiftedDown(first_, kAreaLog2);
    const std::uint64_t slots =
        path_.template touched<Product>(cornerOf(origin, kAreaLog2), shift_ + kAreaLog2);
    return path_.mirrored(slots) & kUntilSlot[static_cast<std::size_t>(lastWindowSlot())];
  }
  Vec3i areaInWindow(int slot) const { return shiftedDown(first_, kAreaLog2) + offsetOf(slot); }
  PathNode nodeInWindow(int slot) const {
    return {.corner = cornerOf(areaInWindow(slot), kAreaLog2),
            .ends = (slot == 0 ? kHoldsFirst : 0) | (slot == lastWindowSlot() ? kHoldsLast : 0)};
  }

  // Returns the parts of a node 2^log2 blocks wide that are along the line and in `present` (by
  // slots, not mirrored).
  std::uint64_t parts(const PathNode& node, int log2, std::uint64_t present) const {
    std::uint64_t slots = present & path_.template touched<Product>(node.corner, shift_ + log2 - 2);
    if (slots == 0) return 0;
    slots = path_.mirrored(slots);
    if ((node.ends & kHoldsFirst) != 0)
      slots &= kFromSlot[static_cast<std::size_t>(firstSlot(log2))];
    if ((node.ends & kHoldsLast) != 0)
      slots &= kUntilSlot[static_cast<std::size_t>(lastSlot(log2))];
    return slots;
  }
  PathNode part(const PathNode& node, int log2, int slot) const {
    unsigned ends = node.ends;
    if (ends != 0) {
      if (slot != firstSlot(log2)) ends &= ~kHoldsFirst;
      if (slot != lastSlot(log2)) ends &= ~kHoldsLast;
    }
    return {.corner = node.corner + shiftedUp(offsetOf(slot), shift_ + log2 - 2), .ends = ends};
  }

  // Returns the slot not mirrored, as levels number slots.
  int levelSlot(int slot) const { return slot ^ static_cast<int>(path_.flip()); }

 private:
  int lastWindowSlot() const {
    return slotOf(shiftedDown(last_, kAreaLog2) - shiftedDown(first_, kAreaLog2));
  }
  int firstSlot(int log2) const { return slotOf(shiftedDown(first_, log2 - 2)); }
  int lastSlot(int log2) const { return slotOf(shiftedDown(last_, log2 - 2)); }

  const PathMask& path_;
  int shift_;
  Vec3i first_;
  Vec3i last_;
};

}  // namespace fractalray::internal
