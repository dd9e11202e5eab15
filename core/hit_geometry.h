// SPDX-License-Identifier: Apache-2.0
// The geometry of a hit: time, point, normal and face.
#pragma once

#include "face.h"
#include "vec.h"

namespace fractalray {

struct HitGeometry {
  // The time of entry: 0 at FixedSegment::from, 1 at FixedSegment::to. A ray ends at its end time,
  // usually long before 1 (ray.h).
  double t = 0;
  // The last t in [0, 1] in the closed block or shape, also if the query ended before it.
  double t_exit = 0;
  // From the segment's start to the hit, in finest-block widths.
  double distance = 0;
  // The point of the line at t, in finest-block widths.
  Vec3d point{};
  // Points outward, of length 1; zero if the start is inside.
  Vec3d normal{};
  // The face that was entered through; none if the start is inside, and for spheres.
  Face face = Face::none();
  // True if the segment starts in the block or shape.
  bool start_inside = false;
};

}  // namespace fractalray
