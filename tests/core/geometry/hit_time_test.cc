// SPDX-License-Identifier: Apache-2.0
// Checks the order of hit times: the filter in doubles and the wide integers that decide after it
// agree with each other and with the oracle, even if times are equal or as close as they can be.
#include "../../../core/internal/geometry/hit_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "../../../core/segment.h"
#include "../../oracle/exact.h"
#include "../../oracle/rng.h"

namespace fractalray {
namespace {

using oracle::ExactTime;
using oracle::Integer;
using oracle::Rational;
using oracle::Rng;

// A time in the library's form and in the oracle's.
struct Time {
  HitTime time;
  ExactTime exact;
};

Time fractionTime(std::int64_t numerator, std::int64_t denominator) {
  return {HitTime(Fraction{numerator, denominator}),
          ExactTime{oracle::fraction(numerator, denominator)}};
}

Integer wide(absl::int128 value) {
  return (Integer(absl::Int128High64(value)) << 64) + Integer(absl::Int128Low64(value));
}

struct Coefficients {
  absl::int128 a = 0;
  absl::int128 b = 0;
  absl::int128 c = 0;
};

Coefficients coefficients(const Vec3i& from, const Vec3i& delta, const Vec3i& center,
                          std::int64_t radius) {
  Coefficients k;
  k.c = -absl::int128(radius) * radius;
  for (int axis = 0; axis < 3; ++axis) {
    const absl::int128 m = absl::int128(from[axis]) - center[axis];
    k.a += absl::int128(delta[axis]) * delta[axis];
    k.b += m * delta[axis];
    k.c += m * m;
  }
  return k;
}

// Returns when a line enters a sphere, if it enters it from outside at all.
std::optional<Time> sphereTime(const Vec3i& from, const Vec3i& delta, const Vec3i& center,
                               std::int64_t radius) {
  const Coefficients k = coefficients(from, delta, center, radius);
  const Integer q = wide(k.b) * wide(k.b) - wide(k.a) * wide(k.c);
  if (k.a <= 0 || k.b >= 0 || k.c <= 0 || q < 0) return std::nullopt;
  const Rational middle = oracle::fraction(-wide(k.b), wide(k.a));
  const Rational half_squared = oracle::fraction(q, wide(k.a) * wide(k.a));
  return Time{HitTime::sphereEntry(k.a, k.b, k.c), ExactTime{middle, half_squared}};
}

// Counts the comparisons for which the filter needed the wide integers.
int compared_exactly = 0;

void expectOrder(const Time& x, const Time& y) {
  const auto expected = x.exact <=> y.exact;
  ASSERT_EQ(x.time <=> y.time, expected) << toString(x.exact) << " and " << toString(y.exact);
  ASSERT_EQ(y.time <=> x.time, 0 <=> expected);
  ASSERT_EQ(HitTime::compareExactly(x.time, y.time), expected)
      << toString(x.exact) << " and " << toString(y.exact);
  ASSERT_EQ(HitTime::compareExactly(y.time, x.time), 0 <=> expected);
  ASSERT_EQ(x.time == y.time, expected == 0);
  const double difference = std::abs(x.time.toDouble() - y.time.toDouble());
  if (difference <= 0x1p-44 * x.time.toDouble()) ++compared_exactly;
}

// Checks the properties of one time.
void expectGood(const Time& x) {
  const double exact = toDouble(x.exact);
  ASSERT_LE(std::abs(x.time.toDouble() - exact), 0x1p-48 * std::abs(exact)) << toString(x.exact);
  const Fraction below = x.time.lowerBound();
  const ExactTime bound{oracle::fraction(below.numerator, below.denominator)};
  ASSERT_LE(bound, x.exact) << toString(x.exact);
  ASSERT_LE(exact - below.toDouble(), 0x1p-39 * exact + 0x1p-52) << "a needlessly low bound";
  ASSERT_EQ(x.time <=> x.time, std::strong_ordering::equal);
}

Vec3i randomPoint(Rng& rng, std::int64_t reach) {
  return {rng.in(-reach, reach), rng.in(-reach, reach), rng.in(-reach, reach)};
}

constexpr std::int64_t kReaches[] = {20, 1000, std::int64_t{1} << 24, std::int64_t{1} << 40,
                                     std::int64_t{1} << 60};

TEST(HitTimeTest, FractionsEqualTheOracle) {
  Rng rng("HitTimeTest.Fractions");
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t denominator = rng.in(1, std::int64_t{1} << rng.in(1, 62));
    const Time x = fractionTime(rng.in(0, denominator), denominator);
    const std::int64_t other = rng.oneIn(2) ? denominator : rng.in(1, std::int64_t{1} << 62);
    Time y = fractionTime(rng.in(0, other), other);
    if (other == denominator) {  // one unit apart, or equal
      const Fraction t = x.time.lowerBound();
      y = fractionTime(std::max<std::int64_t>(0, t.numerator + rng.in(-1, 1)), denominator);
    }
    ASSERT_NO_FATAL_FAILURE(expectOrder(x, y));
    ASSERT_NO_FATAL_FAILURE(expectGood(x));
  }
}

TEST(HitTimeTest, SpheresOnOneLineEqualTheOracle) {
  Rng rng("HitTimeTest.Spheres");
  int pairs = 0;
  compared_exactly = 0;
  for (int i = 0; i < 40000; ++i) {
    const std::int64_t reach = kReaches[i % 5];
    const Vec3i from = randomPoint(rng, reach);
    Vec3i delta = randomPoint(rng, reach);
    if (rng.oneIn(2)) delta[rng.below(3)] = 0;
    const Vec3i center = from + delta + randomPoint(rng, reach / 4);
    const std::int64_t radius = rng.in(reach / 4, reach / 2);
    const auto x = sphereTime(from, delta, center, radius);
    Vec3i other_center = from + delta + randomPoint(rng, reach / 4);
    std::int64_t other_radius = rng.in(reach / 4, reach / 2);
    if (rng.oneIn(2)) {  // next to the first one
      other_center = center;
      if (rng.oneIn(2)) other_center[rng.below(3)] += rng.in(-1, 1);
      other_radius = radius + rng.in(-1, 1);
    }
    const auto y = sphereTime(from, delta, other_center, other_radius);
    if (x.has_value()) {
      ASSERT_NO_FATAL_FAILURE(expectGood(*x));
    }
    if (!x.has_value() || !y.has_value()) continue;
    ++pairs;
    ASSERT_NO_FATAL_FAILURE(expectOrder(*x, *y));
  }
  EXPECT_GT(pairs, 4000);
  EXPECT_GT(compared_exactly, 400);
}

// Mirrored in a plane that contains the line, a sphere is hit at exactly the same time, which is
// mostly not a fraction; one unit off, it is not.
TEST(HitTimeTest, MirroredSpheresAreExactTies) {
  Rng rng("HitTimeTest.Mirrored");
  int ties = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t reach = kReaches[i % 5];
    const Vec3i from = randomPoint(rng, reach / 4);
    const int fixed = rng.below(3);
    Vec3i delta = randomPoint(rng, reach);
    delta[fixed] = 0;
    const Vec3i center = from + delta + randomPoint(rng, reach / 4);
    const std::int64_t radius = rng.in(reach / 4, reach / 2);
    const auto x = sphereTime(from, delta, center, radius);
    Vec3i mirrored = center;
    mirrored[fixed] = 2 * from[fixed] - center[fixed];
    const auto y = sphereTime(from, delta, mirrored, radius);
    mirrored[fixed] += center[fixed] > from[fixed] ? 1 : -1;
    const auto z = sphereTime(from, delta, mirrored, radius);
    if (!x.has_value() || !z.has_value()) continue;
    ASSERT_TRUE(y.has_value());
    ++ties;
    ASSERT_EQ(x->time, y->time);
    ASSERT_NO_FATAL_FAILURE(expectOrder(*x, *y));
    ASSERT_NO_FATAL_FAILURE(expectOrder(*x, *z));
  }
  EXPECT_GT(ties, 2000);
}

