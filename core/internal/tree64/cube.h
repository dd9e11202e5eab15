// SPDX-License-Identifier: Apache-2.0
// Cubes of chunks, 4^scale chunks wide, as searches of a box descend them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "../../check.h"
#include "../../tree64.h"
#include "../../vec.h"

namespace fractalray::internal {

// A cube 4^scale chunks wide: a chunk, a region (1), an area (2), and beyond in the tree of areas.
// Cube k is [k, k + 1) times its width, floor per axis.
struct Cube {
  int scale = 0;
  Vec3i at{};

  friend bool operator==(const Cube&, const Cube&) = default;

  // Returns the cube of 4 x 4 x 4 such cubes that contains this one, and this one's slot there: x +
  // 4 y + 16 z.
  Cube around() const { return {scale + 1, shiftedDown(at, 2)}; }
  int slot() const { return slotOf(at); }
  // Returns the part in a slot. Requires: the cube is no chunk.
  Cube part(int slot) const {
    FRACTALRAY_DCHECK(scale > 0 && slot >= 0 && slot < 64, scale, slot);
    return {scale - 1, at * 4 + offsetOf(slot)};
  }
  ChunkCoord chunk() const { return {at[0], at[1], at[2]}; }
};

// Returns the slots of the parts of a cube that lie in the box of parts from `first` to `last`, by
// their indices; `origin` is the part in slot 0.
constexpr std::uint64_t slotsBetween(const Vec3i& origin, const Vec3i& first, const Vec3i& last) {
  std::array<unsigned, 3> low{};
  std::array<unsigned, 3> above{};  // the number of slots beyond the last
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t first_part = first[axis] - origin[axis];
    const std::int64_t last_part = last[axis] - origin[axis];
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
// Returns the slots of the parts of a cube that lie in the box of chunks from `first` to `last`.
// Requires: the cube is no chunk.
constexpr std::uint64_t slotsBetween(const Cube& cube, const ChunkCoord& first,
                                     const ChunkCoord& last) {
  const int to_parts = 2 * (cube.scale - 1);
  return slotsBetween(cube.at * 4, shiftedDown(first, to_parts), shiftedDown(last, to_parts));
}

// Calls `visit(cube)` for the smallest cubes, from regions up, of which two on each axis hold all
// chunks from `first` to `last`: eight at most, however large that box is.
template <class Visit>
constexpr void forEachCubeAround(const ChunkCoord& first, const ChunkCoord& last,
                                 const Visit& visit) {
  const auto is_two_wide = [&](int scale) {
    const Vec3i cubes = shiftedDown(last, 2 * scale) - shiftedDown(first, 2 * scale);
    return cubes[0] <= 1 && cubes[1] <= 1 && cubes[2] <= 1;
  };
  int scale = 1;
  while (!is_two_wide(scale))
    ++scale;
  const Vec3i min = shiftedDown(first, 2 * scale);
  const Vec3i max = shiftedDown(last, 2 * scale);
  for (std::int64_t z = min[2]; z <= max[2]; ++z) {
    for (std::int64_t y = min[1]; y <= max[1]; ++y) {
      for (std::int64_t x = min[0]; x <= max[0]; ++x)
        visit(Cube{scale, {x, y, z}});
    }
  }
}

}  // namespace fractalray::internal
