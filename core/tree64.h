// SPDX-License-Identifier: Apache-2.0
// The 4 x 4 x 4 tree, on which all skipping in big steps is built: a cube is cut into 4 x 4 x 4
// cubes, each of which is cut again, and every cube has one 64-bit word in which bit s is set if
// the part in slot s holds anything.
//
//      y                         slot = x + 4 y + 16 z,           width in blocks   parts
//      ^                         x, y, z from 0 to 3       area        256          64 regions
//      |   12  13  14  15                                  region       64          64 chunks
//      |    8   9  10  11        bit 63 ... 3 2 1 0        chunk        16          64 bricks
//      |    4   5   6   7            [0|...|1 0 0 1]       brick         4          64 blocks
//      |    0   1   2   3             slots 0 and 3
//      +------------------> x    the layer z = 0; the next begins with slot 16
//
// The parts of a cube on a line are such a word too (PathMask), so one AND finds the parts that the
// line has to visit. The words are kept by:
//
//   BlockSet         bricks and blocks of a chunk
//   Level            areas and regions of chunks
//   EntityGrid       areas and regions of entities
//   SparseCellSet    cubes of areas, up to the frame
//
// Cubes are aligned: the cube 2^k wide with index i reaches from i to i + 1 times its width on each
// axis, floor for negative ones, so an index shifted down by k names the cube that a cell lies in.
//
// Not part of the interface, like everything in namespace internal: the file is at a public path
// only because BlockSet, which is a part of every Chunk, includes it.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "vec.h"

namespace fractalray::internal {

// Widths, as log2 of blocks of a level.
inline constexpr int kBrickLog2 = 2;
inline constexpr int kChunkLog2 = 4;
inline constexpr int kRegionLog2 = 6;
inline constexpr int kAreaLog2 = 8;

// Returns the index of the cube, 2^log2 cells wide, that contains a cell.
template <class Cell>
constexpr Vec3i shiftedDown(const Cell& cell, int log2) {
  return {cell[0] >> log2, cell[1] >> log2, cell[2] >> log2};
}
// Returns the first cell of a cube, given the cube's index.
template <class Cell>
constexpr Vec3i shiftedUp(const Cell& cell, int log2) {
  return {cell[0] << log2, cell[1] << log2, cell[2] << log2};
}

// Returns the slot of a cell in the cube of 4 x 4 x 4 cells that it lies in.
template <class Cell>
constexpr int slotOf(const Cell& cell) {
  return static_cast<int>((cell[0] & 3) | ((cell[1] & 3) << 2) | ((cell[2] & 3) << 4));
}
// Returns the position in its cube of the cell in a slot, 0 to 3 on each axis.
constexpr Vec3i offsetOf(int slot) {
  return {slot & 3, (slot >> 2) & 3, slot >> 4};
}

// Returns the slot of a chunk in its region, and of that region in its area.
constexpr int slotInRegion(const ChunkCoord& chunk) {
  return slotOf(chunk);
}
constexpr int slotInArea(const ChunkCoord& chunk) {
  return static_cast<int>(((chunk[0] >> 2) & 3) | (chunk[1] & 12) | ((chunk[2] & 12) << 2));
}
// Returns the index of the area of a chunk, and the chunk in a slot of a region in a slot of an
// area.
constexpr Vec3i areaOf(const ChunkCoord& chunk) {
  return shiftedDown(chunk, kAreaLog2 - kChunkLog2);
}
constexpr ChunkCoord chunkAt(const Vec3i& area, int slot_in_area, int slot_in_region) {
  const Vec3i region = offsetOf(slot_in_area);
  const Vec3i chunk = offsetOf(slot_in_region);
  return {area[0] * 16 + region[0] * 4 + chunk[0], area[1] * 16 + region[1] * 4 + chunk[1],
          area[2] * 16 + region[2] * 4 + chunk[2]};
}

// Returns the bit of a slot in a word.
constexpr std::uint64_t bitOf(int slot) {
  return std::uint64_t{1} << slot;
}
constexpr bool hasBit(std::uint64_t word, int slot) {
  return ((word >> slot) & 1) != 0;
}
constexpr void setBit(std::uint64_t& word, int slot, bool value) {
  word = value ? word | bitOf(slot) : word & ~bitOf(slot);
}
// Returns the first slot of a word. Requires: the word is not 0.
constexpr int firstSlotOf(std::uint64_t word) {
  return std::countr_zero(word);
}
// The slots of a word's bits, in order: `for (const int slot : Slots(word))`.
template <std::unsigned_integral Word>
class Slots {
 public:
  class Iterator {
   public:
    using value_type = int;
    using difference_type = std::ptrdiff_t;

    constexpr Iterator() = default;
    explicit constexpr Iterator(Word rest) : rest_(rest) {}
    constexpr int operator*() const { return std::countr_zero(rest_); }
    constexpr Iterator& operator++() {
      rest_ &= rest_ - 1;
      return *this;
    }
    constexpr Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend constexpr bool operator==(Iterator a, Iterator b) { return a.rest_ == b.rest_; }

   private:
    Word rest_ = 0;
  };

  explicit constexpr Slots(Word word) : word_(word) {}
  constexpr Iterator begin() const { return Iterator(word_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  Word word_;
};
// Calls `visit(slot)` for each of them.
template <class Visit>
constexpr void forEachSlot(std::uint64_t word, const Visit& visit) {
  for (const int slot : Slots(word))
    visit(slot);
}

}  // namespace fractalray::internal
