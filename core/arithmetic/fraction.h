// SPDX-License-Identifier: Apache-2.0
// Exact fractions: the times at which a line crosses planes.
#pragma once

#include <compare>
#include <cstdint>

#include "int128.h"

namespace fractalray {

// A number numerator / denominator with denominator > 0; not reduced, compared by value.
// Comparisons are exact if both numbers fit 63 bits.
struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;

  static constexpr Fraction zero() { return {0, 1}; }
  static constexpr Fraction one() { return {1, 1}; }

  // Returns the value as a double, within two units in the last place; the same on every machine.
  double toDouble() const {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
  }

  friend bool operator<(const Fraction& a, const Fraction& b) {
    return internal::Int128(a.numerator) * b.denominator <
           internal::Int128(b.numerator) * a.denominator;
  }
  friend std::strong_ordering operator<=>(const Fraction& a, const Fraction& b) {
    const internal::Int128 left = internal::Int128(a.numerator) * b.denominator;
    const internal::Int128 right = internal::Int128(b.numerator) * a.denominator;
    if (left < right) return std::strong_ordering::less;
    return left > right ? std::strong_ordering::greater : std::strong_ordering::equal;
  }
  friend bool operator==(const Fraction& a, const Fraction& b) { return (a <=> b) == 0; }
};

}  // namespace fractalray