// Compares the fractions right below and right above a sphere's time, as close as 62 bits can
// express.
TEST(HitTimeTest, FractionsNextToASphereEqualTheOracle) {
  Rng rng("HitTimeTest.NextToASphere");
  compared_exactly = 0;
  int compared = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t reach = kReaches[i % 5];
    const Vec3i from = randomPoint(rng, reach / 4);
    const Vec3i delta = randomPoint(rng, reach);
    const Vec3i center = from + delta + randomPoint(rng, reach / 4);
    const auto x = sphereTime(from, delta, center, rng.in(reach / 4, reach / 2));
    if (!x.has_value() || x->exact > ExactTime{1}) continue;
    const std::int64_t denominator = std::int64_t{1} << rng.in(30, 61);
    // Finds the largest numerator that is not above, by bisection.
    std::int64_t low = 0;
    std::int64_t high = denominator;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (fractionTime(middle, denominator).exact <= x->exact ? low : high) = middle;
    }
    ++compared;
    ASSERT_NO_FATAL_FAILURE(expectOrder(*x, fractionTime(low, denominator)));
    ASSERT_NO_FATAL_FAILURE(expectOrder(*x, fractionTime(high, denominator)));
    if (compared == 1500) break;
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(compared_exactly, 500);
}

// 3-4-5 and 20-21-29: spheres whose root is a whole number tie with fractions.
TEST(HitTimeTest, SpheresTieWithFractions) {
  for (const std::int64_t scale : {std::int64_t{1}, std::int64_t{65536}, std::int64_t{1} << 54}) {
    // Along x, past a centre 3 to the side with radius 5: it enters 4 before the centre.
    const auto x = sphereTime({0, 0, 0}, {16 * scale, 0, 0}, {12 * scale, 3 * scale, 0}, 5 * scale);
    ASSERT_TRUE(x.has_value());
    EXPECT_EQ(x->time, HitTime(Fraction{1, 2}));
    ASSERT_NO_FATAL_FAILURE(expectOrder(*x, fractionTime(8 * scale, 16 * scale)));
    ASSERT_NO_FATAL_FAILURE(expectOrder(*x, fractionTime(8 * scale + 1, 16 * scale)));
    ASSERT_NO_FATAL_FAILURE(expectOrder(*x, fractionTime(8 * scale - 1, 16 * scale)));
    // Another sphere that is entered at the same point.
    const auto y =
        sphereTime({0, 0, 0}, {16 * scale, 0, 0}, {29 * scale, 20 * scale, 0}, 29 * scale);
    ASSERT_TRUE(y.has_value());
    EXPECT_EQ(x->time, y->time);
  }
}

