// SPDX-License-Identifier: Apache-2.0
// The walk of a line over a grid of cubes, from where the line begins.
#pragma once

#include <cstdint>

#include "../../corner_policy.h"
#include "../../grid_walk.h"
#include "line.h"

namespace fractalray::internal {

// Returns the walk over cells of width 2^shift units: that of GridWalk, and of a reflected line
// from Line::firstCell() on. It does not end where the line ends early. Cost: that of a GridWalk.
inline GridWalk<3> walkAlong(const Line& line, int shift, CornerPolicy policy) {
  const std::int64_t width = std::int64_t{1} << shift;
  GridWalk<3> walk(line.from(), line.segment().to, {width, width, width}, policy);
  if (line.beginsLater()) walk.startAt(line.firstCell(shift), line.begin());
  return walk;
}

}  // namespace fractalray::internal
