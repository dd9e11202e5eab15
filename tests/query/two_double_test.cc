// SPDX-License-Identifier: Apache-2.0
// Numbers of two doubles, compared with fractions.
#include "../../query/internal/sight/two_double.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "../oracle/exact.h"
#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rational;

Rational exactOf(const TwoDouble& number) {
  return Rational(number.high) + Rational(number.low);
}

// Expects that a result is off by at most 2^-102 of itself, and that its halves do not overlap.
void expectNear(const TwoDouble& result, const Rational& exact) {
  const Rational error = exactOf(result) - exact;
  EXPECT_LE(abs(error) * Rational(oracle::Integer(1) << 102), abs(exact));
  EXPECT_LE(std::abs(result.low), std::abs(result.high) * 0x1p-53);
}

// Numbers of all sizes, and such that differ by little.
TwoDouble anyNumber(oracle::Rng& rng) {
  const auto any = [&] { return rng.in(-(std::int64_t{1} << 62), std::int64_t{1} << 62); };
  const TwoDouble number = TwoDouble::of(rng.oneIn(3) ? rng.in(-9, 9) : any());
  return rng.oneIn(2) ? number / TwoDouble::of(std::int64_t{1} << rng.below(62)) : number;
}

TEST(TwoDoubleTest, IntegersAreExact) {
  oracle::Rng rng("TwoDoubleTest.Integers");
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t number = rng.in(-(std::int64_t{1} << 62), std::int64_t{1} << 62);
    EXPECT_EQ(exactOf(TwoDouble::of(number)), Rational(number));
  }
}

TEST(TwoDoubleTest, OperationsAreOffByALittle) {
  oracle::Rng rng("TwoDoubleTest");
  int near = 0;
  for (int i = 0; i < 5000; ++i) {
    const TwoDouble a = anyNumber(rng);
    // Of numbers that are nearly equal, the difference has few digits, and all of them count.
    const TwoDouble b = rng.oneIn(4) ? a * TwoDouble(1 + 0x1p-50) : anyNumber(rng);
    const Rational x = exactOf(a);
    const Rational y = exactOf(b);
    expectNear(a + b, x + y);
    expectNear(a - b, x - y);
    expectNear(a * b, x * y);
    if (y != 0) expectNear(a / b, x / y);
    EXPECT_EQ(a < b, x < y);
    EXPECT_EQ(a > b, x > y);
    EXPECT_EQ(a >= b, x >= y);
    near += x != y && abs(x - y) * 1000 < abs(x) ? 1 : 0;
    ASSERT_FALSE(testing::Test::HasFailure())
        << a.high << " " << a.low << ", " << b.high << " " << b.low;
  }
  EXPECT_GT(near, 100);
}

TEST(TwoDoubleTest, InfinityIsGreaterThanAll) {
  const TwoDouble infinity = std::numeric_limits<double>::infinity();
  EXPECT_LT(TwoDouble::of(std::int64_t{1} << 62), infinity);
  EXPECT_FALSE(infinity < TwoDouble(0));
}

}  // namespace
}  // namespace fractalray::internal
