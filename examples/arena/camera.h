// SPDX-License-Identifier: Apache-2.0
// Cameras: a ray for each pixel, and a pixel for each point.
#pragma once

#include <optional>

#include "fractalray/fractalray.h"

namespace arena {

using namespace fractalray;

// A point of a picture, counted in pixels from its top left corner.
struct Pixel {
  double x = 0;
  double y = 0;
  double distance = 0;  // from the camera, along the ray of the pixel
  double scale = 0;     // pixels for a block at that distance
};

class Camera {
 public:
  // Returns a camera at `from` that faces `to`; `width` is that of the view at distance 1.
  static Camera perspective(const Vec3d& from, const Vec3d& to, double width);
  // Returns a camera that shows a part of the world, `width` blocks wide, from straight above.
  static Camera map(const Vec3d& center, double width);

  // Returns the ray through a point of a picture, and the point of it at which a point of the world
  // is seen: nothing if that is at the back of the camera. Sizes are in pixels.
  Ray ray(double x, double y, int width, int height) const;
  std::optional<Pixel> pixel(const Vec3d& point, int width, int height) const;

 private:
  Vec3d from_{};
  Vec3d forward_{};  // these three are of length 1
  Vec3d right_{};
  Vec3d up_{};
  double width_ = 1;
  bool is_map_ = false;
};

}  // namespace arena
