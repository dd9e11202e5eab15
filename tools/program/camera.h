// SPDX-License-Identifier: Apache-2.0
// The camera of a picture.
#pragma once

#include <optional>

#include "absl/status/statusor.h"

#include "../../core/vec.h"
#include "../../levels/world.h"

namespace fractalray {

// A pinhole camera in finest-block widths; y is up, as in Luanti.
struct Camera {
  Vec3d position{};
  Vec3d target{};                     // the point in the middle of the picture
  double field_of_view_degrees = 70;  // from the left to the right edge
};

// The directions of a camera: `forward` has length 1 and points to the middle of the picture;
// `right` and `up` point from there to its edges.
struct View {
  Vec3d forward{};
  Vec3d right{};
  Vec3d up{};
  double pixel = 0;  // the width of a pixel at distance 1

  // Returns the direction, of length 1, to a point of the picture: from -1 to 1 from left to right
  // and from bottom to top.
  Vec3d direction(double across, double upwards) const;
};

// Returns the view of a camera on a picture of this size in pixels; INVALID_ARGUMENT if they make
// no picture. The same numbers on every machine, whatever its mathematics library.
absl::StatusOr<View> viewOf(const Camera& camera, int width, int height);

// Returns a camera above a corner of the finest level's loaded chunks that sees all of them;
// nothing if none is loaded.
std::optional<Camera> overviewCamera(const World& world);

}  // namespace fractalray
