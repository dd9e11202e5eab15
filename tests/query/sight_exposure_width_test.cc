// SPDX-License-Identifier: Apache-2.0
// The width of the interval of an exposure in the hardest case: a box that is as thin as the
// promise allows, on a diagonal, with a grating before it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "../../query/sight.h"
#include "../oracle/exact.h"
#include "../oracle/sight_oracle.h"
#include "sight_check.h"
#include "sight_laws.h"
#include "sight_scene.h"

namespace fractalray::sight_test {
namespace {

using oracle::Rational;

constexpr std::int64_t kDistance = std::int64_t{1} << 26;
constexpr std::int64_t kSide = kDistance / 1024;
constexpr std::int64_t kGrating = kDistance / 2;

// Returns the area of the part of the square from (kDistance, kDistance), kSide wide, that is below
// the line y = slope * x.
Rational areaBelow(const Rational& slope) {
  const Rational low = kDistance;
  const Rational high = kDistance + kSide;
  const auto within = [&](const Rational& x) { return std::clamp(x, low, high); };
  // The line enters the square at `from`, and leaves it at `to`.
  const Rational from = within(low / slope);
  const Rational to = within(high / slope);
  return slope * (to * to - from * from) / 2 - low * (to - from) + kSide * (high - to);
}

// Bars and slits of equal width: bars are a unit thick, and have the height of the box's shadow.
TEST(SightExposureWidthTest, AGratingDoesNotWidenIt) {
  for (const std::int64_t bars : {64, 1024}) {
    SightCase made = emptyCase();
    made.options.unloaded = UnloadedSpace::kTransparent;
    made.query = {.eye = {0, 0, 0},
                  .box = {.min = {kDistance, kDistance, kDistance},
                          .max = {kDistance + kSide, kDistance + kSide, kDistance + kSide}}};
    ASSERT_TRUE(isThick(made.query));
    const std::int64_t period = kGrating / 512 / bars;
    Rational hidden = 0;
    for (std::int64_t bar = 0; bar < bars; ++bar) {
      const std::int64_t low = kGrating - kGrating / 1024 + bar * period;
      const std::int64_t high = low + period / 2;
      made.occluders.push_back({{kGrating, low, 0}, {kGrating + 1, high, kDistance}});
      hidden += areaBelow(oracle::fraction(high, kGrating)) -
                areaBelow(oracle::fraction(low, kGrating + 1));
    }
    oracle::ExactSight exact;
    exact.seen_from = exact.seen_to = 1 - hidden / kSide / kSide;
    const ExposureAnswer share = exposureOf(made);
    EXPECT_EQ(faultOf(made, share, exact), std::nullopt) << bars;
    EXPECT_LE(share.to - share.from, kShareWidth) << bars;
    EXPECT_GT(share.from, 0.4);
    EXPECT_LT(share.to, 0.6);
  }
}

}  // namespace
}  // namespace fractalray::sight_test
