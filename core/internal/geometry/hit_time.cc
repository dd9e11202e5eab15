// SPDX-License-Identifier: Apache-2.0
#include "hit_time.h"

#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>

#include "../../check.h"
#include "wide_int.h"

namespace fractalray {
namespace {

// Wide enough for the square of a product of two 128-bit numbers and four times that.
using Wide = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
    1024, 1024, boost::multiprecision::signed_magnitude, boost::multiprecision::unchecked, void>>;

Wide widen(absl::int128 value) {
  const bool negative = value < 0;
  const absl::uint128 magnitude =
      negative ? -static_cast<absl::uint128>(value) : static_cast<absl::uint128>(value);
  Wide wide = absl::Uint128High64(magnitude);
  wide <<= 64;
  wide += absl::Uint128Low64(magnitude);
  return negative ? Wide(-wide) : wide;
}

Wide discriminant(absl::int128 a, absl::int128 b, absl::int128 c) {
  const Wide wide_b = widen(b);
  return wide_b * wide_b - widen(a) * widen(c);
}

std::strong_ordering signOf(const Wide& value) {
  if (value.is_zero()) return std::strong_ordering::equal;
  return value < 0 ? std::strong_ordering::less : std::strong_ordering::greater;
}

// Returns the sign of u - v * sqrt(q), for v > 0 and q >= 0.
std::strong_ordering signOfDifference(const Wide& u, const Wide& v, const Wide& q) {
  if (u < 0) return std::strong_ordering::less;
  return signOf(u * u - v * v * q);
}

}  // namespace

bool discriminantIsNonNegative(absl::int128 a, absl::int128 b, absl::int128 c) {
  return discriminant(a, b, c) >= 0;
}

namespace {

// Returns true if products of two such numbers, and their difference, fit 128 bits.
bool fits63(absl::int128 value) {
  constexpr auto kLimit = std::int64_t{1} << 62;
  return value < kLimit && value > -kLimit;
}

// Returns the square root of a number given by its highest bits and an even shift.
double rootOf(std::uint64_t highest, int shift) {
  // 2^(shift / 2), which is a double.
  const auto scale = std::bit_cast<double>(static_cast<std::uint64_t>(1023 + shift / 2) << 52);
  return std::sqrt(static_cast<double>(highest)) * scale;
}

// Returns the shift that leaves the highest 62 or 63 bits of that many.
int evenShift(int bits) {
  const int shift = std::max(0, bits - 63);
  return shift + (shift & 1);
}

}  // namespace

double discriminantRoot(absl::int128 a, absl::int128 b, absl::int128 c) {
  if (fits63(a) && fits63(b) && fits63(c)) {
    const absl::int128 value = b * b - a * c;
    if (value <= 0) return 0;
    const auto high = static_cast<std::uint64_t>(absl::Int128High64(value));
    const int bits = high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                               : static_cast<int>(std::bit_width(absl::Int128Low64(value)));
    const int shift = evenShift(bits);
    return rootOf(static_cast<std::uint64_t>(value >> shift), shift);
  }
  Wide value = discriminant(a, b, c);
  if (value <= 0) return 0;
  const int shift = evenShift(static_cast<int>(boost::multiprecision::msb(value)) + 1);
  value >>= static_cast<unsigned>(shift);
  return rootOf(static_cast<std::uint64_t>(value), shift);
}

HitTime HitTime::sphereEntry(absl::int128 a, absl::int128 b, absl::int128 c) {
  FRACTALRAY_DCHECK(a > 0 && b < 0 && c > 0, a, b, c);
  HitTime time;
  FRACTALRAY_DCHECK(discriminantIsNonNegative(a, b, c), a, b, c);
  time.a_ = a;
  time.b_ = b;
  time.c_ = c;
  // (-b - sqrt(q)) / a = c / (-b + sqrt(q)): a sum of positive numbers, nothing cancels.
  time.approximate_ = internal::toDouble(c) / (internal::toDouble(-b) + discriminantRoot(a, b, c));
  return time;
}

Fraction HitTime::lowerBound() const {
  if (isFraction()) return fraction_;
  constexpr std::int64_t kScale = std::int64_t{1} << 53;
  const double below = approximate_ * (1 - 0x1p-40) * static_cast<double>(kScale);
  return {static_cast<std::int64_t>(below), kScale};
}

std::strong_ordering HitTime::compareExactly(const HitTime& x, const HitTime& y) {
  if (x.isFraction() && y.isFraction()) return x.fraction_ <=> y.fraction_;
  if (x.isFraction()) return 0 <=> compareExactly(y, x);
  // Spheres of the same equation, as equal spheres have it, need no wide integers.
  if (!y.isFraction() && x.b_ == y.b_ && x.c_ == y.c_) return std::strong_ordering::equal;
  const Wide a = widen(x.a_);
  const Wide b = widen(x.b_);
  const Wide q = discriminant(x.a_, x.b_, x.c_);
  if (y.isFraction()) {
    // (-b - sqrt(q)) / a against n / d: the sign of (-b d - a n) - d sqrt(q).
    const Wide n = y.fraction_.numerator;
    const Wide d = y.fraction_.denominator;
    return signOfDifference(-b * d - a * n, d, q);
  }
  // Same line, so the same a: the sign of k + sqrt(q') - sqrt(q) with k = b' - b.
  const Wide k = widen(y.b_) - b;
  const Wide other_q = discriminant(y.a_, y.b_, y.c_);
  if (k < 0) return 0 <=> compareExactly(y, x);
  // Both sides of k + sqrt(q') against sqrt(q) are positive. Squared: 2 k sqrt(q') against s.
  const Wide s = q - k * k - other_q;
  return 0 <=> signOfDifference(s, 2 * k, other_q);
}

}  // namespace fractalray
