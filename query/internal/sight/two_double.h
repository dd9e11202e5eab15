// SPDX-License-Identifier: Apache-2.0
// Numbers of twice the precision of doubles, where sums of many parts need it.
#pragma once

#include <cmath>
#include <cstdint>
#include <tuple>

namespace fractalray::internal {

// The sum of two doubles, of which `low` is at most half a unit in the last place of `high`: 106
// bits. Each operation is off by at most 2^-102 of its result, and has the same bits in every
// build: it is made of roundings of IEEE doubles, whose own errors are doubles (T. J. Dekker, "A
// floating-point technique for extending the available precision"). Requires: no result, nor a
// product of two halves, leaves the range of doubles; an infinite number is compared only.
struct TwoDouble {
  constexpr TwoDouble() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): exact, and numbers of formulas are written plainly
  constexpr TwoDouble(double value) : high(value) {}
  // Returns a number of at most 2^62. Exact.
  static TwoDouble of(std::int64_t number) {
    const auto rounded = static_cast<double>(number);
    return {rounded, static_cast<double>(number - static_cast<std::int64_t>(rounded))};
  }

  friend TwoDouble operator-(const TwoDouble& a) { return {-a.high, -a.low}; }
  friend TwoDouble operator+(const TwoDouble& a, const TwoDouble& b) {
    const TwoDouble upper = sumOf(a.high, b.high);
    const TwoDouble lower = sumOf(a.low, b.low);
    const TwoDouble sum = normal(upper.high, upper.low + lower.high);
    return normal(sum.high, sum.low + lower.low);
  }
  friend TwoDouble operator-(const TwoDouble& a, const TwoDouble& b) { return a + -b; }
  friend TwoDouble operator*(const TwoDouble& a, const TwoDouble& b) {
    const TwoDouble product = productOf(a.high, b.high);
    return normal(product.high, product.low + (a.high * b.low + a.low * b.high));
  }
  // By long division, each digit of which is a double.
  friend TwoDouble operator/(const TwoDouble& a, const TwoDouble& b) {
    const double first = a.high / b.high;
    const TwoDouble rest = a - b * first;
    const double second = rest.high / b.high;
    const double third = (rest - b * second).high / b.high;
    return normal(first, second) + third;
  }
  friend bool operator<(const TwoDouble& a, const TwoDouble& b) {
    return std::tie(a.high, a.low) < std::tie(b.high, b.low);
  }
  friend bool operator>(const TwoDouble& a, const TwoDouble& b) { return b < a; }
  friend bool operator>=(const TwoDouble& a, const TwoDouble& b) { return !(a < b); }

  double high = 0;
  double low = 0;

 private:
  constexpr TwoDouble(double of_high, double of_low) : high(of_high), low(of_low) {}

  // Returns a + b. Exact.
  static TwoDouble sumOf(double a, double b) {
    const double sum = a + b;
    const double of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
  }
  // The same. Requires: b is not greater than a, unless that is 0.
  static TwoDouble normal(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
  }
  // Returns a * b. Exact.
  static TwoDouble productOf(double a, double b) {
    const double product = a * b;
    const TwoDouble x = halvesOf(a);
    const TwoDouble y = halvesOf(b);
    return {product,
            ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low};
  }
  // Returns two halves of at most 26 bits each, whose products are exact.
  static TwoDouble halvesOf(double a) {
    const double shifted = a * (0x1p27 + 1);
    const double upper = shifted - (shifted - a);
    return {upper, a - upper};
  }
};

// Return a number rounded to a double.
inline double toDouble(double number) {
  return number;
}
inline double toDouble(const TwoDouble& number) {
  return number.high;
}

}  // namespace fractalray::internal
