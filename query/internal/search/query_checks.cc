// SPDX-License-Identifier: Apache-2.0
#include "query_checks.h"

#include <bit>
#include <string>

#include "absl/strings/str_cat.h"

#include "../../../core/internal/geometry/line.h"
#include "../../../core/internal/number_text.h"

namespace fractalray::internal {
namespace {

absl::Status checkEndTime(const FixedSegment& segment) {
  if (hasEnd(segment)) return absl::OkStatus();
  if (segment == FixedSegment{.end_time = 0}) {
    return absl::InvalidArgumentError(
        "the segment is all zeros: the call that should have made it has failed, or is missing");
  }
  return absl::InvalidArgumentError(absl::StrCat("the segment's end_time is ", segment.end_time,
                                                 "; it must be from 1 to 2^60, a whole segment"));
}

absl::Status checkBegin(const FixedSegment& segment) {
  if (hasBegin(segment)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the segment's begin is the plane at ", segment.begin.plane,
                   " units of the lowest of the axes ", int{segment.begin.axes},
                   " (a bit each), which it does not cross before its end; give the line that "
                   "reflect() returned"));
}

}  // namespace

bool crossesBegin(const FixedSegment& segment) {
  constexpr unsigned kAllAxes = 7;
  const unsigned axes = segment.begin.axes;
  if (axes == 0 || axes > kAllAxes || !isInFrame(segment.begin.plane)) return false;
  if (segment.from[std::countr_zero(axes)] == segment.to[std::countr_zero(axes)]) return false;
  const Fraction time = beginTime(segment);
  return time >= Fraction::zero() && time <= Fraction{segment.end_time, kWholeLine};
}

absl::Status checkPoint(const Vec3i& point, std::string_view what) {
  for (int axis = 0; axis < 3; ++axis) {
    if (isInFrame(point[axis])) continue;
    return absl::OutOfRangeError(absl::StrCat(std::string(what), ".", axisName(axis), " is ",
                                              point[axis], " units; the frame ends at 2^61"));
  }
  return absl::OkStatus();
}

absl::Status checkSegment(const FixedSegment& segment) {
  const absl::Status end_time = checkEndTime(segment);
  const absl::Status ends = errorToReport({checkPoint(segment.from, "the segment's from"),
                                           checkPoint(segment.to, "the segment's to"), end_time});
  return ends.ok() ? checkBegin(segment) : ends;
}

absl::Status checkLevels(LevelMask levels, const Frame& frame) {
  if (levels.empty())
    return absl::InvalidArgumentError(
        "the level mask is empty; name a level (bit i of a mask is level i)");
  if (!levels.activeIn(frame).empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the mask of level '", formatLevelMask(levels), "' has no active level; levels are 0 to ",
      frame.levels() - 1, " (bit i of a mask is level i)"));
}

absl::Status checkChannel(ChannelId channel, const BlockTypeTable& types) {
  if (static_cast<std::size_t>(channel) < types.channels()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("channel ", static_cast<std::size_t>(channel),
                                                 " is not in the block types' table, which has ",
                                                 types.channels()));
}

}  // namespace fractalray::internal
