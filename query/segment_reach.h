// SPDX-License-Identifier: Apache-2.0
// The part of a segment that a query has looked at, to be held against boxes of edits.
#pragma once

#include <algorithm>
#include <cmath>

#include "fractalray/core/segment.h"
#include "fractalray/core/vec.h"

namespace fractalray::internal {

// From the start of a segment to the time `reach`, 0 to 1. A filter in doubles: it knows every box
// that is met and takes some that are missed by a hair for met.
class SegmentReach {
 public:
  SegmentReach(const UnitSegment& segment, double reach)
      : from_(segment.from), delta_(segment.delta()), reach_(reach) {
    for (int axis = 0; axis < 3; ++axis) {
      inverse_[axis] = delta_[axis] == 0 ? 0 : 1 / static_cast<double>(delta_[axis]);
    }
  }

  // Whether it may meet the closed box. Requires: coordinates within kMaxCoordinate.
  bool mayMeet(const Vec3i& min, const Vec3i& max) const {
    double begin = 0;
    double end = reach_;
    for (int axis = 0; axis < 3; ++axis) {
      if (delta_[axis] == 0) {
        if (from_[axis] < min[axis] || from_[axis] > max[axis]) return false;
        continue;
      }
      const double a = static_cast<double>(min[axis] - from_[axis]) * inverse_[axis];
      const double b = static_cast<double>(max[axis] - from_[axis]) * inverse_[axis];
      // Either is good to 2^-51.
      constexpr double kDoubt = 0x1p-45;
      const double first = std::min(a, b);
      const double last = std::max(a, b);
      begin = std::max(begin, first - std::abs(first) * kDoubt);
      end = std::min(end, last + std::abs(last) * kDoubt);
    }
    return begin <= end;
  }

 private:
  Vec3i from_;
  Vec3i delta_;
  Vec3d inverse_;
  double reach_;
};

}  // namespace fractalray::internal
