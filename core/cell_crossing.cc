// SPDX-License-Identifier: Apache-2.0
#include "fractalray/core/cell_crossing.h"

#include <algorithm>
#include <bit>
#include <compare>

#include "absl/numeric/int128.h"
#include "fractalray/core/units.h"

namespace fractalray::internal {
namespace {

// How n / d compares with m / e, for d, e > 0.
int compareTimes(std::int64_t n, std::int64_t d, std::int64_t m, std::int64_t e) {
  const absl::int128 left = absl::int128(n) * e;
  const absl::int128 right = absl::int128(m) * d;
  return left < right ? -1 : left > right ? 1 : 0;
}

// The place of the step that has crossed `crossed` among the steps of a corner crossing, from 1; 0
// where there is none.
int stepOf(unsigned crossed, CornerPolicy policy, unsigned tied) {
  std::uint32_t steps = kCornerSteps[static_cast<std::size_t>(policy)][tied];
  for (int place = 1; steps != 0; ++place, steps >>= 4) {
    if ((steps & 7U) == crossed) return place;
  }
  return 0;
}

}  // namespace

Vec3i CellCrossings::cellBefore(const Fraction& t) const {
  Vec3i cell;
  const absl::int128 width = absl::int128(t.denominator) << shift_;
  for (int axis = 0; axis < 3; ++axis) {
    const absl::int128 position = absl::int128(path_.start()[axis]) * t.denominator +
                                  absl::int128(path_.length()[axis]) * t.numerator;
    cell[axis] = std::max(first_[axis], static_cast<std::int64_t>(ceilDiv(position, width)) - 1);
  }
  return cell;
}

Vec3i CellCrossings::cellAfter(const Fraction& t) const {
  Vec3i cell;
  const absl::int128 width = absl::int128(t.denominator) << shift_;
  for (int axis = 0; axis < 3; ++axis) {
    const absl::int128 position = absl::int128(path_.start()[axis]) * t.denominator +
                                  absl::int128(path_.length()[axis]) * t.numerator;
    // On an axis without a crossing a mirrored start on a plane would be one too far.
    cell[axis] = std::min(last_[axis], static_cast<std::int64_t>(floorDiv(position, width)));
  }
  return cell;
}

std::optional<CellCrossing> CellCrossings::find(const Vec3i& cell) const {
  const std::int64_t width = std::int64_t{1} << shift_;
  const Vec3i& length = path_.length();
  Vec3i in;            // units from the start to the cell's planes on its near side
  std::int64_t n = 0;  // tau = n / d
  std::int64_t d = 1;
  unsigned crossed = 0;  // the axes with in_i = tau
  for (int i = 0; i < 3; ++i) {
    if (cell[i] < first_[i] || cell[i] > last_[i]) return std::nullopt;
    in[i] = (cell[i] << shift_) - path_.start()[i];
    if (cell[i] == first_[i]) continue;
    const int order = crossed == 0 ? 1 : compareTimes(in[i], length[i], n, d);
    if (order < 0) continue;
    crossed = order > 0 ? 1U << i : crossed | 1U << i;
    if (order > 0) n = in[i], d = length[i];
  }
  unsigned tied = crossed;
  CellCrossing crossing;
  crossing.corner_end = cell;
  for (int i = 0; i < 3; ++i) {
    if (cell[i] == last_[i]) continue;
    const int order = compareTimes(in[i] + width, length[i], n, d);
    if (order < 0) return std::nullopt;
    if (order > 0) continue;
    // The same time, written as the walk writes it: by the lowest axis. Its double is the same
    // then.
    if ((tied & ((1U << i) - 1)) == 0) n = in[i] + width, d = length[i];
    tied |= 1U << i;
    ++crossing.corner_end[i];
  }
  crossing.cell.cell = path_.mirrored(cell);
  if (crossed == 0) return crossing;  // the walk's first cell
  const int step = stepOf(crossed, policy_, tied);
  if (step == 0) return std::nullopt;
  const int axis = policy_ == CornerPolicy::kStaircase
                       ? static_cast<int>(std::bit_width(crossed)) - 1
                       : std::countr_zero(crossed);
  crossing.cell.t = {n, d};
  crossing.cell.step = static_cast<std::uint8_t>(step);
  crossing.cell.face = {static_cast<std::int8_t>(axis),
                        static_cast<std::int8_t>(path_.isMirrored(axis) ? 1 : -1)};
  return crossing;
}

}  // namespace fractalray::internal
