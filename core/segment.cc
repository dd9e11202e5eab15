// SPDX-License-Identifier: Apache-2.0
#include "segment.h"

#include "arithmetic/fraction.h"
#include "check.h"
#include "internal/geometry/line.h"
#include "internal/units_in_frame.h"

namespace fractalray {

namespace {

absl::Status errorOf(const Segment& segment) {
  return errorToReport({toUnits(segment.from, "the segment's from").status(),
                        toUnits(segment.to, "the segment's to").status()});
}

}  // namespace

absl::StatusOr<FixedSegment> toUnits(const Segment& segment) {
  absl::StatusOr<FixedSegment> line{FixedSegment{}};
  if (!internal::roundedWithin(internal::kFrameEndBlocks, segment.from, line->from) ||
      !internal::roundedWithin(internal::kFrameEndBlocks, segment.to, line->to)) {
    line = errorOf(segment);
  }
  return line;
}

double FixedSegment::lengthBlocks() const {
  const Vec3d d = toBlocks(delta());
  return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

Vec3d FixedSegment::pointAt(double t) const {
  const Vec3d start = toBlocks(from);
  const Vec3d d = toBlocks(delta());
  return {start[0] + d[0] * t, start[1] + d[1] * t, start[2] + d[2] * t};
}

double FixedSegment::beginsAt() const {
  if (begin.axes == 0) return 0;
  const Fraction time = beginTime(*this);
  FRACTALRAY_DCHECK(time >= Fraction::zero() && time <= Fraction::one(), begin.plane);
  return time.toDouble();
}

Segment toBlocks(const FixedSegment& segment) {
  return {toBlocks(segment.from), toBlocks(segment.to)};
}

}  // namespace fractalray
