// SPDX-License-Identifier: Apache-2.0
// The perspective in which an eye sees a box.
#pragma once

#include <vector>

#include "../../core/fixed_box.h"
#include "../../query/sight.h"
#include "polygon.h"

namespace fractalray {

// Projects what is in front of an eye onto a plane: that of the face of a box which is farthest in
// front of the eye. The box is in front of the eye as a whole, straight lines stay straight, and
// blocks parallel to the plane stay squares. Points of the plane are in finest-block widths from
// the foot of the eye: to the right, and upwards, with axes as in the pictures of `render`. Rounds:
// for drawing.
class EyeView {
 public:
  // A face of a box as the eye sees it.
  struct SeenFace {
    int axis = 0;
    Polygon outline;
  };

  // Requires: the eye is not in the closed box.
  explicit EyeView(const SightQuery& query);

  // The axis of the plane; the axis that points to the right, or its opposite if rightwards() is
  // -1; and the axis that points upwards.
  int axis() const { return axis_; }
  int acrossAxis() const { return across_; }
  int upAxis() const { return up_; }
  int rightwards() const { return rightwards_; }
  // The coordinate of the plane, in units, and its distance from the eye.
  std::int64_t plane() const { return plane_; }
  double distance() const { return distance_; }

  // Returns the distance of a point, relative to the eye, from the eye's own plane, positive in
  // front; the projection of one with a positive distance; and the point of the plane, relative to
  // the eye, from its projection.
  double depthOf(const Vec3d& point) const { return sign_ * point[axis_]; }
  Vec2d project(const Vec3d& point) const;
  Vec3d pointAt(const Vec2d& projected) const;

  // Returns the outline of what is of a box in front of the eye; empty if nothing is.
  Polygon outlineOf(const FixedBox& box) const;
  // Returns the faces that are turned to the eye, likewise; the one parallel to the plane last.
  std::vector<SeenFace> facesOf(const FixedBox& box) const;
  // Returns the boxes of which the interior is before the target: the parts of an occluder that
  // hide it.
  std::vector<FixedBox> partsBefore(const FixedBox& occluder) const;
  // Returns the time at which a line from the eye through eye + direction enters the target; 0 if
  // it misses it.
  double entryTime(const Vec3d& direction) const;

 private:
  // A box relative to the eye, cut off in front of it; empty if depth_from >= depth_to.
  struct Cut {
    Vec3d min{};
    Vec3d max{};
    bool is_empty = true;
  };
  Cut cut(const FixedBox& box) const;

  SightQuery query_;
  int axis_ = 0;
  int across_ = 0;
  int up_ = 1;
  int rightwards_ = 1;
  double sign_ = 1;
  std::int64_t plane_ = 0;
  double distance_ = 0;
};

}  // namespace fractalray
