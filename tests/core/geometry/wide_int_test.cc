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

TEST(WideTest, AnyIntegerAgreesWithAbseil) {
  Rng rng("WideTest");
  for (int i = 0; i < 100000; ++i) {
    const absl::int128 any =
        absl::MakeInt128(static_cast<std::int64_t>(rng.next()), rng.next()) >> rng.below(128);
    ASSERT_EQ(toDouble(any), static_cast<double>(any)) << any;
  }
}

}  // namespace
}  // namespace fractalray::internal
