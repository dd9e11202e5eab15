// SPDX-License-Identifier: Apache-2.0
// Positive fractions of differences of coordinates, and their exact comparisons. Doubles decide
// where the difference is clear; integers of up to 192 bits decide the rest.
#pragma once

#include <cstdint>
#include <limits>

#include "../../arithmetic/int128.h"

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "fractalray's sources need infinities and IEEE rounding: compile them without -ffast-math"
#endif

namespace fractalray::internal {

// Returns true if a b < c d, exactly, in 192 bits. Requires: all are at least 0.
inline bool isProductLess(Int128 a, std::int64_t b, Int128 c, std::int64_t d) {
  __extension__ using Unsigned = unsigned __int128;
  struct Wide {  // high 2^64 + low
    Wide(Int128 x, std::int64_t y) {
      const Unsigned low_product =
          Unsigned{static_cast<std::uint64_t>(x)} * static_cast<std::uint64_t>(y);
      low = static_cast<std::uint64_t>(low_product);
      high = Unsigned{static_cast<std::uint64_t>(x >> 64)} * static_cast<std::uint64_t>(y) +
             (low_product >> 64);
    }
    Unsigned high;
    std::uint64_t low;
  };
  const Wide left(a, b);
  const Wide right(c, d);
  return left.high != right.high ? left.high < right.high : left.low < right.low;
}

// A number p / q > 0. q = 0 makes it infinite. A value type; not reduced.
struct Ratio {
  std::int64_t p = 1;  // 1 to 2^62
  std::int64_t q = 0;  // 0 to 2^62
  double approximate = std::numeric_limits<double>::infinity();

  static Ratio of(std::int64_t p, std::int64_t q) {
    return {p, q, static_cast<double>(p) / static_cast<double>(q)};
  }
  bool isInfinite() const { return q == 0; }
  // Requires: not infinite.
  Ratio inverse() const { return of(q, p); }
};

// The approximation of a ratio is three roundings off, 3 * 2^-53 of itself, and a product of three
// of them with two more roundings less than 2^-49: numbers that differ by 2^-46 really differ.
inline constexpr double kRatioDoubt = 0x1p-46;

// Returns true if a < b.
inline bool isLess(const Ratio& a, const Ratio& b) {
  if (a.approximate < b.approximate * (1 - kRatioDoubt)) return true;
  if (a.approximate > b.approximate * (1 + kRatioDoubt) || a.isInfinite()) return false;
  return Int128(a.p) * b.q < Int128(b.p) * a.q;
}

// Return true if the product is greater than 1.
inline bool isProductAboveOne(const Ratio& a, const Ratio& b) {
  const double product = a.approximate * b.approximate;
  if (product > 1 + kRatioDoubt) return true;
  if (product < 1 - kRatioDoubt) return false;
  return Int128(a.q) * b.q < Int128(a.p) * b.p;
}
inline bool isProductAboveOne(const Ratio& a, const Ratio& b, const Ratio& c) {
  const double product = a.approximate * b.approximate * c.approximate;
  if (product > 1 + kRatioDoubt) return true;
  if (product < 1 - kRatioDoubt) return false;
  return isProductLess(Int128(a.q) * b.q, c.q, Int128(a.p) * b.p, c.p);
}

}  // namespace fractalray::internal