TEST(HitTimeTest, TangentLinesEqualTheOracle) {
  Rng rng("HitTimeTest.Tangent");
  for (int i = 0; i < 5000; ++i) {
    const std::int64_t reach = kReaches[i % 5] / 2;
    // Past a centre at exactly the radius, along an axis.
    const std::int64_t radius = rng.in(1, reach);
    const Coefficients k =
        coefficients({0, 0, 0}, {rng.in(1, reach), 0, 0}, {rng.in(1, reach), radius, 0}, radius);
    EXPECT_TRUE(discriminantIsNonNegative(k.a, k.b, k.c));
    EXPECT_EQ(discriminantRoot(k.a, k.b, k.c), 0);
    EXPECT_FALSE(discriminantIsNonNegative(k.a, k.b, k.c + 1));
    EXPECT_TRUE(discriminantIsNonNegative(k.a, k.b, k.c - 1));
    const double root = discriminantRoot(k.a, k.b, k.c - 1);
    const double exact = std::sqrt(static_cast<double>(k.a));
    EXPECT_LE(std::abs(root - exact), exact * 0x1p-49);
  }
}

// Times on one line, most of which tie with others or nearly do: fractions that are written in
// several ways, spheres that are tangent, mirrored, or one unit apart.
std::vector<Time> closeTimes(Rng& rng, std::ptrdiff_t count) {
  constexpr std::int64_t kScale = std::int64_t{1} << 40;
  std::vector<Time> times;
  while (std::ssize(times) < count) {
    const std::int64_t off = rng.oneIn(2) ? 0 : rng.in(-1, 1);
    if (rng.oneIn(3)) {
      const std::int64_t factor = rng.in(1, 3);
      times.push_back(
          fractionTime((rng.in(494, 497) * kScale + off) * factor, 1000 * kScale * factor));
      continue;
    }
    const Vec3i center{500 * kScale, rng.in(-1, 1) * 3 * kScale + off, rng.in(-1, 1) * 4 * kScale};
    const auto time = sphereTime({0, 0, 0}, {1000 * kScale, 0, 0}, center, rng.in(5, 6) * kScale);
    if (time.has_value()) times.push_back(*time);
  }
  return times;
}

// The laws of the order, by the numbers of hit_time.h.
class HitTimeOrderTest : public testing::Test {
 protected:
  Rng rng_{"HitTimeOrderTest"};
  std::vector<Time> times_ = closeTimes(rng_, 120);
};

TEST_F(HitTimeOrderTest, Law1IsAntisymmetric) {
  int ties = 0;
  for (const auto& [x, exact_x] : times_) {
    ASSERT_EQ(x, x);
    for (const auto& [y, exact_y] : times_) {
      ASSERT_EQ(x<y, y> x);
      ASSERT_EQ(x == y, !(x < y) && !(y < x));
      ASSERT_EQ(x <=> y, 0 <=> (y <=> x));
      ties += x == y ? 1 : 0;
    }
  }
  EXPECT_GT(ties, 500);
}

TEST_F(HitTimeOrderTest, Law2IsTransitive) {
  int strict = 0;
  int ties = 0;
  for (const auto& [x, exact_x] : times_) {
    for (const auto& [y, exact_y] : times_) {
      if (x > y) continue;
      for (const auto& [z, exact_z] : times_) {
        if (y > z) continue;
        ASSERT_LE(x, z);
        ASSERT_EQ(x == z, x == y && y == z);
        ++(x == z ? ties : strict);
      }
    }
  }
  EXPECT_GT(strict, 50000);
  EXPECT_GT(ties, 1000);
}

TEST_F(HitTimeOrderTest, Law3TheFilterAgreesWithCompareExactly) {
  int close = 0;
  for (const auto& [x, exact_x] : times_) {
    for (const auto& [y, exact_y] : times_) {
      ASSERT_EQ(x <=> y, HitTime::compareExactly(x, y));
      const double apart = std::abs(x.toDouble() - y.toDouble());
      close += x != y && apart <= 0x1p-44 * x.toDouble() ? 1 : 0;
    }
  }
  EXPECT_GT(close, 100) << "too few that the filter leaves to the integers";
}

TEST_F(HitTimeOrderTest, Law4IsTheOrderOfTheNumbers) {
  for (const Time& x : times_) {
    for (const Time& y : times_) {
      ASSERT_EQ(x.time == y.time, x.exact == y.exact);
      ASSERT_EQ(x.time <=> y.time, x.exact <=> y.exact) << toString(x.exact);
    }
  }
}

}  // namespace
}  // namespace fractalray
