// SPDX-License-Identifier: Apache-2.0
#include "../../../core/internal/geometry/wide_int.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "absl/numeric/int128.h"

#include "../../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

TEST(WideTest, IntegersThatFitADoubleAreExact) {
  EXPECT_EQ(toDouble(0), 0);
  EXPECT_EQ(toDouble(-1), -1);
  EXPECT_EQ(toDouble((absl::int128(1) << 53) - 1), 0x1p53 - 1);
  for (int bits = 0; bits < 127; ++bits) {
    EXPECT_EQ(toDouble(absl::int128(1) << bits), std::ldexp(1.0, bits));
    EXPECT_EQ(toDouble(-(absl::int128(1) << bits)), -std::ldexp(1.0, bits));
  }
  EXPECT_EQ(toDouble(absl::Int128Min()), -0x1p127);
}

TEST(WideTest, OtherIntegersAreRoundedToTheNearest) {
  // Halfway goes to the even one.
  EXPECT_EQ(toDouble((absl::int128(1) << 53) + 1), 0x1p53);
  EXPECT_EQ(toDouble((absl::int128(1) << 53) + 3), 0x1p53 + 4);
  EXPECT_EQ(toDouble(-((absl::int128(1) << 53) + 3)), -0x1p53 - 4);
  EXPECT_EQ(toDouble(absl::Int128Max()), 0x1p127);
}

TEST(WideTest, BothConversionsAgreeAtTheirBoundary) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(toDouble(kMax), 0x1p63);
  EXPECT_EQ(toDouble(absl::int128(kMax) + 1), 0x1p63);
  EXPECT_EQ(toDouble(-absl::int128(kMax)), -0x1p63);
  EXPECT_EQ(toDouble(-absl::int128(kMax) - 1), -0x1p63);
  EXPECT_EQ(toDouble(-absl::int128(kMax) - 2), -0x1p63);
}

// Each rounds otherwise if its two halves of 64 bits are rounded one after the other.
TEST(WideTest, IntegersAreRoundedOnce) {
  const absl::int128 one = 1;
  const absl::int128 just_above_a_tie = (one << 64) + (one << 63) + (one << 11) + 1;
  EXPECT_EQ(toDouble(just_above_a_tie), 0x1p64 + 0x1p63 + 0x1p12);
  EXPECT_EQ(toDouble(-just_above_a_tie), -0x1p64 - 0x1p63 - 0x1p12);
  const absl::int128 just_below_a_tie = (one << 64) + (one << 63) + (one << 12) + (one << 11) - 1;
  EXPECT_EQ(toDouble(just_below_a_tie), 0x1p64 + 0x1p63 + 0x1p12);
}

// Returns the distance of an integer from a double. Requires: the double is at least 2^53 either
// way.
absl::int128 distanceFrom(absl::int128 value, double rounded) {
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(rounded, &exponent), 53));
  const absl::int128 exact = absl::int128(mantissa) * (absl::int128(1) << (exponent - 53));
  return value < exact ? exact - value : value - exact;
}

TEST(WideTest, NoOtherDoubleIsNearer) {
  Rng rng("WideTest");
  int compared = 0;
  for (int i = 0; i < 100000; ++i) {
    const absl::int128 any =
        absl::MakeInt128(static_cast<std::int64_t>(rng.next()), rng.next()) >> (1 + rng.below(70));
    const double rounded = toDouble(any);
    if (std::abs(rounded) < 0x1p54) continue;
    const absl::int128 distance = distanceFrom(any, rounded);
    for (const double away : {-INFINITY, INFINITY})
      ASSERT_LE(distance, distanceFrom(any, std::nextafter(rounded, away))) << any;
    ++compared;
  }
  EXPECT_GT(compared, 90000);
}

}  // namespace
}  // namespace fractalray::internal
