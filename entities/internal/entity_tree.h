// SPDX-License-Identifier: Apache-2.0
// The chunks of an index level seen as one tree of cubes, each of which knows by a 64-bit word
// which of its parts hold anything: what searches around a place go down, and up.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "../../core/check.h"
#include "../../core/tree64.h"
#include "../../core/vec.h"
#include "entity_grid.h"

namespace fractalray::internal {

// A cube 4^scale chunks wide: a chunk, a region (1), an area (2), and on by the tree of areas. Cube
// k is [k, k + 1) times its width, floor per axis.
struct Cube {
  int scale = 0;
  Vec3i at{};

  friend bool operator==(const Cube&, const Cube&) = default;

  // The cube of 4 x 4 x 4 such cubes that it is in, and its slot there: x + 4 y + 16 z.
  Cube around() const { return {scale + 1, shiftedDown(at, 2)}; }
  int slot() const { return slotOf(at); }
  // The part in a slot. Requires: it is no chunk.
  Cube part(int slot) const {
    FRACTALRAY_DCHECK(scale > 0 && slot >= 0 && slot < 64, scale, slot);
    return {scale - 1, at * 4 + offsetOf(slot)};
  }
  ChunkCoord chunk() const { return {at[0], at[1], at[2]}; }
};

// The cubes of one index level.
class EntityTree {
 public:
  EntityTree(const EntityGrid& grid, int chunk_shift) : grid_(&grid), chunk_shift_(chunk_shift) {}

  const EntityGrid& grid() const { return *grid_; }
  int chunkShift() const { return chunk_shift_; }
  // The scale at which the cubes from -1 to 0 on each axis hold everything.
  int topScale() const { return (kTopLog2 - chunk_shift_) / 2; }

  // The corners of the closed cube, in units: within 2^62.
  Vec3i min(const Cube& cube) const { return corner(cube, 0); }
  Vec3i max(const Cube& cube) const { return corner(cube, 1); }

  // The parts of a cube that hold an entity, as bits by slots. Requires: it is no chunk, nor larger
  // than the top scale. Cost: a look-up.
  std::uint64_t parts(const Cube& cube) const {
    FRACTALRAY_DCHECK(cube.scale > 0 && cube.scale <= topScale(), cube.scale, topScale());
    if (cube.scale > kAreaScale) {
      return grid_->areas().present().children(cube.scale - kAreaScale - 1, cube.at);
    }
    if (cube.scale == kAreaScale) {
      const EntityGrid::Area* const area = grid_->area(firstChunk(cube));
      return area == nullptr ? 0 : area->occupied();
    }
    const EntityGrid::Region* const found = region(cube);
    return found == nullptr ? 0 : found->occupied();
  }
  // Null where the region holds nothing. Requires: the cube is a region.
  const EntityGrid::Region* region(const Cube& cube) const {
    FRACTALRAY_DCHECK(cube.scale == 1, cube.scale);
    const ChunkCoord chunk = firstChunk(cube);
    const EntityGrid::Area* const area = grid_->area(chunk);
    return area == nullptr ? nullptr : area->region(slotInArea(chunk));
  }

  // The slots of the parts of a cube that lie in the box of chunks from `first` to `last`.
  static std::uint64_t slotsBetween(const Cube& cube, const ChunkCoord& first,
                                    const ChunkCoord& last) {
    const int to_parts = 2 * (cube.scale - 1);
    std::array<unsigned, 3> low{};
    std::array<unsigned, 3> above{};  // how many slots lie beyond the last
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t from = cube.at[axis] * 4;
      const std::int64_t last_part = (last[axis] >> to_parts) - from;
      const std::int64_t first_part = (first[axis] >> to_parts) - from;
      if (last_part < 0 || first_part > 3) return 0;
      const auto i = static_cast<std::size_t>(axis);
      low[i] = static_cast<unsigned>(std::max(first_part, std::int64_t{0}));
      above[i] = static_cast<unsigned>(3 - std::min(last_part, std::int64_t{3}));
    }
    const std::uint64_t x = (0xfULL >> above[0]) & (0xfULL << low[0]);
    const std::uint64_t y = (0xffffULL >> (4 * above[1])) & (0xffffULL << (4 * low[1]));
    const std::uint64_t z = (~0ULL >> (16 * above[2])) & (~0ULL << (16 * low[2]));
    return (x & 0xfU) * 0x1111111111111111U & (y & 0xffffU) * 0x0001000100010001U & z;
  }

 private:
  // The frame ends at 2^61; entities at its end are in chunks beyond it too. Even, as every shift
  // is.
  static constexpr int kTopLog2 = 62;
  static constexpr int kAreaScale = 2;

  static ChunkCoord firstChunk(const Cube& cube) {
    const int log2 = 2 * cube.scale;
    return {cube.at[0] << log2, cube.at[1] << log2, cube.at[2] << log2};
  }
  int widthLog2(int scale) const { return chunk_shift_ + 2 * scale; }
  Vec3i corner(const Cube& cube, int side) const {
    const int log2 = widthLog2(cube.scale);
    return {(cube.at[0] + side) * (std::int64_t{1} << log2),
            (cube.at[1] + side) * (std::int64_t{1} << log2),
            (cube.at[2] + side) * (std::int64_t{1} << log2)};
  }

  const EntityGrid* grid_;
  int chunk_shift_;
};

}  // namespace fractalray::internal
