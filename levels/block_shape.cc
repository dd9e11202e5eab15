// SPDX-License-Identifier: Apache-2.0
#include "block_shape.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"

#include "../core/internal/number_text.h"

namespace fractalray {
namespace {

// Returns a fraction of a block in its units, halves up. Exact: the product is, and so is what is
// left of it; the sum of the product and 0.5 would be rounded.
std::int64_t shapeUnits(double fraction) {
  const double units = fraction * kShapeUnits;
  const double below = std::floor(units);
  return static_cast<std::int64_t>(below) + (units - below >= 0.5 ? 1 : 0);
}

absl::Status invalid(absl::string_view axis, absl::string_view what, double min, double max,
                     absl::string_view remedy) {
  return absl::InvalidArgumentError(absl::StrCat("a box of a shape ", what, " on axis ", axis,
                                                 ", from ", internal::numberText(min), " to ",
                                                 internal::numberText(max), "; ", remedy));
}

constexpr absl::string_view kInside =
    "coordinates are fractions of the block's width, 0 to 1; cut off what is beyond the block";
constexpr absl::string_view kNotFlat =
    "min is less than max by at least 1/65536 of the block's width";

struct Interval {
  std::int64_t min;
  std::int64_t max;
};
// Returns the interval of a box on an axis; INVALID_ARGUMENT unless it is within `least` and `most`
// blocks.
absl::StatusOr<Interval> intervalOf(const Vec3d& min, const Vec3d& max, int axis, int least,
                                    int most, absl::string_view within) {
  const double low = min[axis];
  const double high = max[axis];
  const absl::string_view name = internal::axisName(axis);
  // Not (a >= b), so that NaN is refused.
  if (!(low >= least && low <= most && high >= least && high <= most)) {
    return invalid(name, "is not inside", low, high, within);
  }
  const Interval interval{shapeUnits(low), shapeUnits(high)};
  if (interval.min >= interval.max) return invalid(name, "is flat", low, high, kNotFlat);
  return interval;
}

}  // namespace

absl::StatusOr<ShapeBox> shapeBox(const Vec3d& min, const Vec3d& max) {
  ShapeBox box;
  for (int axis = 0; axis < 3; ++axis) {
    const absl::StatusOr<Interval> interval = intervalOf(min, max, axis, 0, 1, kInside);
    if (!interval.ok()) return interval.status();
    box.min[static_cast<std::size_t>(axis)] = static_cast<std::uint32_t>(interval->min);
    box.max[static_cast<std::size_t>(axis)] = static_cast<std::uint32_t>(interval->max);
  }
  return box;
}

absl::Status checkShapeBox(const ShapeBox& box) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::uint32_t min = box.min[axis];
    const std::uint32_t max = box.max[axis];
    if (min < max && max <= kShapeUnits) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("a box of a shape goes from ", min, " to ", max, " on axis ",
                     internal::axisName(static_cast<int>(axis)),
                     "; in 1/65536 of the block's width, 0 <= min < max <= 65536"));
  }
  return absl::OkStatus();
}

absl::Status checkBoxCount(std::size_t count) {
  if (count <= kMaxShapeBoxes) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("a shape of ", count, " boxes; it may have ",
                                                 kMaxShapeBoxes,
                                                 ": expand the block into a finer chunk"));
}

CubeTurn CubeTurn::about(int axis, int quarters) {
  CubeTurn turn;
  const auto next = static_cast<std::size_t>((axis + 1) % 3);
  const auto last = static_cast<std::size_t>((axis + 2) % 3);
  CubeTurn quarter;
  quarter.axis[next] = static_cast<std::uint8_t>(last);
  quarter.axis[last] = static_cast<std::uint8_t>(next);
  quarter.flip[last] = true;
  for (int i = 0; i < (quarters & 3); ++i)
    turn = turn.then(quarter);
  return turn;
}

CubeTurn CubeTurn::then(const CubeTurn& next) const {
  CubeTurn both;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto via = static_cast<std::size_t>(axis[i]);
    both.axis[i] = next.axis[via];
    both.flip[i] = flip[i] != next.flip[via];
  }
  return both;
}

ShapeBox turned(const ShapeBox& box, const CubeTurn& turn) {
  ShapeBox result;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto to = static_cast<std::size_t>(turn.axis[i]);
    result.min[to] = turn.flip[i] ? kShapeUnits - box.max[i] : box.min[i];
    result.max[to] = turn.flip[i] ? kShapeUnits - box.min[i] : box.max[i];
  }
  return result;
}

absl::StatusOr<CutShape> splitAtCube(std::span<const Boxd> boxes) {
  CutShape cut;
  for (const Boxd& box : boxes) {
    std::array<Interval, 3> whole{};
    for (int axis = 0; axis < 3; ++axis) {
      const absl::StatusOr<Interval> interval = intervalOf(
          box.min, box.max, axis, -1, 2, "coordinates are fractions of the block's width, -1 to 2");
      if (!interval.ok()) return interval.status();
      whole[static_cast<std::size_t>(axis)] = *interval;
    }
    for (int cell = 0; cell < 27; ++cell) {
      const Vec3i offset{cell % 3 - 1, cell / 3 % 3 - 1, cell / 9 - 1};
      ShapeBox part;
      bool is_empty = false;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t begin = offset[static_cast<int>(axis)] * std::int64_t{kShapeUnits};
        const std::int64_t min = std::max<std::int64_t>(whole[axis].min - begin, 0);
        const std::int64_t max = std::min<std::int64_t>(whole[axis].max - begin, kShapeUnits);
        is_empty |= min >= max;
        part.min[axis] = static_cast<std::uint32_t>(min);
        part.max[axis] = static_cast<std::uint32_t>(max);
      }
      if (is_empty) continue;
      if (offset == Vec3i{}) {
        cut.inside.push_back(part);
      } else {
        cut.beyond.emplace_back(offset, part);
      }
    }
  }
  return cut;
}

}  // namespace fractalray
