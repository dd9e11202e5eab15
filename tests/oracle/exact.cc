// SPDX-License-Identifier: Apache-2.0
#include "exact.h"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <sstream>

namespace fractalray::oracle {
namespace {

using Precise = boost::multiprecision::cpp_bin_float_100;

Precise precise(const Rational& value) {
  return Precise(numerator(value)) / Precise(denominator(value));
}

std::strong_ordering signOf(const Rational& value) {
  if (value == 0) return std::strong_ordering::equal;
  return value < 0 ? std::strong_ordering::less : std::strong_ordering::greater;
}

// Returns the sign of factor * sqrt(q) - other, for q >= 0.
std::strong_ordering signOfRootMinus(const Rational& factor, const Rational& q,
                                     const Rational& other) {
  const std::strong_ordering left = q == 0 ? std::strong_ordering::equal : signOf(factor);
  const std::strong_ordering right = signOf(other);
  if (left == 0) return 0 <=> right;
  if (left > 0 && right <= 0) return std::strong_ordering::greater;
  if (left < 0 && right >= 0) return std::strong_ordering::less;
  const std::strong_ordering squares = signOf(factor * factor * q - other * other);
  return left > 0 ? squares : 0 <=> squares;
}

}  // namespace

Rational fraction(const Integer& n, const Integer& d) {
  return Rational(n) / Rational(d);
}

Integer floorOf(const Rational& value) {
  const Integer n = numerator(value);
  const Integer d = denominator(value);
  const Integer quotient = n / d;  // towards zero
  return n < 0 && quotient * d != n ? Integer(quotient - 1) : quotient;
}

Integer ceilOf(const Rational& value) {
  return -floorOf(-value);
}

std::int64_t toInt64(const Integer& value) {
  return value.convert_to<std::int64_t>();
}

double toDouble(const Rational& value) {
  return precise(value).convert_to<double>();
}

// Compares p - sqrt(q) with p' - sqrt(q'): with k = p - p', it is the sign of k + sqrt(q') -
// sqrt(q).
std::strong_ordering operator<=>(const ExactTime& a, const ExactTime& b) {
  if (a.q == 0 && b.q == 0) return signOf(a.p - b.p);
  const Rational k = a.p - b.p;
  // If k + sqrt(q') is negative, so is the whole.
  if (signOfRootMinus(1, b.q, -k) < 0) return std::strong_ordering::less;
  // Otherwise both k + sqrt(q') and sqrt(q) may be squared: k^2 + q' - q + 2 k sqrt(q').
  return signOfRootMinus(2 * k, b.q, a.q - k * k - b.q);
}

double toDouble(const ExactTime& time) {
  return Precise(precise(time.p) - sqrt(precise(time.q))).convert_to<double>();
}

double toDoubleOfSum(const ExactTime& time) {
  return Precise(precise(time.p) + sqrt(precise(time.q))).convert_to<double>();
}

std::string toString(const ExactTime& time) {
  std::ostringstream out;
  out << time.p;
  if (time.q != 0) out << " - sqrt(" << time.q << ")";
  return out.str();
}

}  // namespace fractalray::oracle
