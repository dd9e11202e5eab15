// SPDX-License-Identifier: Apache-2.0
#include "eye_view.h"

#include <algorithm>

#include "../../core/check.h"
#include "../../core/units.h"

namespace fractalray {
namespace {

// Nearer to the eye's plane than this part of the picture's distance, nothing is drawn: there the
// projection has no bound.
constexpr double kNearestPart = 1.0 / 4096;

// Returns how far the eye is from the slab of a box along an axis; 0 in it.
std::int64_t gapOf(const SightQuery& query, int axis) {
  return std::max({query.box.min[axis] - query.eye[axis], query.eye[axis] - query.box.max[axis],
                   std::int64_t{0}});
}

}  // namespace

EyeView::EyeView(const SightQuery& query) : query_(query) {
  for (int axis = 1; axis < 3; ++axis) {
    if (gapOf(query, axis) > gapOf(query, axis_)) axis_ = axis;
  }
  FRACTALRAY_CHECK(gapOf(query, axis_) > 0);
  const bool is_upwards = query.eye[axis_] < query.box.min[axis_];
  sign_ = is_upwards ? 1 : -1;
  plane_ = is_upwards ? query.box.min[axis_] : query.box.max[axis_];
  distance_ = toBlocks(gapOf(query, axis_));
  // Left-handed, as camera.cc: the product of the upward and the forward axis points to the right.
  // Along y, z points upwards.
  up_ = axis_ == 1 ? 2 : 1;
  across_ = 3 - axis_ - up_;
  const bool is_even = (up_ + 1) % 3 == axis_;
  rightwards_ = is_even == is_upwards ? 1 : -1;
}

Vec2d EyeView::project(const Vec3d& point) const {
  const double scale = distance_ / depthOf(point);
  return {point[across_] * rightwards_ * scale, point[up_] * scale};
}

Vec3d EyeView::pointAt(const Vec2d& projected) const {
  Vec3d point;
  point[axis_] = sign_ * distance_;
  point[across_] = projected[0] * rightwards_;
  point[up_] = projected[1];
  return point;
}

EyeView::Cut EyeView::cut(const FixedBox& box) const {
  Cut part{.min = toBlocks(box.min - query_.eye), .max = toBlocks(box.max - query_.eye)};
  const double nearest = distance_ * kNearestPart;
  if (sign_ > 0) {
    part.min[axis_] = std::max(part.min[axis_], nearest);
  } else {
    part.max[axis_] = std::min(part.max[axis_], -nearest);
  }
  part.is_empty = part.min[axis_] > part.max[axis_];
  return part;
}

Polygon EyeView::outlineOf(const FixedBox& box) const {
  const Cut part = cut(box);
  if (part.is_empty) return {};
  std::vector<Vec2d> corners;
  for (unsigned corner = 0; corner < 8; ++corner) {
    Vec3d point;
    for (int axis = 0; axis < 3; ++axis)
      point[axis] = ((corner >> axis) & 1U) != 0 ? part.max[axis] : part.min[axis];
    corners.push_back(project(point));
  }
  return convexHull(std::move(corners));
}

std::vector<EyeView::SeenFace> EyeView::facesOf(const FixedBox& box) const {
  std::vector<SeenFace> faces;
  const Cut part = cut(box);
  if (part.is_empty) return faces;
  for (const int axis : {across_, up_, axis_}) {
    if (part.min[axis] <= 0 && part.max[axis] >= 0) continue;
    const double at = part.min[axis] > 0 ? part.min[axis] : part.max[axis];
    std::vector<Vec2d> corners;
    for (unsigned corner = 0; corner < 4; ++corner) {
      Vec3d point;
      point[axis] = at;
      for (int other = 1; other < 3; ++other) {
        const int along = (axis + other) % 3;
        point[along] = ((corner >> (other - 1)) & 1U) != 0 ? part.max[along] : part.min[along];
      }
      corners.push_back(project(point));
    }
    faces.push_back({axis, convexHull(std::move(corners))});
  }
  return faces;
}

std::vector<FixedBox> EyeView::partsBefore(const FixedBox& occluder) const {
  std::vector<FixedBox> parts;
  for (int axis = 0; axis < 3; ++axis) {
    if (gapOf(query_, axis) == 0) continue;
    FixedBox part = occluder;
    if (query_.eye[axis] < query_.box.min[axis]) {
      part.max[axis] = std::min(part.max[axis], query_.box.min[axis]);
    } else {
      part.min[axis] = std::max(part.min[axis], query_.box.max[axis]);
    }
    if (part == occluder) return {part};
    if (part.min[axis] < part.max[axis]) parts.push_back(part);
  }
  return parts;
}

double EyeView::entryTime(const Vec3d& direction) const {
  double time = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (gapOf(query_, axis) == 0 || direction[axis] == 0) continue;
    const bool is_upwards = query_.eye[axis] < query_.box.min[axis];
    const std::int64_t face = is_upwards ? query_.box.min[axis] : query_.box.max[axis];
    time = std::max(time, toBlocks(face - query_.eye[axis]) / direction[axis]);
  }
  // The product may miss the coordinate of the face that is entered, by rounding.
  const double slack = 1e-9 * distance_;
  for (int axis = 0; axis < 3; ++axis) {
    const double at = direction[axis] * time;
    const bool is_inside = at >= toBlocks(query_.box.min[axis] - query_.eye[axis]) - slack &&
                           at <= toBlocks(query_.box.max[axis] - query_.eye[axis]) + slack;
    if (!is_inside) return 0;
  }
  return time;
}

}  // namespace fractalray
