// SPDX-License-Identifier: Apache-2.0
// Convex polygons in a plane, for pictures.
#pragma once

#include <vector>

#include "../../core/vec.h"

namespace fractalray {

// The corners of a convex polygon in order; empty for none.
using Polygon = std::vector<Vec2d>;

// An axis-aligned rectangle of a plane.
struct PlaneWindow {
  Vec2d min{};
  Vec2d max{};
};

// Returns the convex hull of the points, counterclockwise with y upwards. One of two corners is a
// line, of one a point. Cost: sorts the points.
Polygon convexHull(std::vector<Vec2d> points);
// Returns the part of a convex polygon in a window; empty if it has no area.
Polygon clipped(const Polygon& polygon, const PlaneWindow& window);
// Returns the area, positive, and the centre of gravity. Requires: a corner.
double areaOf(const Polygon& polygon);
Vec2d centerOf(const Polygon& polygon);
// Returns the least window with all points. Requires: a point.
PlaneWindow windowAround(const std::vector<Vec2d>& points);

}  // namespace fractalray
