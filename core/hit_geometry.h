// SPDX-License-Identifier: Apache-2.0
// What every hit tells of its place on the line, whatever has been hit.
#pragma once

#include "face.h"
#include "vec.h"

namespace fractalray {

struct HitGeometry {
  double t = 0;  // at entry; 0 at the segment's start, 1 at its end
  double t_exit =
      0;  // the last t in [0, 1] in the closed block or shape, never cut at a terminal hit
  Face face = Face::none();   // entered through; none where the start is inside, and for spheres
  Vec3d normal{};             // outward, of length 1; zero where the start is inside
  bool start_inside = false;  // whether the segment starts inside of the block or shape
  Vec3d point{};              // at t, in finest-block widths
  double distance = 0;        // from the segment's start, in finest-block widths
};

}  // namespace fractalray
