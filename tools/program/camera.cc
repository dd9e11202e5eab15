// SPDX-License-Identifier: Apache-2.0
#include "camera.h"

#include <cmath>
#include <numbers>

#include "absl/strings/str_cat.h"

#include "text_table.h"

namespace fractalray {
namespace {

Vec3d cross(const Vec3d& a, const Vec3d& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Returns tan(degrees / 2), rounded so that all mathematics libraries agree.
double halfTangent(double degrees) {
  constexpr double kSteps = 1 << 30;
  return std::round(std::tan(degrees * std::numbers::pi / 360) * kSteps) / kSteps;
}

}  // namespace

Vec3d View::direction(double across, double upwards) const {
  const Vec3d direction = forward + right * across + up * upwards;
  return direction / length(direction);
}

absl::StatusOr<View> viewOf(const Camera& camera, int width, int height) {
  if (width < 1 || height < 1 || width > 16384 || height > 16384) {
    return absl::InvalidArgumentError(absl::StrCat("the picture is ", width, " x ", height,
                                                   " pixels; each side must be from 1 to 16384"));
  }
  if (!(camera.field_of_view_degrees > 0 && camera.field_of_view_degrees < 180)) {
    return absl::InvalidArgumentError(absl::StrCat("the field of view is ",
                                                   camera.field_of_view_degrees,
                                                   " degrees; it must be between 0 and 180"));
  }
  const Vec3d look = camera.target - camera.position;
  if (!(length(look) > 0) || !std::isfinite(length(look))) {
    return absl::InvalidArgumentError(
        absl::StrCat("the camera looks from ", formatPoint(camera.position), " at ",
                     formatPoint(camera.target), "; give two finite points that differ"));
  }
  View view;
  view.forward = look / length(look);
  // Looking straight up or down, the top of the picture is towards +z.
  const bool is_vertical = std::abs(view.forward[1]) > 1 - 1e-9;
  const Vec3d upwards = is_vertical ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0};
  // Luanti's axes are left-handed: x to the right, y up, z ahead.
  const Vec3d side = cross(upwards, view.forward);
  const Vec3d right = side / length(side);
  const double half_width = halfTangent(camera.field_of_view_degrees);
  view.right = right * half_width;
  view.up = cross(view.forward, right) * (half_width * height / width);
  view.pixel = 2 * half_width / width;
  return view;
}

std::optional<Camera> overviewCamera(const World& world) {
  const int finest = world.frame().levels() - 1;
  const std::optional<ChunkBox> loaded = world.loadedBox(finest);
  if (!loaded.has_value()) return std::nullopt;
  Vec3d min;
  Vec3d size;
  for (int axis = 0; axis < 3; ++axis) {
    min[axis] = static_cast<double>(loaded->min[axis] * kChunkSize);
    size[axis] = static_cast<double>((loaded->max[axis] + 1) * kChunkSize) - min[axis];
  }
  Camera camera;
  camera.position = min + Vec3d{-0.35 * size[0], 1.1 * size[1], -0.35 * size[2]};
  camera.target = min + Vec3d{0.5 * size[0], 0.3 * size[1], 0.5 * size[2]};
  return camera;
}

}  // namespace fractalray
