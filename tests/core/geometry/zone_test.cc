// SPDX-License-Identifier: Apache-2.0
// Zones of directions against fractions of any size.
#include "../../../core/internal/geometry/zone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "../../../core/internal/geometry/inner_direction.h"
#include "../../../core/internal/geometry/ratio.h"
#include "../../oracle/exact.h"
#include "../../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Integer;
using oracle::Rational;
using oracle::Rng;

Integer toInteger(Int128 value) {
  return (Integer(static_cast<std::int64_t>(value >> 64)) << 64) +
         Integer(static_cast<std::uint64_t>(value));
}

// Numbers of all sizes, many of them equal or a unit apart.
std::int64_t number(Rng& rng, std::int64_t least) {
  const std::int64_t most = std::int64_t{1} << rng.pick({2, 4, 17, 40, 62});
  const std::int64_t near_end = most - rng.in(0, 2);
  return rng.oneIn(3) ? std::max(near_end, least) : rng.in(least, most);
}

UnitBox randomBox(Rng& rng) {
  UnitBox box;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t a = number(rng, 0);
    const std::int64_t b = rng.oneIn(2) ? a + rng.in(1, 3) : number(rng, 1);
    box.min[axis] = std::min({a, b, (std::int64_t{1} << 62) - 3});
    box.max[axis] = std::max({a, b, box.min[axis] + 1});
    box.max[axis] = std::min(box.max[axis], std::int64_t{1} << 62);
  }
  return box;
}

// Decides emptiness by closure: the least bound of each ratio over all ways, as Floyd and Warshall
// find it; not by a list of cycles.
bool isOpenByClosure(const Zone& zone) {
  std::array<std::array<Rational, 3>, 3> bound;
  std::array<std::array<bool, 3>, 3> is_finite{};
  for (int pair = 0; pair < Zone::kPairs; ++pair) {
    const auto k = static_cast<std::size_t>(pair);
    const auto over = static_cast<std::size_t>(Zone::kOver[k]);
    const auto under = static_cast<std::size_t>(Zone::kUnder[k]);
    is_finite[over][under] = !zone.bound(pair).isInfinite();
    if (is_finite[over][under])
      bound[over][under] = oracle::fraction(zone.bound(pair).p, zone.bound(pair).q);
  }
  for (std::size_t via = 0; via < 3; ++via) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        if (!is_finite[i][via] || !is_finite[via][j]) continue;
        const Rational product = bound[i][via] * bound[via][j];
        if (is_finite[i][j] && bound[i][j] <= product) continue;
        bound[i][j] = product;
        is_finite[i][j] = true;
      }
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (is_finite[i][i] && bound[i][i] <= 1) return false;
  }
  return true;
}

TEST(ZoneTest, ProductsOf192BitsCompareExactly) {
  Rng rng("ZoneProducts");
  for (int i = 0; i < 20000; ++i) {
    const Int128 a = Int128(number(rng, 0)) * number(rng, 0);
    const std::int64_t b = number(rng, 0);
    const bool same = rng.oneIn(3);
    const Int128 c = same ? a + rng.in(0, 1) : Int128(number(rng, 0)) * number(rng, 0);
    const std::int64_t d = same ? b : number(rng, 0);
    ASSERT_EQ(isProductLess(a, b, c, d), toInteger(a) * b < toInteger(c) * d);
  }
}

TEST(ZoneTest, RatiosCompareAsFractions) {
  Rng rng("ZoneRatios");
  int close = 0;
  for (int i = 0; i < 20000; ++i) {
    const Ratio a = Ratio::of(number(rng, 1), number(rng, 1));
    const std::int64_t factor = rng.in(1, 4);
    const bool near = rng.oneIn(2) && std::max(a.p, a.q) < (std::int64_t{1} << 59);
    const Ratio b = near ? Ratio::of(a.p * factor + rng.in(0, 1), a.q * factor)
                         : Ratio::of(number(rng, 1), number(rng, 1));
    const Rational exact_a = oracle::fraction(a.p, a.q);
    const Rational exact_b = oracle::fraction(b.p, b.q);
    ASSERT_EQ(isLess(a, b), exact_a < exact_b);
    ASSERT_EQ(isProductAboveOne(a, b.inverse()), exact_a > exact_b);
    const Ratio c = Ratio::of(number(rng, 1), number(rng, 1));
    ASSERT_EQ(isProductAboveOne(a, b, c), exact_a * exact_b * oracle::fraction(c.p, c.q) > 1);
    close += near ? 1 : 0;
  }
  EXPECT_GT(close, 1000);
  EXPECT_FALSE(isLess(Ratio(), Ratio()));
  EXPECT_TRUE(isLess(Ratio::of(std::int64_t{1} << 62, 1), Ratio()));
}

