// SPDX-License-Identifier: Apache-2.0
// Lines and dots over a picture of a world: the lines of shots, and their hits.
#pragma once

#include <vector>

#include "../../core/vec.h"
#include "../../formats/image.h"
#include "camera.h"
#include "light.h"

namespace fractalray {

// A line between two points, in finest-block widths, of the same width at any distance.
struct PictureLine {
  Vec3d from{};
  Vec3d to{};
  Rgb color{};
};

struct PictureDot {
  Vec3d at{};
  Rgb color{};
  bool is_large = false;
};

struct PictureOverlay {
  std::vector<PictureLine> lines{};
  std::vector<PictureDot> dots{};
};

// Returns the colour in a direction of length 1: `seen`, a surface at this distance (infinite for
// the sky), with the overlay in front of it. Parts hidden by the surface shine through faintly.
Color drawOverlay(const PictureOverlay& overlay, const View& view, const Vec3d& eye,
                  const Vec3d& direction, double distance, Color seen);

}  // namespace fractalray
