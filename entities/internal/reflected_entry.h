// SPDX-License-Identifier: Apache-2.0
// How a line that has been reflected comes into a shape: what counts at exactly the time at which
// it begins.
#pragma once

#include <optional>

#include "../../core/internal/geometry/hit_time.h"
#include "../../core/internal/geometry/line.h"
#include "../../core/vec.h"
#include "../shape.h"

namespace fractalray::internal {

struct ShapeEntry {
  HitTime time;
  bool starts_inside = false;
  // Of a box: the axis of the face that the line comes in through, the lowest on a tie; -1 if it
  // starts inside.
  int axis = -1;
};

// Returns how a reflected line, from begin() on, comes into the closed shape around `center`;
// nothing if it does not.
//
// Laws, each with its test in reflected_entry_test.cc:
//   1. a shape that lies on the other side of a plane that the line was reflected in, wholly and
//      also if it touches the plane, is never met: the box just hit is one of these;
//   2. a box that the line comes into at begin() on an axis that it was not reflected on is met
//      then, through that face, and so is a sphere that the line comes into at begin(); not if
//      begin() is 0, as a line that starts on a face starts inside;
//   3. the line starts inside of every other shape that has the point at begin(), and meets it
//   then;
//   4. everything else is met when the whole line comes into it, if that is later than begin().
//
// Exact, as intersect(). Requires: line.beginsLater(); centre and reach within kMaxCoordinate.
std::optional<ShapeEntry> enterReflected(const Line& line, const FixedShape& shape,
                                         const Vec3i& center);

}  // namespace fractalray::internal
