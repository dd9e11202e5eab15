// SPDX-License-Identifier: Apache-2.0
#include "cell_crossing.h"

#include <algorithm>
#include <array>
#include <bit>

#include "absl/numeric/int128.h"

#include "../../check.h"

namespace fractalray::internal {
namespace {

// Compares times by products that fit Product.
template <class Product>
bool isSame(const Fraction& a, const Fraction& b) {
  return Product(a.numerator) * Product(b.denominator) ==
         Product(b.numerator) * Product(a.denominator);
}
template <class Product>
bool isEarlier(const Fraction& a, const Fraction& b) {
  return Product(a.numerator) * Product(b.denominator) <
         Product(b.numerator) * Product(a.denominator);
}

// Returns the ordinal, from 1, of the step that has crossed `crossed` among the steps of a corner
// crossing; 0 if there is none.
int stepOf(unsigned crossed, CornerPolicy policy, unsigned tied) {
  std::uint32_t steps = kCornerSteps[static_cast<std::size_t>(policy)][tied];
  for (int step = 1; steps != 0; ++step, steps >>= 4) {
    if ((steps & 7U) == crossed) return step;
  }
  return 0;
}

}  // namespace

Vec3i CellCrossings::cellBefore(const HitTime& t) const {
  // The double of a time may be off by a little.
  FRACTALRAY_DCHECK(t.toDouble() >= 0 && t.toDouble() < 1 + 0x1p-40, t.toDouble());
  Vec3i cell;
  for (int axis = 0; axis < 3; ++axis) {
    // toDouble() is good to 2^-48, and a product to 2^-53 of it.
    const double way = static_cast<double>(path_.length()[axis]) * t.toDouble() * (1 - 0x1p-46);
    const std::int64_t position = path_.start()[axis] + static_cast<std::int64_t>(way);
    cell[axis] = std::max(first_[axis], (position - 1) >> shift_);
  }
  return cell;
}

Vec3i CellCrossings::cellAfter(const HitTime& t) const {
  // The double of a time may be off by a little.
  FRACTALRAY_DCHECK(t.toDouble() >= 0 && t.toDouble() < 1 + 0x1p-40, t.toDouble());
  Vec3i cell;
  for (int axis = 0; axis < 3; ++axis) {
    const double way = static_cast<double>(path_.length()[axis]) * t.toDouble() * (1 + 0x1p-46);
    const std::int64_t position = path_.start()[axis] + static_cast<std::int64_t>(way) + 1;
    cell[axis] = std::min(last_[axis], position >> shift_);
  }
  return cell;
}

bool CellCrossings::cutToBox(const Vec3i& min, const Vec3i& max, int log2, Vec3i& first,
                             Vec3i& last) const {
  const Vec3i one = path_.mirrored(min);
  const Vec3i other = path_.mirrored(max);
  Fraction enter = Fraction::zero();
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t low = std::min(one[axis], other[axis]) << log2;
    const std::int64_t end = (std::max(one[axis], other[axis]) + 1) << log2;
    last[axis] = std::min(last[axis], end - 1);
    if (last[axis] < std::max(first[axis], low)) return false;
    if (first[axis] >= low) continue;
    // The line comes to this plane, so its length is not 0.
    const Fraction at_plane{(low << shift_) - path_.start()[axis], path_.length()[axis]};
    enter = std::max(enter, at_plane);
    first[axis] = low;
  }
  if (enter > Fraction::one()) return false;
  const Vec3i before = cellBefore(HitTime(enter));
  for (int axis = 0; axis < 3; ++axis) {
    first[axis] = std::max(first[axis], before[axis]);
    if (last[axis] < first[axis]) return false;
  }
  return true;
}

std::optional<CellCrossing> CellCrossings::find(const Vec3i& cell) const {
  return products_fit64_ ? findBy<std::int64_t>(cell) : findBy<absl::int128>(cell);
}

template <class Product>
std::optional<CellCrossing> CellCrossings::findBy(const Vec3i& cell) const {
  // Almost branch-free: the outcome per cell is unpredictable.
  std::array<Fraction, 3> in;
  std::array<Fraction, 3> out;
  bool outside = false;
  for (int i = 0; i < 3; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::int64_t length = path_.length()[i];
    const std::int64_t near = (cell[i] << shift_) - path_.start()[i];
    const bool comes_in = cell[i] != first_[i];
    const bool goes_out = cell[i] != last_[i];
    in[at] = {comes_in ? near : -1, comes_in ? length : 1};
    out[at] = {goes_out ? near + (std::int64_t{1} << shift_) : 2, goes_out ? length : 1};
    outside |= cell[i] < first_[i] || cell[i] > last_[i];
  }
  if (outside) return std::nullopt;
  std::size_t latest = isEarlier<Product>(in[0], in[1]) ? 1 : 0;
  latest = isEarlier<Product>(in[latest], in[2]) ? 2 : latest;
  const bool is_first = in[latest].numerator < 0;
  const Fraction tau = is_first ? begin_ : in[latest];
  unsigned crossed = 0;  // the axes with in_i = tau
  unsigned leaving = 0;  // the axes with out_i = tau
  bool left_before = false;
  for (std::size_t i = 0; i < 3; ++i) {
    crossed |= static_cast<unsigned>(isSame<Product>(in[i], tau)) << i;
    leaving |= static_cast<unsigned>(isSame<Product>(out[i], tau)) << i;
    left_before |= isEarlier<Product>(out[i], tau);
  }
  if (left_before) return std::nullopt;
  CellCrossing crossing;
  crossing.corner_end = cell;
  for (int i = 0; i < 3; ++i)
    crossing.corner_end[i] += (leaving >> i) & 1;
  crossing.cell.cell = path_.mirrored(cell);
  if (is_first) {
    crossing.cell.t = begin_;
    return crossing;
  }
  const unsigned tied = crossed | leaving;
  const int step = stepOf(crossed, policy_, tied);
  if (step == 0) return std::nullopt;
  const int axis = policy_ == CornerPolicy::kStaircase
                       ? static_cast<int>(std::bit_width(crossed)) - 1
                       : std::countr_zero(crossed);
  // Among equal times, takes the one that the walk writes, so that their doubles are the same too.
  const int lowest = std::countr_zero(tied);
  crossing.cell.t = ((crossed >> lowest) & 1) != 0 ? in[static_cast<std::size_t>(lowest)]
                                                   : out[static_cast<std::size_t>(lowest)];
  crossing.cell.step = static_cast<std::uint8_t>(step);
  crossing.cell.face = {static_cast<std::int8_t>(axis),
                        static_cast<std::int8_t>(path_.isMirrored(axis) ? 1 : -1)};
  return crossing;
}

}  // namespace fractalray::internal
