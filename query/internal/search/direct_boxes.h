// SPDX-License-Identifier: Apache-2.0
// The line of a direct search at a block whose shape is of boxes. For one instruction set, as
// direct_search_lanes.h, which includes this.
//
// A box is to the line as a block is (direct_line.h): with F at its lower corner, which differs
// from that of the block by products of the box's coordinates with lengths of the line, signs say
// through which plane the line enters the box, and if it does so before it leaves through another
// one. Unless one of these signs is 0 for some box, no corner policy matters, and the outcome is
// that of crossShape() (shape_crossing.h); otherwise that decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../../../core/arithmetic/fraction.h"
#include "../../../core/vec.h"
#include "../../../levels/block_shape.h"
#include "../../../levels/internal/shape_crossing.h"
#include "direct_line.h"
#include "direct_search.h"

#ifndef FRACTALRAY_TARGET
#define FRACTALRAY_TARGET
#endif

namespace fractalray::internal {
namespace {

// A single use for one block that the line enters through a face, from another block. Lanes:
// PathLanes, or one with the same members.
template <class Lanes>
class DirectBoxes {
 public:
  // Takes the block (mirrored) and F at its lower corner. Requires: the line is not rounded.
  FRACTALRAY_TARGET DirectBoxes(const DirectLine<Lanes>& line, const CrossProducts& f,
                                const Vec3i& block)
      : line_(line), f_(f) {
    for (int axis = 0; axis < 3; ++axis)
      corner_[axis] = (block[axis] << line.shift()) - line.start(axis);
  }

  // Finds where the line enters the first box, and leaves the last one; kUnclear on a tie.
  FRACTALRAY_TARGET DirectOutcome cross(std::span<const ShapeBox> boxes) {
    for (const ShapeBox& box : boxes) {
      if (!add(box)) return DirectOutcome::kUnclear;
    }
    return axis_ < 0 ? DirectOutcome::kNone : DirectOutcome::kFound;
  }
  // Returns the same as crossShape(). Requires: the outcome was kFound.
  FRACTALRAY_TARGET ShapeCrossing crossing() const {
    const auto i = static_cast<std::size_t>(axis_);
    const bool runs_up = !line_.isMirrored(axis_);
    return {.enter = {way_, line_.length(axis_)},
            .leave = leave_,
            .face = {static_cast<std::int8_t>(axis_), static_cast<std::int8_t>(runs_up ? -1 : 1)},
            .plane = runs_up ? first_->min[i] : first_->max[i]};
  }

 private:
  // A box, mirrored: its lower corner from that of the block, and its widths, in units.
  struct Mirrored {
    Vec3i min;
    Vec3i width;
  };

  FRACTALRAY_TARGET Mirrored mirrored(const ShapeBox& box) const {
    Mirrored result;
    const int shift = line_.shift() - kShapeShift;
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      const auto min = static_cast<std::int64_t>(box.min[i]);
      const auto max = static_cast<std::int64_t>(box.max[i]);
      // On a mirrored axis the distance of the upper face from that of the block, without a branch.
      const std::int64_t sign = line_.sign(axis);
      const std::int64_t from_face = (sign & kShapeUnits) - sign;
      result.min[axis] = (((min ^ ((min ^ max) & sign)) ^ sign) + from_face) << shift;
      result.width[axis] = (max - min) << shift;
    }
    return result;
  }

  // Returns the axis of the plane through which the line enters a box with that F at its lower
  // corner, or kNotVisited or kTie, as DirectLine::entryAxis() does for a block.
  FRACTALRAY_TARGET int entryAxis(const CrossProducts& f, const Vec3i& width) const {
    using LineHere = DirectLine<Lanes>;
    const int axis = LineHere::latestAxis(f, 0);
    if (axis == kTie) return kTie;
    const std::int64_t length = line_.length(axis);
    const std::int64_t lower = LineHere::withLower(f)[axis] + width[axis == 0 ? 1 : 0] * length;
    const std::int64_t higher = LineHere::withHigher(f)[axis] + width[axis == 2 ? 1 : 2] * length;
    return LineHere::entryUnlessLeft(axis, lower, higher, 0);
  }
  // Returns the time at which the line leaves a box that it visits: that of the earliest of the
  // upper planes, the lowest axis on a tie, and not after the end.
  FRACTALRAY_TARGET Fraction leaveTime(const CrossProducts& f, const Mirrored& at) const {
    const auto is_earlier = [&](std::int64_t of_plane, int axis, int other) {
      return of_plane + at.width[other] * line_.length(axis) >=
             at.width[axis] * line_.length(other);
    };
    int axis = is_earlier(f.yz, 1, 2) ? 1 : 2;
    if (is_earlier(f.xy, 0, 1) && is_earlier(f.xz, 0, 2) && line_.length(0) != 0) axis = 0;
    return DirectLine<Lanes>::notAfterEnd(
        {corner_[axis] + at.min[axis] + at.width[axis], line_.length(axis)});
  }

  // Adds a box; returns false on a tie.
  FRACTALRAY_TARGET bool add(const ShapeBox& box) {
    const Mirrored at = mirrored(box);
    const CrossProducts f{.xy = f_.xy + at.min[1] * line_.length(0) - at.min[0] * line_.length(1),
                          .xz = f_.xz + at.min[2] * line_.length(0) - at.min[0] * line_.length(2),
                          .yz = f_.yz + at.min[2] * line_.length(1) - at.min[1] * line_.length(2)};
    const int axis = entryAxis(f, at.width);
    if (axis == kNotVisited) return true;
    if (axis == kTie) return false;
    const std::int64_t way = corner_[axis] + at.min[axis];
    if (way >= line_.length(axis)) return way > line_.length(axis);  // or the line ends before
    addLeave(leaveTime(f, at));
    const std::int64_t earlier =
        axis_ < 0 ? 1 : way_ * line_.length(axis) - way * line_.length(axis_);
    if (earlier > 0) {
      axis_ = axis;
      way_ = way;
      first_ = &box;
    }
    return earlier != 0 || axis == axis_;
  }
  FRACTALRAY_TARGET void addLeave(const Fraction& leave) {
    if (axis_ < 0 || leave_ < leave) leave_ = leave;
  }

  static constexpr int kShapeShift = 16;  // log2 of kShapeUnits

  const DirectLine<Lanes>& line_;
  const CrossProducts& f_;
  Vec3i corner_;  // of the block, from the start

  // The box that is entered first, if axis_ is not -1: the axis of the face, and the way to it.
  int axis_ = -1;
  std::int64_t way_ = 0;
  const ShapeBox* first_ = nullptr;
  Fraction leave_;  // of all boxes
};

}  // namespace
}  // namespace fractalray::internal
