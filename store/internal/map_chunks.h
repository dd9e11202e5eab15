// SPDX-License-Identifier: Apache-2.0
// The chunks that a Luanti map may have, on each of its levels, and those of them on a line.
#pragma once

#include <cstdint>

#include "../../core/arithmetic/fraction.h"
#include "../../core/corner_policy.h"
#include "../../core/frame.h"
#include "../../core/grid_walk.h"
#include "../../core/internal/geometry/line.h"
#include "../../core/internal/geometry/line_walk.h"
#include "../../core/segment.h"
#include "../../core/vec.h"
#include "../../formats/luanti_map.h"
#include "../../levels/world.h"

namespace fractalray {

// The level of mapblocks.
inline constexpr int kMapblockLevel = kLuantiLevels - 1;

// Returns log2 of the width of a chunk of a level, in mapblocks. Requires: a level of a map.
constexpr int mapblockShift(int level) {
  return 4 * (kMapblockLevel - level);
}

// Returns the chunk of a level that contains a mapblock.
constexpr ChunkCoord chunkAround(const ChunkCoord& mapblock, int level) {
  const int shift = mapblockShift(level);
  return {mapblock[0] >> shift, mapblock[1] >> shift, mapblock[2] >> shift};
}

// Returns all chunks of a level that a map may have: 4096 mapblocks to each side, around 0.
constexpr ChunkBox mapBox(int level) {
  const std::int64_t min = -2048 >> mapblockShift(level);
  const std::int64_t max = 2047 >> mapblockShift(level);
  return {{min, min, min}, {max, max, max}};
}

constexpr bool contains(const ChunkBox& box, const ChunkCoord& at) {
  for (int axis = 0; axis < 3; ++axis) {
    if (at[axis] < box.min[axis] || at[axis] > box.max[axis]) return false;
  }
  return true;
}

// Calls `visit(const ChunkCoord&)` for the chunks of a level, of those that a map may have, that a
// line enters at `until` or before, in the order of the line, whatever the corner policy; until it
// returns false. As `until` is rounded, chunks that are entered a little later may be visited, too.
// Cost: at most three times 4096 steps, however long the line.
template <class Visit>
void forEachMapChunk(const Frame& frame, const FixedSegment& segment, int level, double until,
                     const Visit& visit) {
  constexpr double kRounding = 0x1p-40;  // relative; times are good to 2^-48
  const Line line(segment);
  const int shift = frame.chunkShift(level);
  const ChunkBox box = mapBox(level);
  Vec3i min;
  Vec3i max;
  for (int axis = 0; axis < 3; ++axis) {
    min[axis] = box.min[axis] << shift;
    max[axis] = (box.max[axis] + 1) << shift;
  }
  const auto inside = line.clip(min, max);
  if (!inside.has_value()) return;
  const Fraction end = inside->to < line.end() ? inside->to : line.end();
  GridWalk<3> walk = internal::walkAlong(line, shift, CornerPolicy::kBoth);
  if (inside->from > walk.cell().t) {
    walk.skipBefore(inside->from);
    if (!walk.next()) return;
  }
  const double last = until + until * kRounding;
  do {
    const GridCell<3>& cell = walk.cell();
    if (cell.t > end || cell.t.toDouble() > last) return;
    const ChunkCoord at{cell.cell[0], cell.cell[1], cell.cell[2]};
    if (contains(box, at) && !visit(at)) return;
  } while (walk.next());
}

}  // namespace fractalray
