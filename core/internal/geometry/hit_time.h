// SPDX-License-Identifier: Apache-2.0
// The times of hits and their exact order. Blocks and boxes are hit at fractions, spheres at
// numbers p - sqrt(q); all of them compare as the exact numbers that they are.
#pragma once

#include <compare>

#include "absl/numeric/int128.h"

#include "../../arithmetic/fraction.h"

namespace fractalray {

// The exact time at which a line hits something. A value type. Times compare by value; two sphere
// times only if they are of the same line.
//
// Laws of the order, each with its tests in hit_time_test.cc:
//   1. antisymmetric: x < y exactly if y > x, and x == y exactly if neither is less;
//   2. transitive, over fractions and roots together;
//   3. consistent with compareExactly(): the filter in doubles decides only times that differ;
//   4. exact: equal only if the numbers are, however they are written.
class HitTime {
 public:
  HitTime() = default;
  // Makes a time that is a fraction.
  explicit HitTime(const Fraction& t) : approximate_(t.toDouble()), fraction_(t) {}

  // Returns the smaller root of a t^2 + 2 b t + c = 0: the time at which a line enters a sphere,
  // with a = d.d, b = m.d, c = m.m - r^2 for the line's delta d and m from the sphere's centre to
  // the line's start. Requires: a > 0, b < 0, c > 0 and b^2 >= a c; each within 2^126.
  static HitTime sphereEntry(absl::int128 a, absl::int128 b, absl::int128 c);

  // Returns a double within 2^-48 of the exact time, relatively.
  double toDouble() const { return approximate_; }

  // Returns a fraction that is no later than this time, and equal to it if the time is a fraction.
  Fraction lowerBound() const;

  friend std::strong_ordering operator<=>(const HitTime& x, const HitTime& y) {
    // Both approximations are good to 2^-48; those that differ by 2^-44 really differ.
    const double apart = x.approximate_ - y.approximate_;
    const double doubt = (x.approximate_ + y.approximate_) * 0x1p-44;
    if (apart > doubt) return std::strong_ordering::greater;
    if (apart < -doubt) return std::strong_ordering::less;
    return compareExactly(x, y);
  }
  friend bool operator==(const HitTime& x, const HitTime& y) { return (x <=> y) == 0; }

  // Compares by wide integers alone, without the filter in doubles; the same order.
  static std::strong_ordering compareExactly(const HitTime& x, const HitTime& y);

 private:
  bool isFraction() const { return a_ == 0; }

  double approximate_ = 0;
  Fraction fraction_;
  absl::int128 a_ = 0;  // 0 for a fraction
  absl::int128 b_ = 0;
  absl::int128 c_ = 0;
};

// Returns the square root of b^2 - a c, rounded to a double within a relative 2^-50. Requires: b^2
// >= a c, each within 2^126. The same on every machine.
double discriminantRoot(absl::int128 a, absl::int128 b, absl::int128 c);

// Returns true if b^2 >= a c, exactly. Requires: each within 2^126.
bool discriminantIsNonNegative(absl::int128 a, absl::int128 b, absl::int128 c);

}  // namespace fractalray
