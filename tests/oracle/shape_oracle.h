// SPDX-License-Identifier: Apache-2.0
// Entities, the obvious way: when a segment is in a closed shape, and which chunks a shape touches,
// with exact fractions and roots. Section 4 of the contract.
#pragma once

#include <optional>
#include <vector>

#include "../../core/frame.h"
#include "../../core/segment.h"
#include "../../core/vec.h"
#include "../../entities/shape.h"
#include "exact.h"

namespace fractalray::oracle {

// The part of a segment in a closed shape, from where the segment begins.
struct Meeting {
  ExactTime enter;      // where it begins if it starts inside
  double t_exit = 0;    // rounded
  bool inside = false;  // true if it starts inside
  int entry_axis = -1;  // of a box: the lowest axis whose plane it enters through
};

std::optional<Meeting> meetShape(const FixedSegment& segment, const FixedShape& shape,
                                 const Vec3i& center);

// Returns the part [enter, exit] of [0, 1] in the closed box [min, max]; nullopt if there is none.
// A segment of length zero in the box gives [0, 1].
struct BoxPart {
  Rational enter = 0;
  Rational exit = 1;
  int entry_axis = -1;
};
std::optional<BoxPart> partInBox(const FixedSegment& segment, const Vec3i& min, const Vec3i& max);

bool meetsClosedBox(const FixedShape& shape, const Vec3i& center, const Vec3i& min,
                    const Vec3i& max);

// Returns the finest level with radius < C(level); nullopt if there is none.
std::optional<int> indexLevelOf(const Frame& frame, const FixedShape& shape);
// Returns the chunks of `level` whose closed cube touches the closed shape, sorted.
std::vector<ChunkCoord> overlappedChunks(const Frame& frame, int level, const FixedShape& shape,
                                         const Vec3i& center);

}  // namespace fractalray::oracle
