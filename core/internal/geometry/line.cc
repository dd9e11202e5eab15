// SPDX-License-Identifier: Apache-2.0
#include "line.h"

#include <algorithm>
#include <bit>

#include "absl/numeric/int128.h"

#include "../../check.h"

namespace fractalray {

Fraction beginTime(const FixedSegment& segment) {
  const int axis = std::countr_zero(segment.begin.axes);
  FRACTALRAY_DCHECK(axis < 3, axis);
  const std::int64_t way = segment.begin.plane - segment.from[axis];
  const std::int64_t length = segment.to[axis] - segment.from[axis];
  FRACTALRAY_DCHECK(length != 0, axis);
  return length > 0 ? Fraction{way, length} : Fraction{-way, -length};
}

std::optional<TimeSpan> Line::clip(const Vec3i& min, const Vec3i& max) const {
  TimeSpan span;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t start = segment_.from[axis];
    const std::int64_t d = delta_[axis];
    if (d == 0) {
      if (start < min[axis] || start > max[axis]) return std::nullopt;
      continue;
    }
    const Fraction enter = d > 0 ? Fraction{min[axis] - start, d} : Fraction{start - max[axis], -d};
    const Fraction leave = d > 0 ? Fraction{max[axis] - start, d} : Fraction{start - min[axis], -d};
    if (enter > span.from) {
      span.from = enter;
      span.entry_axis = axis;
    }
    if (leave < span.to) span.to = leave;
    if (span.from > span.to) return std::nullopt;
  }
  return span;
}

bool Line::touchesCell(const Vec3i& cell, int shift) const {
  Vec3i min;
  Vec3i max;
  for (int axis = 0; axis < 3; ++axis) {
    min[axis] = cell[axis] << shift;
    max[axis] = min[axis] + (std::int64_t{1} << shift);
  }
  return clip(min, max).has_value();
}

Fraction Line::leaveTime(const Vec3i& cell, int shift) const {
  FRACTALRAY_DCHECK(touchesCell(cell, shift), cell[0], cell[1], cell[2], shift);
  Fraction leave = Fraction::one();
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t d = delta_[axis];
    if (d == 0) continue;
    const std::int64_t low = (cell[axis] << shift) - segment_.from[axis];
    const Fraction t{d > 0 ? low + (std::int64_t{1} << shift) : -low, d > 0 ? d : -d};
    const bool is_earlier = t < leave;
    leave = {is_earlier ? t.numerator : leave.numerator,
             is_earlier ? t.denominator : leave.denominator};
  }
  return leave;
}

Fraction Line::enterTime(const Vec3i& cell, int shift) const {
  FRACTALRAY_DCHECK(touchesCell(cell, shift), cell[0], cell[1], cell[2], shift);
  Fraction enter = begin();
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t d = delta_[axis];
    if (d == 0) continue;
    const std::int64_t low = (cell[axis] << shift) - segment_.from[axis];
    const std::int64_t high = low + (std::int64_t{1} << shift);
    const Fraction t{d > 0 ? low : -high, d > 0 ? d : -d};
    if (enter < t) enter = t;
  }
  return enter;
}

Vec3i Line::endPosition() const {
  if (!endsEarly()) return segment_.to;
  constexpr int kWholeLineLog2 = std::countr_zero(static_cast<std::uint64_t>(kWholeLine));
  Vec3i position = segment_.from;
  for (int axis = 0; axis < 3; ++axis) {
    const absl::int128 way = absl::int128(delta_[axis]) * segment_.end_time;
    position[axis] += static_cast<std::int64_t>(way >> kWholeLineLog2);
  }
  return position;
}

Vec3i Line::cellAfter(const Fraction& t, int shift) const {
  Vec3i cell;
  for (int axis = 0; axis < 3; ++axis) {
    // position = numerator / t.denominator
    const absl::int128 numerator = absl::int128(segment_.from[axis]) * t.denominator +
                                   absl::int128(delta_[axis]) * t.numerator;
    const absl::int128 width = absl::int128(t.denominator) << shift;
    cell[axis] = static_cast<std::int64_t>(delta_[axis] < 0 ? ceilDiv(numerator, width) - 1
                                                            : floorDiv(numerator, width));
  }
  return cell;
}

Vec3i Line::firstCell(int shift) const {
  FRACTALRAY_DCHECK(beginsLater());
  const Fraction t = begin();
  Vec3i cell = cellAfter(t, shift);
  for (int axis = 0; axis < 3; ++axis) {
    if (isReflected(axis) || delta_[axis] == 0) continue;
    const absl::int128 numerator = absl::int128(segment_.from[axis]) * t.denominator +
                                   absl::int128(delta_[axis]) * t.numerator;
    const absl::int128 width = absl::int128(t.denominator) << shift;
    cell[axis] = static_cast<std::int64_t>(delta_[axis] < 0 ? floorDiv(numerator, width)
                                                            : ceilDiv(numerator, width) - 1);
    // A plane in which the line starts is not crossed towards +.
    if (delta_[axis] > 0) cell[axis] = std::max(cell[axis], segment_.from[axis] >> shift);
  }
  return cell;
}

}  // namespace fractalray
