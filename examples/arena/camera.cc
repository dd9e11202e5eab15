// SPDX-License-Identifier: Apache-2.0
#include "camera.h"

namespace arena {
namespace {

constexpr double kReach = 1000;  // of rays, in blocks

Vec3d cross(const Vec3d& a, const Vec3d& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vec3d unit(const Vec3d& v) {
  return v / length(v);
}

}  // namespace

Camera Camera::perspective(const Vec3d& from, const Vec3d& to, double width) {
  Camera camera;
  camera.from_ = from;
  camera.forward_ = unit(to - from);
  camera.right_ = unit(cross(camera.forward_, {0, 1, 0}));
  camera.up_ = cross(camera.right_, camera.forward_);
  camera.width_ = width;
  return camera;
}

Camera Camera::map(const Vec3d& center, double width) {
  Camera camera;
  camera.from_ = center;
  camera.forward_ = {0, -1, 0};
  camera.right_ = {1, 0, 0};
  camera.up_ = {0, 0, -1};
  camera.width_ = width;
  camera.is_map_ = true;
  return camera;
}

Ray Camera::ray(double x, double y, int width, int height) const {
  const double across = (x / width - 0.5) * width_;
  const double up = (0.5 * height - y) / width * width_;
  const Vec3d aside = right_ * across + up_ * up;
  if (is_map_) return {.origin = from_ + aside, .direction = forward_, .max_distance = kReach};
  return {.origin = from_, .direction = unit(forward_ + aside), .max_distance = kReach};
}

std::optional<Pixel> Camera::pixel(const Vec3d& point, int width, int height) const {
  const Vec3d to = point - from_;
  const double ahead = dot(to, forward_);
  if (ahead < 0.1) return std::nullopt;
  const double scale = width / (is_map_ ? width_ : width_ * ahead);
  return Pixel{.x = 0.5 * width + dot(to, right_) * scale,
               .y = 0.5 * height - dot(to, up_) * scale,
               .distance = is_map_ ? ahead : length(to),
               .scale = scale};
}

}  // namespace arena
