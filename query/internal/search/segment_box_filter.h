// SPDX-License-Identifier: Apache-2.0
// The part of a segment that a query has read, to be tested against boxes of edits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../../../core/check.h"
#include "../../../core/internal/geometry/line.h"
#include "../../../core/segment.h"
#include "../../../core/vec.h"

namespace fractalray::internal {

// The part from the start of a segment to the time `reach`, 0 to 1. A filter in doubles.
//
// Laws, each with its test in segment_box_filter_test.cc:
//   1. conservative: true for every box that the part touches;
//   2. selective: false for nearly all others; true only for some that are missed by less than
//      2^-44 of the segment's length;
//   3. except for that slack, false for boxes that the segment enters later than `reach`, or leaves
//      before it begins.
class SegmentBoxFilter {
 public:
  SegmentBoxFilter(const FixedSegment& segment, double reach)
      : from_(segment.from), delta_(segment.delta()), begin_(beginOf(segment)), reach_(reach) {
    FRACTALRAY_DCHECK(reach >= 0 && reach <= 1, reach);
    for (int axis = 0; axis < 3; ++axis) {
      const double way = static_cast<double>(delta_[axis]) * reach;
      // The error of doubles, and a unit for the rounding.
      const auto end = from_[axis] + static_cast<std::int64_t>(way);
      const auto slack = static_cast<std::int64_t>(std::abs(way) * 0x1p-45) + 1;
      min_[axis] = std::min(from_[axis], end) - slack;
      max_[axis] = std::max(from_[axis], end) + slack;
    }
  }

  // Returns true if the part may touch the closed box. Requires: coordinates within kMaxCoordinate.
  bool mayMeet(const Vec3i& min, const Vec3i& max) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (max[axis] < min_[axis] || min[axis] > max_[axis]) return false;
    }
    double begin = begin_;
    double end = reach_;
    for (int axis = 0; axis < 3; ++axis) {
      // The bounding box of the segment has no extent on this axis, so it has decided already.
      if (delta_[axis] == 0) continue;
      const auto delta = static_cast<double>(delta_[axis]);
      const double a = static_cast<double>(min[axis] - from_[axis]) / delta;
      const double b = static_cast<double>(max[axis] - from_[axis]) / delta;
      // Both are accurate to 2^-51.
      constexpr double kDoubt = 0x1p-45;
      const double first = std::min(a, b);
      const double last = std::max(a, b);
      begin = std::max(begin, first - std::abs(first) * kDoubt);
      end = std::min(end, last + std::abs(last) * kDoubt);
    }
    return begin <= end;
  }

 private:
  // Returns a time no later than that at which the segment begins.
  static double beginOf(const FixedSegment& segment) {
    return segment.begin.axes == 0 ? 0 : beginTime(segment).toDouble() * (1 - 0x1p-45);
  }

  Vec3i from_;
  Vec3i delta_;
  double begin_;
  double reach_;
  // The bounding box of the part that was read, in units.
  Vec3i min_;
  Vec3i max_;
};

}  // namespace fractalray::internal
