// SPDX-License-Identifier: Apache-2.0
#include "reflection.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"

#include "../../../core/internal/geometry/line.h"
#include "../../../core/internal/number_text.h"
#include "../../../core/units.h"
#include "../../../levels/internal/shape_crossing.h"
#include "../search/query_checks.h"

namespace fractalray::internal {
namespace {

absl::Status cannotReflect(const Hit& hit, absl::string_view why, absl::string_view remedy) {
  return absl::InvalidArgumentError(
      absl::StrCat("cannot reflect the line at its hit at t ", hit.t, ": ", why, "; ", remedy));
}

absl::Status hasNoFace(const Hit& hit) {
  if (hit.start_inside) {
    return cannotReflect(hit, "the line starts inside of it, so it enters through no face",
                         "set skip_start_inside to find what it enters");
  }
  return cannotReflect(hit, "a sphere has no face",
                       "shoot a new line from the hit's point along a direction that is mirrored "
                       "by its normal");
}

absl::Status isOtherLine(const Hit& hit) {
  return cannotReflect(
      hit,
      absl::StrCat("the line does not enter through face ", std::string(faceName(hit.face)),
                   " then"),
      "give the line, in units, that was shot (ShotResult::segment), and its own hit");
}

absl::Status leavesFrame(const Hit& hit, const char* end, int axis, std::int64_t coordinate) {
  return absl::OutOfRangeError(
      absl::StrCat("the line reflected at its hit at t ", hit.t, " has ", end, ".", axisName(axis),
                   " at ", coordinate,
                   " units; the frame ends at 2^61: shoot a shorter line, or a new one from "
                   "the hit's point"));
}

// Returns true if the plane of the hit's face is in the frame, and sets `plane` to it, in units.
bool findPlane(const Hit& hit, const Frame& frame, std::int64_t& plane) {
  const std::int8_t axis = hit.face.axis;
  if (hit.isBlock()) {
    if (!frame.isActive(hit.level) || hit.plane > kShapeUnits) return false;
    const int shift = frame.blockShift(hit.level);
    const std::int64_t limit = kMaxCoordinate >> shift;
    if (hit.block[axis] < -limit || hit.block[axis] > limit) return false;
    plane = internal::placedPlane(hit.block[axis], hit.plane, shift);
  } else {
    const std::int64_t half = hit.shape.half_extents[axis];
    if (half < 0 || half > kMaxCoordinate || !isInFrame(hit.position[axis])) return false;
    plane = hit.position[axis] + (hit.face.sign > 0 ? half : -half);
  }
  return isInFrame(plane);
}

// Returns true if the line crosses the plane from the outside of the face, at the time of the hit.
bool crossesFace(const FixedSegment& line, const Hit& hit, const FixedSegment& until_plane) {
  const std::int8_t axis = hit.face.axis;
  const std::int64_t delta = line.to[axis] - line.from[axis];
  if (delta == 0 || (delta > 0) == (hit.face.sign > 0) || !crossesBegin(until_plane)) return false;
  const Fraction time = beginTime(until_plane);
  if (line.begin.axes != 0 && time < beginTime(line)) return false;
  // The hit's t may have been rounded from the plane of another axis that was crossed at that time.
  return std::abs(time.toDouble() - hit.t) <= hit.t * 0x1p-48;
}

}  // namespace

absl::StatusOr<FixedSegment> reflect(const FixedSegment& line, const Hit& hit, const Frame& frame) {
  absl::Status status = checkSegment(line);
  if (!status.ok()) return status;
  if (hit.kind == Hit::Kind::kNone) {
    return absl::InvalidArgumentError(
        "cannot reflect a line at a hit of kind kNone: nothing was hit");
  }
  if (!hit.face.exists()) return hasNoFace(hit);
  const std::int8_t axis = hit.face.axis;
  FixedSegment reflected = line;
  if (axis > 2 || !findPlane(hit, frame, reflected.begin.plane)) return isOtherLine(hit);
  reflected.begin.axes = static_cast<std::uint8_t>(1U << axis);
  if (!crossesFace(line, hit, reflected)) return isOtherLine(hit);
  const std::int64_t plane = reflected.begin.plane;
  // At a corner the line has been reflected on other axes at the same time.
  if (line.begin.axes != 0 && beginTime(line) == beginTime(reflected)) {
    if (std::countr_zero(line.begin.axes) < axis) reflected.begin.plane = line.begin.plane;
    reflected.begin.axes |= line.begin.axes;
  }
  reflected.from[axis] = 2 * plane - line.from[axis];
  reflected.to[axis] = 2 * plane - line.to[axis];
  if (!isInFrame(reflected.from[axis])) {
    return leavesFrame(hit, "from", axis, reflected.from[axis]);
  }
  if (!isInFrame(reflected.to[axis])) return leavesFrame(hit, "to", axis, reflected.to[axis]);
  return reflected;
}

}  // namespace fractalray::internal
