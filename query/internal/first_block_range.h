// SPDX-License-Identifier: Apache-2.0
// The blocks of a level that a direct search (first_block.h) covers: those of the line's walk, as
// far as they are in the box of loaded chunks and not past a time. Blocks are mirrored. For one
// instruction set, as first_block_search.h, which includes this. SearchLine: FirstBlockLine of some
// lanes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../../core/arithmetic/fraction.h"
#include "../../core/tree64.h"
#include "../../core/vec.h"
#include "../../levels/internal/level.h"
#include "first_block_line.h"
#include "line_descent.h"

namespace fractalray::internal {
namespace {

// The time up to which blocks are found, if there is one.
class TimeLimit {
 public:
  // Finds blocks entered at `time` or earlier; only earlier ones if that time `is_taken`.
  FRACTALRAY_TARGET void set(const Fraction& time, bool is_taken) {
    is_set_ = true;
    is_taken_ = is_taken;
    time_ = time;
  }
  FRACTALRAY_TARGET bool excludes(const Fraction& time) const {
    if (!is_set_) return false;
    return is_taken_ ? !(time < time_) : time_ < time;
  }
  FRACTALRAY_TARGET bool isSet() const { return is_set_; }
  FRACTALRAY_TARGET double toDouble() const { return time_.toDouble(); }

 private:
  Fraction time_;
  bool is_set_ = false;
  bool is_taken_ = false;
};

// The first and the last block of a search, on each axis.
struct BlockRange {
  Vec3i first;
  Vec3i last;
  bool is_at_start = false;  // the first block is that of the line's start
};

// Raises the first block to one that the line enters no earlier than the box from `low` on.
template <class SearchLine>
FRACTALRAY_TARGET bool enterBounds(const SearchLine& line, const Vec3i& low, BlockRange& range) {
  double t = 0;
  for (int axis = 0; axis < 3; ++axis) {
    // The line comes to these planes, so its length is not 0.
    if (range.first[axis] < low[axis]) t = std::max(t, line.timeAt(axis, low[axis]).toDouble());
  }
  bool is_empty = false;
  for (int axis = 0; axis < 3; ++axis) {
    range.first[axis] = std::max({range.first[axis], low[axis], line.blockBefore(axis, t)});
    is_empty |= range.last[axis] < range.first[axis];
  }
  return !is_empty;
}

// Cuts the blocks to those in the box of loaded chunks; returns false if there are none.
template <class SearchLine>
FRACTALRAY_TARGET bool cutToBounds(const SearchLine& line, const ChunkBounds& bounds,
                                   BlockRange& range) {
  const ChunkCoord& min_chunk = bounds.min();
  const ChunkCoord& max_chunk = bounds.max();
  Vec3i low;
  bool is_before = false;
  bool is_empty = false;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t min_block = min_chunk[axis] << kChunkLog2;
    const std::int64_t max_block = (max_chunk[axis] << kChunkLog2) + 15;
    low[axis] = line.isMirrored(axis) ? ~max_block : min_block;
    const std::int64_t high = line.isMirrored(axis) ? ~min_block : max_block;
    range.last[axis] = std::min(range.last[axis], high);
    is_before |= range.first[axis] < low[axis];
    is_empty |= range.last[axis] < std::max(range.first[axis], low[axis]);
  }
  if (is_empty) return false;
  return !is_before || enterBounds(line, low, range);
}

// Sets the blocks of a level that a search covers; returns false if there are none.
template <class SearchLine>
FRACTALRAY_TARGET bool findRange(const SearchLine& line, const ChunkBounds& bounds,
                                 const TimeLimit& limit, BlockRange& range) {
  for (int axis = 0; axis < 3; ++axis) {
    range.first[axis] = line.firstBlock(axis);
    range.last[axis] = line.lastBlock(axis);
  }
  if (limit.isSet()) {
    const double t = limit.toDouble();
    for (int axis = 0; axis < 3; ++axis)
      range.last[axis] = std::min(range.last[axis], line.blockAfter(axis, t));
  }
  const Vec3i start = range.first;
  if (!cutToBounds(line, bounds, range)) return false;
  range.is_at_start = range.first == start;
  return true;
}

// Returns true if 64 bits hold F for every cube of a search, given log2 of the width of the largest
// one.
template <class SearchLine>
FRACTALRAY_TARGET bool fits64(const SearchLine& line, const BlockRange& range, int top) {
  const int of_width = line.shift() + top;
  // Bits of the distance from the start to the corner of a cube, on any axis.
  const int of_corner = range.is_at_start ? of_width : std::max(line.lengthBits(), of_width) + 1;
  return of_corner + line.lengthBits() + 2 < 63;
}

}  // namespace
}  // namespace fractalray::internal
