// SPDX-License-Identifier: Apache-2.0
// Entry of a reflected line into a shape: which shapes it hits at exactly the time at which the
// line begins.
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
  // For a box, the axis of the face through which the line enters, the lowest on a tie; -1 if the
  // line starts inside.
  int axis = -1;
};

// Returns how a reflected line, from begin() on, enters the closed shape around `center`; nothing
// if the line misses the shape.
//
// Laws, each with its test in reflected_entry_test.cc:
//   1. a shape that lies wholly on the other side of a plane in which the line was reflected is
//      never hit, not even if it touches the plane: the box just hit is one of these;
//   2. a box that the line enters at begin() on an axis on which it was not reflected is hit then,
//      through that face, and so is a sphere that the line enters at begin(); not if begin() is 0,
//      since a line that starts on a face starts inside;
//   3. the line starts inside every other shape that contains the point at begin(), and hits that
//      shape then;
//   4. every other shape is hit when the whole line enters it, if that is later than begin().
//
// Exact, as intersect() is. Requires: line.beginsLater(); centre and reach within kMaxCoordinate.
std::optional<ShapeEntry> enterReflected(const Line& line, const FixedShape& shape,
                                         const Vec3i& center);

}  // namespace fractalray::internal
