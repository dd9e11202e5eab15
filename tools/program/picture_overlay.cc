// SPDX-License-Identifier: Apache-2.0
#include "picture_overlay.h"

#include <algorithm>
#include <optional>

namespace fractalray {
namespace {

// In pixels.
constexpr double kLineRadius = 1.4;
constexpr double kDotRadius = 2.6;
constexpr double kLargeDotRadius = 5;
constexpr double kRim = 1.2;  // of dots

// The part of an overlay that shines through a surface in front of it.
constexpr double kHiddenPart = 0.4;
// Lines that end on a surface are drawn in front of it, whatever their rounded distance.
constexpr double kSlack = 0.05;

// The distance at which a ray passes a point or line, and its distance along the ray, in
// finest-block widths.
struct Passing {
  double gap = 0;
  double distance = 0;
};

// Returns nothing for a point that is not in front of the eye.
std::optional<Passing> passPoint(const Vec3d& point, const Vec3d& eye, const Vec3d& direction) {
  const Vec3d to_point = point - eye;
  const double distance = dot(to_point, direction);
  if (distance <= 0) return std::nullopt;
  return Passing{length(to_point - direction * distance), distance};
}

// Returns the point of the line that is nearest to the ray.
Vec3d nearestOnLine(const PictureLine& line, const Vec3d& eye, const Vec3d& direction) {
  const Vec3d along = line.to - line.from;
  const Vec3d to_eye = line.from - eye;
  const double slope = dot(along, direction);
  const double spread = dot(along, along) - slope * slope;
  if (spread <= 0) return line.from;  // parallel to the ray
  const double part = (slope * dot(direction, to_eye) - dot(along, to_eye)) / spread;
  return line.from + along * std::clamp(part, 0.0, 1.0);
}

// Returns how much of a pixel is covered by a disc or a band of this radius, from 0 to 1.
double coverage(const Passing& passing, double radius_pixels, double pixel) {
  const double gap_pixels = passing.gap / (passing.distance * pixel);
  return std::clamp(radius_pixels + 0.5 - gap_pixels, 0.0, 1.0);
}

double visiblePart(const Passing& passing, double distance) {
  return passing.distance <= distance + kSlack ? 1 : kHiddenPart;
}

}  // namespace

Color drawOverlay(const PictureOverlay& overlay, const View& view, const Vec3d& eye,
                  const Vec3d& direction, double distance, Color seen) {
  for (const PictureLine& line : overlay.lines) {
    const auto passing = passPoint(nearestOnLine(line, eye, direction), eye, direction);
    if (!passing.has_value()) continue;
    const double part =
        coverage(*passing, kLineRadius, view.pixel) * visiblePart(*passing, distance);
    seen = mix(seen, toColor(line.color), part);
  }
  for (const PictureDot& each : overlay.dots) {
    const auto passing = passPoint(each.at, eye, direction);
    if (!passing.has_value()) continue;
    const double radius = each.is_large ? kLargeDotRadius : kDotRadius;
    const double visible = visiblePart(*passing, distance);
    seen = mix(seen, Color{}, coverage(*passing, radius + kRim, view.pixel) * visible);
    seen = mix(seen, toColor(each.color), coverage(*passing, radius, view.pixel) * visible);
  }
  return seen;
}

}  // namespace fractalray
