// SPDX-License-Identifier: Apache-2.0
// The way of a line down the tree of cubes above the blocks of a level (areas, regions, chunks,
// bricks): always to the parts that it touches, between a first and a last block.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "../../core/internal/geometry/path_mask.h"
#include "../../core/vec.h"

namespace fractalray::internal {

// Widths of what a level's blocks lie in, as log2 of blocks.
inline constexpr int kBrickLog2 = 2;
inline constexpr int kChunkLog2 = 4;
inline constexpr int kRegionLog2 = 6;
inline constexpr int kAreaLog2 = 8;
inline constexpr int kWindowLog2 = 10;  // 4 x 4 x 4 areas, wherever the line begins

constexpr unsigned slotOf(const Vec3i& cell) {
  return static_cast<unsigned>((cell[0] & 3) | ((cell[1] & 3) << 2) | ((cell[2] & 3) << 4));
}
constexpr Vec3i shiftedDown(const Vec3i& v, int log2) {
  return {v[0] >> log2, v[1] >> log2, v[2] >> log2};
}
constexpr Vec3i shiftedUp(const Vec3i& v, int log2) {
  return {v[0] << log2, v[1] << log2, v[2] << log2};
}

// For each slot, the slots that are not before it, or not behind it, on any axis.
using SlotMasks = std::array<std::uint64_t, 64>;
constexpr SlotMasks slotsBeside(bool behind) {
  SlotMasks masks{};
  for (unsigned slot = 0; slot < 64; ++slot) {
    for (unsigned other = 0; other < 64; ++other) {
      bool inside = true;
      for (unsigned bits = 0; bits < 6; bits += 2) {
        const unsigned a = (slot >> bits) & 3;
        const unsigned b = (other >> bits) & 3;
        inside = inside && (behind ? b >= a : b <= a);
      }
      if (inside) masks[slot] |= std::uint64_t{1} << other;
    }
  }
  return masks;
}
inline constexpr SlotMasks kFromSlot = slotsBeside(true);
inline constexpr SlotMasks kUntilSlot = slotsBeside(false);

// Which ends of the range of blocks a cube holds.
inline constexpr unsigned kHoldsFirst = 1;
inline constexpr unsigned kHoldsLast = 2;

// A cube of the tree, or a block.
struct PathNode {
  Vec3i corner;  // mirrored, in units ahead of the line's start
  unsigned ends;
};

// log2 of the width, in blocks, of the smallest cube of the tree that holds all from `first` to
// `last` (0 for a block), kWindowLog2 where a window of areas does, and more where none does.
constexpr int commonCubeLog2(const Vec3i& first, const Vec3i& last) {
  const std::int64_t differs = (first[0] ^ last[0]) | (first[1] ^ last[1]) | (first[2] ^ last[2]);
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(differs)));
  if (bits <= kAreaLog2) return (bits + 1) & ~1;
  for (int axis = 0; axis < 3; ++axis) {
    if ((last[axis] >> kAreaLog2) - (first[axis] >> kAreaLog2) > 3) return kWindowLog2 + 2;
  }
  return kWindowLog2;
}

// Slots and blocks are mirrored here, as `path` mirrors them. Product as in PathMask::touched.
template <class Product>
class LineDescent {
 public:
  // The blocks from `first` to `last`, 2^shift units wide.
  LineDescent(const PathMask& path, int shift, const Vec3i& first, const Vec3i& last)
      : path_(path), shift_(shift), first_(first), last_(last) {}

  const PathMask& path() const { return path_; }
  const Vec3i& first() const { return first_; }
  const Vec3i& last() const { return last_; }
  int shift() const { return shift_; }

  // The corner of a cube given by its index.
  Vec3i cornerOf(const Vec3i& index, int log2) const {
    return shiftedUp(index, shift_ + log2) - path_.start();
  }
  // The cube of that width that holds the first block and, as the caller knows, the last one.
  PathNode nodeAround(int log2) const {
    return {.corner = cornerOf(shiftedDown(first_, log2), log2), .ends = kHoldsFirst | kHoldsLast};
  }
  // A cube of that width.
  PathNode nodeAt(const Vec3i& index, int log2) const {
    return {.corner = cornerOf(index, log2),
            .ends = (index == shiftedDown(first_, log2) ? kHoldsFirst : 0) |
                    (index == shiftedDown(last_, log2) ? kHoldsLast : 0)};
  }

  // The areas on the way, as slots counted from the first one. Requires:
  // commonCubeLog2(first, last) <= kWindowLog2.
  std::uint64_t window() const {
    const Vec3i origin = shiftedDown(first_, kAreaLog2);
    const std::uint64_t slots =
        path_.template touched<Product>(cornerOf(origin, kAreaLog2), shift_ + kAreaLog2);
    return path_.mirrored(slots) & kUntilSlot[lastWindowSlot()];
  }
  Vec3i areaInWindow(unsigned slot) const {
    return shiftedDown(first_, kAreaLog2) + offsetOf(slot);
  }
  PathNode nodeInWindow(unsigned slot) const {
    return {.corner = cornerOf(areaInWindow(slot), kAreaLog2),
            .ends = (slot == 0 ? kHoldsFirst : 0) | (slot == lastWindowSlot() ? kHoldsLast : 0)};
  }

  // Of a node 2^log2 blocks wide: the parts on the way that are in `present` (by slots, not
  // mirrored).
  std::uint64_t parts(const PathNode& node, int log2, std::uint64_t present) const {
    std::uint64_t slots = present & path_.template touched<Product>(node.corner, shift_ + log2 - 2);
    if (slots == 0) return 0;
    slots = path_.mirrored(slots);
    if ((node.ends & kHoldsFirst) != 0) slots &= kFromSlot[firstSlot(log2)];
    if ((node.ends & kHoldsLast) != 0) slots &= kUntilSlot[lastSlot(log2)];
    return slots;
  }
  PathNode part(const PathNode& node, int log2, unsigned slot) const {
    unsigned ends = node.ends;
    if (ends != 0) {
      if (slot != firstSlot(log2)) ends &= ~kHoldsFirst;
      if (slot != lastSlot(log2)) ends &= ~kHoldsLast;
    }
    return {.corner = node.corner + shiftedUp(offsetOf(slot), shift_ + log2 - 2), .ends = ends};
  }

  // A slot not mirrored, as the levels count; the first one of a mask.
  int levelSlot(unsigned slot) const { return static_cast<int>(slot ^ path_.flip()); }
  static unsigned firstOf(std::uint64_t slots) {
    return static_cast<unsigned>(std::countr_zero(slots));
  }

 private:
  unsigned lastWindowSlot() const {
    return slotOf(shiftedDown(last_, kAreaLog2) - shiftedDown(first_, kAreaLog2));
  }
  static Vec3i offsetOf(unsigned slot) { return {slot & 3, (slot >> 2) & 3, slot >> 4}; }
  unsigned firstSlot(int log2) const { return slotOf(shiftedDown(first_, log2 - 2)); }
  unsigned lastSlot(int log2) const { return slotOf(shiftedDown(last_, log2 - 2)); }

  const PathMask& path_;
  int shift_;
  Vec3i first_;
  Vec3i last_;
};

}  // namespace fractalray::internal
