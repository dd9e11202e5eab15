// SPDX-License-Identifier: Apache-2.0
// Directions well inside a zone: the ones in which rays are shot.
#pragma once

#include <array>

#include "unit_box.h"
#include "zone.h"

namespace fractalray::internal {

// A direction near the middle of a zone, and the zone's size: rounded, to choose by, never to
// decide.
struct ZoneMiddle {
  std::array<double, 3> direction{};
  double size = 0;  // the area of a box around it in a plane, in which 1 is the plane's distance
};
// Requires: the zone is open and lies in the shadow of the box, and min is not 0 on all axes.
ZoneMiddle middleOf(const Zone& zone, const UnitBox& box);

// An exact direction strictly inside a zone.
struct InnerDirection {
  WideDirection w{};
  // True if `w` is a point of the box in units. That of innerDirection() is on a face through which
  // a line from the origin enters: the line along w comes to the box at exactly the time 1.
  bool is_unit = false;
};
// Returns a direction inside an open zone: the point of the box nearest to the middle, if it is
// inside, else the sum of the zone's corners, which always is. Its components are greater than 0
// and have at most 2 d + 3 bits, if coordinates have d. Requires: as above.
InnerDirection innerDirection(const Zone& zone, const UnitBox& box);
// The same, if the middle of the zone is known.
InnerDirection innerDirection(const Zone& zone, const ZoneMiddle& middle, const UnitBox& box);

// Returns the sum of the corners of an open zone, the directions in which its sides cross, each
// reduced to lowest terms.
WideDirection sumOfCorners(const Zone& zone);

}  // namespace fractalray::internal
