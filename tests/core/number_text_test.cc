// SPDX-License-Identifier: Apache-2.0
#include "../../core/internal/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

TEST(NumberTextTest, IsTheShortestThatReadsBack) {
  EXPECT_EQ(numberText(0.1), "0.1");
  EXPECT_EQ(numberText(1200000), "1200000");
  EXPECT_EQ(numberText(100000), "1e+05");
  EXPECT_EQ(numberText(-0.0), "-0");
  EXPECT_EQ(numberText(0x1p-1074), "5e-324");
  std::string text = "x ";
  appendNumberText(text, 2.5);
  EXPECT_EQ(text, "x 2.5");
}

TEST(NumberTextTest, BothWaysGiveTheSame) {
  using Limits = std::numeric_limits<double>;
  for (const double number : {0.0, -0.0, 1.0, 0.001, 0.0001, 1e21, 1e22, 1e23, 123456789012345678.0,
                              12345678901234567168.0, 1e-7, 1.5e-6, Limits::max(), Limits::min(),
                              Limits::denorm_min(), Limits::infinity(), -Limits::infinity()}) {
    EXPECT_EQ(numberTextByTrying(number), numberText(number));
  }
  oracle::Rng rng("NumberText");
  for (int i = 0; i < 100000; ++i) {
    const auto any = std::bit_cast<double>(rng.next());
    if (!std::isnan(any)) {
      ASSERT_EQ(numberTextByTrying(any), numberText(any));
    }
    const double usual =
        static_cast<double>(rng.in(-10'000'000, 10'000'000)) / static_cast<double>(rng.in(1, 4096));
    ASSERT_EQ(numberTextByTrying(usual), numberText(usual));
    const double whole =
        static_cast<double>(rng.in(1, 999)) * std::pow(10.0, static_cast<double>(rng.in(0, 25)));
    ASSERT_EQ(numberTextByTrying(whole), numberText(whole));
  }
}

}  // namespace
}  // namespace fractalray::internal