TEST(ZoneTest, EmptinessIsThatOfTheClosure) {
  Rng rng("ZoneEmptiness");
  std::array<int, 2> count{};
  for (int i = 0; i < 20000; ++i) {
    Zone both = shadowOf(randomBox(rng));
    for (int more = rng.below(3); more > 0; --more)
      both = intersectionOf(both, shadowOf(randomBox(rng)));
    // Cuts like those that shadows of earlier occluders leave, often through a corner.
    for (int cut = rng.below(3); cut > 0; --cut) {
      const int pair = rng.below(Zone::kPairs);
      const Ratio other = shadowOf(randomBox(rng)).bound(pair);
      if (!other.isInfinite()) both.bound(Zone::inverseOf(pair)) = other.inverse();
    }
    const bool is_open = isOpenByClosure(both);
    ASSERT_EQ(both.isOpen(), is_open);
    ++count[is_open ? 1 : 0];
    if (is_open) {
      ASSERT_TRUE(both.contains(sumOfCorners(both)));
    }
  }
  EXPECT_GT(count[0], 1000);
  EXPECT_GT(count[1], 1000);
}

TEST(ZoneTest, TwoThreeCyclesDecideWhereNoPairDoes) {
  // w_x / w_y < 2, w_y / w_z < 3 and w_z / w_x < 1 / 6: empty by the tie of a cycle of three.
  Zone zone;
  zone.bound(Zone::pairOf(0, 1)) = Ratio::of(2, 1);
  zone.bound(Zone::pairOf(1, 2)) = Ratio::of(3, 1);
  zone.bound(Zone::pairOf(2, 0)) = Ratio::of(1, 6);
  EXPECT_FALSE(zone.isOpen());
  zone.bound(Zone::pairOf(2, 0)) = Ratio::of((std::int64_t{1} << 60) + 1, std::int64_t{6} << 60);
  EXPECT_TRUE(zone.isOpen()) << "a crack of 2^-60";
  Zone other;
  other.bound(Zone::pairOf(1, 0)) = Ratio::of(2, 1);
  other.bound(Zone::pairOf(2, 1)) = Ratio::of(3, 1);
  other.bound(Zone::pairOf(0, 2)) = Ratio::of(1, 6);
  EXPECT_FALSE(other.isOpen());
}

TEST(ZoneTest, DirectionsAreInTheZoneOrInOnePieceOrInTheShadow) {
  Rng rng("ZoneDifference");
  int cut = 0;
  for (int i = 0; i < 20000; ++i) {
    const UnitBox target = randomBox(rng);
    if (target.min == Vec3i{}) continue;  // the eye is in it
    const Zone zone = shadowOf(target);
    const Zone shadow = shadowOf(randomBox(rng));
    if (!overlap(zone, shadow)) continue;
    ++cut;
    const ZonePieces pieces = differenceOf(zone, shadow);
    for (int each = 0; each < pieces.count; ++each) {
      const Zone& piece = pieces.zones[static_cast<std::size_t>(each)];
      ASSERT_FALSE(overlap(piece, shadow));
      const InnerDirection inner = innerDirection(piece, target);
      ASSERT_TRUE(piece.contains(inner.w) && zone.contains(inner.w));
      for (int other = 0; other < each; ++other)
        ASSERT_FALSE(overlap(piece, pieces.zones[static_cast<std::size_t>(other)]));
    }
    // A direction of the zone is in the shadow, on its border, or in a piece.
    for (int each = 0; each < 20; ++each) {
      const WideDirection w = {rng.in(target.min[0], target.max[0]),
                               rng.in(target.min[1], target.max[1]),
                               rng.in(target.min[2], target.max[2])};
      if (!zone.contains(w) || shadow.touches(w)) continue;
      const bool is_found = std::any_of(pieces.zones.begin(), pieces.zones.begin() + pieces.count,
                                        [&](const Zone& piece) { return piece.touches(w); });
      ASSERT_TRUE(is_found);
    }
  }
  EXPECT_GT(cut, 1000);
}

TEST(ZoneTest, TheSumOfCornersHas127Bits) {
  const std::int64_t most = std::int64_t{1} << 62;
  const UnitBox box{.min = {most - 1, most - 2, most - 4}, .max = {most, most - 1, most - 2}};
  const Zone zone = shadowOf(box);
  const WideDirection sum = sumOfCorners(zone);
  EXPECT_TRUE(zone.contains(sum));
  for (const Int128 component : sum) {
    EXPECT_GT(component, 0);
    EXPECT_LE(toInteger(component), Integer(1) << 127);
  }
}

}  // namespace
}  // namespace fractalray::internal
