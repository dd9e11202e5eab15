// SPDX-License-Identifier: Apache-2.0
// Checks the arguments of queries along a line: segment, levels and channel.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

#include "../../../core/frame.h"
#include "../../../core/level_mask.h"
#include "../../../core/segment.h"
#include "../../../core/units.h"
#include "../../../levels/block_type.h"

namespace fractalray::internal {

inline bool isInFrame(std::int64_t coordinate) {
  return coordinate <= kMaxCoordinate && coordinate >= -kMaxCoordinate;
}
inline bool isInFrame(const Vec3i& end) {
  return isInFrame(end[0]) && isInFrame(end[1]) && isInFrame(end[2]);
}
// Returns true if the end time is from 1 to kWholeLine.
inline bool hasEnd(const FixedSegment& segment) {
  return segment.end_time >= 1 && segment.end_time <= kWholeLine;
}

// Returns true if the line begins at `from`, or on a plane that it crosses before its end.
bool crossesBegin(const FixedSegment& segment);
inline bool hasBegin(const FixedSegment& segment) {
  return segment.begin.axes == 0 || crossesBegin(segment);
}

// Returns OUT_OF_RANGE for a point beyond the frame. `what` names it, as "the eye".
absl::Status checkPoint(const Vec3i& point, std::string_view what);
// Returns OUT_OF_RANGE for an end beyond the frame, INVALID_ARGUMENT for an invalid end time or
// start.
absl::Status checkSegment(const FixedSegment& segment);
// Returns INVALID_ARGUMENT for a mask without an active level.
absl::Status checkLevels(LevelMask levels, const Frame& frame);
// Returns INVALID_ARGUMENT for a channel that is not in the table.
absl::Status checkChannel(ChannelId channel, const BlockTypeTable& types);

}  // namespace fractalray::internal
