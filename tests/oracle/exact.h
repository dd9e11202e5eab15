// SPDX-License-Identifier: Apache-2.0
// Exact numbers of any size for the oracle: fractions, and the times p - sqrt(q) of spheres. Slow
// and obvious, and without the library's own arithmetic.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <compare>
#include <cstdint>
#include <string>

namespace fractalray::oracle {

// Without expression templates: plain values, plain error messages.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>,
                                              boost::multiprecision::et_off>;
using Rational = boost::multiprecision::number<boost::multiprecision::cpp_rational_backend,
                                               boost::multiprecision::et_off>;

// Returns n / d, for d != 0. (Boost 1.74's own constructor refuses a negative denominator.)
Rational fraction(const Integer& n, const Integer& d);
Integer floorOf(const Rational& value);
Integer ceilOf(const Rational& value);
// Requires: the value fits.
std::int64_t toInt64(const Integer& value);
// Returns the nearest double, or one of its neighbours.
double toDouble(const Rational& value);

// The number p - sqrt(q), for q >= 0. A fraction has q = 0.
struct ExactTime {
  Rational p;
  Rational q = 0;

  friend std::strong_ordering operator<=>(const ExactTime& a, const ExactTime& b);
  friend bool operator==(const ExactTime& a, const ExactTime& b) { return (a <=> b) == 0; }
};

// Return p - sqrt(q) and p + sqrt(q) to all digits of a double.
double toDouble(const ExactTime& time);
double toDoubleOfSum(const ExactTime& time);
std::string toString(const ExactTime& time);

}  // namespace fractalray::oracle
