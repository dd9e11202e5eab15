// SPDX-License-Identifier: Apache-2.0
#include "path_mask.h"

#include <algorithm>

namespace fractalray::internal {

PathMask::PathMask(const FixedSegment& segment) : segment_(segment) {
  std::int64_t longest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t d = segment.to[axis] - segment.from[axis];
    const std::int64_t sign = d >> 63;
    sign_[axis] = sign;
    start_[axis] = (segment.from[axis] ^ sign) - sign;
    length_[axis] = (d ^ sign) - sign;
    flip_ |= static_cast<unsigned>(sign & 3) << (2 * axis);
    longest |= length_[axis];
  }
  length_bits_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(longest)));
  scale_shift_ = PathLanes::scaleShift(length_bits_);
  lanes_ = PathLanes(length_, flip_, scale_shift_);
}

Vec3i PathMask::firstCellOfReflected(int shift) const {
  return mirrored(Line(segment_).firstCell(shift));
}

Vec3i PathMask::lastCellOfReflected(int shift) const {
  // A line that was reflected at its very end begins beyond the plane in which it ends.
  const Vec3i first = firstCellOfReflected(shift);
  Vec3i last = cellOf(segment_.to, shift);
  for (int axis = 0; axis < 3; ++axis)
    last[axis] = std::max(last[axis], first[axis]);
  return last;
}

}  // namespace fractalray::internal
