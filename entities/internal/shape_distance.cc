// SPDX-License-Identifier: Apache-2.0
#include "shape_distance.h"

#include <cmath>

#include "../../core/internal/geometry/hit_time.h"
#include "../../core/internal/geometry/wide_int.h"

namespace fractalray::internal {
namespace {

std::strong_ordering compare(absl::int128 x, absl::int128 y) {
  if (x == y) return std::strong_ordering::equal;
  return x < y ? std::strong_ordering::less : std::strong_ordering::greater;
}

// Compares sqrt(q) with sqrt(p) + k, for k > 0; p and q below 2^126, k below 2^62.
std::strong_ordering compareRoots(absl::int128 q, absl::int128 p, std::int64_t k) {
  // Squared: s against 2 k sqrt(p).
  const absl::int128 s = q - p - absl::int128(k) * k;
  if (s < 0) return std::strong_ordering::less;
  const absl::int128 twice = absl::int128(k) * 2;
  if (!discriminantIsNonNegative(twice * twice, s, p)) return std::strong_ordering::less;
  // Equal only if sqrt(p) = s / 2k is a whole number, which then is below 2^63.
  const absl::int128 root = s / twice;
  const bool is_equal = root * twice == s && root < absl::int128(1) << 63 && root * root == p;
  return is_equal ? std::strong_ordering::equal : std::strong_ordering::greater;
}

}  // namespace

double ShapeDistance::toDouble() const {
  if (isWithin(0)) return 0;
  const double root = std::sqrt(internal::toDouble(square_));
  if (radius_ == 0) return root;
  // sqrt(q) - r = (q - r^2) / (sqrt(q) + r), which cancels only between whole numbers.
  return internal::toDouble(square_ - absl::int128(radius_) * radius_) /
         (root + static_cast<double>(radius_));
}

std::strong_ordering operator<=>(const ShapeDistance& x, const ShapeDistance& y) {
  const bool x_meets = x.isWithin(0);
  const bool y_meets = y.isWithin(0);
  if (x_meets && y_meets) return std::strong_ordering::equal;
  if (x_meets) return std::strong_ordering::less;
  if (y_meets) return std::strong_ordering::greater;
  if (x.radius_ == y.radius_) return compare(x.square_, y.square_);
  if (x.radius_ > y.radius_) return compareRoots(x.square_, y.square_, x.radius_ - y.radius_);
  return 0 <=> compareRoots(y.square_, x.square_, y.radius_ - x.radius_);
}

}  // namespace fractalray::internal
