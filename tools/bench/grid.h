// SPDX-License-Identifier: Apache-2.0
// The blocks of a box as two bits each: the source from which every system of a benchmark is built,
// and the input of the reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../core/vec.h"
#include "../../levels/block_type.h"

namespace fractalray::bench {

// Blocks are those of the finest level; `origin` and `size` are multiples of 16 on each axis.
class Grid {
 public:
  Grid(const BlockCoord& origin, const BlockCoord& size)
      : origin_(origin),
        size_(size),
        solid_(static_cast<std::size_t>(size[0] * size[1] * size[2] + 63) / 64),
        permeable_(solid_.size()) {}

  const BlockCoord& origin() const { return origin_; }
  const BlockCoord& size() const { return size_; }
  // Moves the blocks to another origin.
  void moveTo(const BlockCoord& origin) { origin_ = origin; }

  bool contains(const BlockCoord& at) const {
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis)
      inside &= static_cast<std::uint64_t>(at[axis] - origin_[axis]) <
                static_cast<std::uint64_t>(size_[axis]);
    return inside;
  }

  // Returns the kind of a block, empty outside of the box.
  BlockKind kind(const BlockCoord& at) const {
    if (!contains(at)) return BlockKind::kEmpty;
    const std::uint64_t index = indexOf(at);
    if (bit(solid_, index)) return BlockKind::kSolid;
    return bit(permeable_, index) ? BlockKind::kPermeable : BlockKind::kEmpty;
  }
  bool occupied(const BlockCoord& at) const { return kind(at) != BlockKind::kEmpty; }

  // Sets a block. Requires: the box contains it.
  void set(const BlockCoord& at, BlockKind kind) {
    const std::uint64_t index = indexOf(at);
    setBit(solid_, index, kind == BlockKind::kSolid);
    setBit(permeable_, index, kind == BlockKind::kPermeable);
  }

  // Calls `visit(ChunkCoord)` for every chunk of the box.
  template <class Visitor>
  void forEachChunk(Visitor&& visit) const {
    for (std::int64_t z = origin_[2] >> 4; z < (origin_[2] + size_[2]) >> 4; ++z)
      for (std::int64_t y = origin_[1] >> 4; y < (origin_[1] + size_[1]) >> 4; ++y)
        for (std::int64_t x = origin_[0] >> 4; x < (origin_[0] + size_[0]) >> 4; ++x)
          visit(ChunkCoord{x, y, z});
  }

 private:
  using Bits = std::vector<std::uint64_t>;

  std::uint64_t indexOf(const BlockCoord& at) const {
    return static_cast<std::uint64_t>(
        at[0] - origin_[0] + size_[0] * (at[1] - origin_[1] + size_[1] * (at[2] - origin_[2])));
  }
  static bool bit(const Bits& bits, std::uint64_t index) {
    return ((bits[index / 64] >> (index % 64)) & 1U) != 0;
  }
  static void setBit(Bits& bits, std::uint64_t index, bool value) {
    const std::uint64_t mask = std::uint64_t{1} << (index % 64);
    bits[index / 64] = value ? bits[index / 64] | mask : bits[index / 64] & ~mask;
  }

  BlockCoord origin_;
  BlockCoord size_;
  Bits solid_;
  Bits permeable_;
};

}  // namespace fractalray::bench
