// SPDX-License-Identifier: Apache-2.0
// A segment as a line with times: its exact position at each t in [0, 1]. Bounds on a line (its
// end, a clip) bound t; times are always those of the whole line.
#pragma once

#include <cstdlib>
#include <optional>

#include "../../arithmetic/fraction.h"
#include "../../check.h"
#include "../../segment.h"
#include "../../vec.h"

namespace fractalray {

// Returns the time at which a reflected line begins. Requires: segment.begin.axes is not 0, and the
// line moves along the lowest of these axes.
Fraction beginTime(const FixedSegment& segment);

// A closed part [from, to] of a line's [0, 1].
struct TimeSpan {
  Fraction from = Fraction::zero();
  Fraction to = Fraction::one();
  // The axis of the plane through which the line comes in at `from`, the lowest one on a tie; -1 if
  // the line starts inside.
  int entry_axis = -1;
};

// The points from + t * delta. Clipping bounds t and never moves an end, so that it stays the same
// line. A value type; const use is safe from any thread.
class Line {
 public:
  // Requires: coordinates within kMaxCoordinate, as toUnits gives them.
  explicit Line(const FixedSegment& segment) : segment_(segment), delta_(segment.delta()) {
    for (int axis = 0; axis < 3; ++axis) {
      FRACTALRAY_DCHECK(std::abs(segment.from[axis]) <= kMaxCoordinate, axis, segment.from[axis]);
      FRACTALRAY_DCHECK(std::abs(segment.to[axis]) <= kMaxCoordinate, axis, segment.to[axis]);
    }
  }

  const FixedSegment& segment() const { return segment_; }
  const Vec3i& from() const { return segment_.from; }
  const Vec3i& delta() const { return delta_; }
  // Returns the time at which the line ends: 1, or earlier for a ray.
  Fraction end() const {
    return endsEarly() ? Fraction{segment_.end_time, kWholeLine} : Fraction::one();
  }
  bool endsEarly() const { return segment_.end_time != kWholeLine; }
  // Returns the position at end(), each coordinate rounded down to units.
  Vec3i endPosition() const;
  // The time at which it begins: 0, or later for a reflected line.
  Fraction begin() const { return beginsLater() ? beginTime(segment_) : Fraction::zero(); }
  bool beginsLater() const { return segment_.begin.axes != 0; }
  // Returns true if it is only a part of the way from `from` to `to`.
  bool isPart() const { return endsEarly() || beginsLater(); }
  // Returns true if the line was reflected, where it begins, in a plane perpendicular to the axis.
  bool isReflected(int axis) const { return ((segment_.begin.axes >> axis) & 1) != 0; }
  // Returns true if the segment has length zero.
  bool isPoint() const { return delta_ == Vec3i{}; }
  // Returns the length in finest-block widths, rounded.
  double lengthBlocks() const { return segment_.lengthBlocks(); }

  // Returns the times in [0, 1] at which the line is in the closed box [min, max], in units;
  // nothing if it misses the box. On a line that is a point the span is [0, 1].
  std::optional<TimeSpan> clip(const Vec3i& min, const Vec3i& max) const;

  // The first time in [begin(), 1] at which the line is in the closed cell
  // [cell, cell + 1] * 2^shift; the same as leaveTime() where it only touches the cell, at a
  // corner, an edge or with an end. Requires: it is in it at some such time.
  Fraction enterTime(const Vec3i& cell, int shift) const;

  // Returns the last time in [0, 1] at which the line is in the closed cell [cell, cell + 1] *
  // 2^shift. Requires: it is in it at some time.
  Fraction leaveTime(const Vec3i& cell, int shift) const;

  // Returns the cell of width 2^shift units in which the line is just after time `t`: a plane that
  // it crosses at `t` counts as crossed; a plane that it runs in belongs to the cell that floor
  // names.
  Vec3i cellAfter(const Fraction& t, int shift) const;

  // The cell of width 2^shift units in which a reflected line begins: that in which the path was
  // just before, on its way to the plane. So it lies on the reflected side of the planes that the
  // line was reflected in, and what the line crosses at that time on other axes lies ahead.
  // Requires: beginsLater().
  Vec3i firstCell(int shift) const;

  // The position at `t`, in finest-block widths, rounded.
  Vec3d pointAt(double t) const { return segment_.pointAt(t); }

 private:
  // Returns true if the line is in the closed cell at some time.
  bool touchesCell(const Vec3i& cell, int shift) const;

  FixedSegment segment_;
  Vec3i delta_;
};

}  // namespace fractalray
