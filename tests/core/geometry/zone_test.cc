// SPDX-License-Identifier: Apache-2.0
// Zones of directions against fractions of any size.
#include "../../../core/internal/geometry/zone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

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

// Returns a part of the shadows of some boxes, perhaps empty.
Zone randomZone(Rng& rng) {
  Zone zone = shadowOf(randomBox(rng));
  for (int more = rng.below(3); more > 0; --more)
    zone = intersectionOf(zone, shadowOf(randomBox(rng)));
  // Cuts like those that shadows of earlier occluders leave, often through a corner.
  for (int cut = rng.below(3); cut > 0; --cut) {
    const int pair = rng.below(Zone::kPairs);
    const Ratio other = shadowOf(randomBox(rng)).bound(pair);
    if (!other.isInfinite()) zone.bound(Zone::inverseOf(pair)) = other.inverse();
  }
  return zone;
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
    const Zone zone = randomZone(rng);
    const bool is_open = isOpenByClosure(zone);
    ASSERT_EQ(zone.isOpen(), is_open);
    ++count[is_open ? 1 : 0];
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
  int covered = 0;
  int in_pieces = 0;
  for (int i = 0; i < 20000; ++i) {
    const UnitBox target = randomBox(rng);
    if (target.min == Vec3i{}) continue;  // the eye is in it
    const Zone zone = shadowOf(target);
    const Zone shadow = shadowOf(randomBox(rng));
    if (!overlap(zone, shadow)) continue;
    ++cut;
    const ZonePieces pieces = differenceOf(zone, shadow);
    if (isCovered(zone, shadow)) {
      ASSERT_TRUE(pieces.empty());
      ++covered;
    }
    for (std::size_t each = 0; each < pieces.size(); ++each) {
      const Zone& piece = pieces[each];
      ASSERT_FALSE(overlap(piece, shadow));
      const InnerDirection inner = innerDirection(piece, target);
      ASSERT_TRUE(piece.contains(inner.w) && zone.contains(inner.w));
      for (std::size_t other = 0; other < each; ++other)
        ASSERT_FALSE(overlap(piece, pieces[other]));
    }
    // A direction of the zone is in the shadow, on its border, or in a piece.
    for (int each = 0; each < 20; ++each) {
      const WideDirection w = {rng.in(target.min[0], target.max[0]),
                               rng.in(target.min[1], target.max[1]),
                               rng.in(target.min[2], target.max[2])};
      if (!zone.contains(w) || shadow.touches(w)) continue;
      const bool is_found = std::any_of(pieces.begin(), pieces.end(),
                                        [&](const Zone& piece) { return piece.touches(w); });
      ASSERT_TRUE(is_found);
      ++in_pieces;
    }
  }
  EXPECT_GT(cut, 1000);
  EXPECT_GT(covered, 100);
  EXPECT_GT(in_pieces, 10000);
}

using Direction = std::array<Integer, 3>;

// Returns the components of the normal of a side, which points inwards.
Direction normalOf(const Zone& zone, int pair) {
  const auto k = static_cast<std::size_t>(pair);
  Direction normal{0, 0, 0};
  normal[static_cast<std::size_t>(Zone::kOver[k])] = -zone.bound(pair).q;
  normal[static_cast<std::size_t>(Zone::kUnder[k])] = zone.bound(pair).p;
  return normal;
}

Integer dotProduct(const Direction& a, const Direction& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

bool isInClosure(const Zone& zone, const Direction& w) {
  for (int pair = 0; pair < Zone::kPairs; ++pair) {
    if (dotProduct(normalOf(zone, pair), w) < 0) return false;
  }
  return w[0] >= 0 && w[1] >= 0 && w[2] >= 0 && w != Direction{0, 0, 0};
}

// Returns the directions in lowest terms in which two sides of a zone cross, each once.
std::set<Direction> cornersOf(const Zone& zone) {
  std::set<Direction> corners;
  for (int first = 0; first < Zone::kPairs; ++first) {
    for (int second = 0; second < Zone::kPairs; ++second) {
      const Direction a = normalOf(zone, first);
      const Direction b = normalOf(zone, second);
      Direction w{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
      // Parallel sides cross in an axis, which is no direction of theirs.
      if (first == second || first == Zone::inverseOf(second) || !isInClosure(zone, w)) continue;
      const Integer divisor = gcd(gcd(w[0], w[1]), w[2]);
      for (Integer& component : w)
        component /= divisor;
      corners.insert(w);
    }
  }
  return corners;
}

// Returns a hexagon around the direction (1, 1, 1), whose corners have components near 2^124.
Zone narrowHexagon(Rng& rng) {
  Zone zone;
  for (int pair = 0; pair < Zone::kPairs; ++pair) {
    const std::int64_t p = (std::int64_t{1} << 62) - rng.in(0, 1000);
    zone.bound(pair) = Ratio::of(p, p - rng.in(101, 199));
  }
  return zone;
}

TEST(ZoneTest, TheSumOfCornersIsExactInUpTo127Bits) {
  Rng rng("ZoneCorners");
  int zones = 0;
  int wide = 0;
  for (int i = 0; i < 5000; ++i) {
    const Zone zone = rng.oneIn(4) ? narrowHexagon(rng) : randomZone(rng);
    if (!zone.isOpen()) continue;
    Direction expected{0, 0, 0};
    for (const Direction& corner : cornersOf(zone)) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        expected[axis] += corner[axis];
    }
    const WideDirection sum = sumOfCorners(zone);
    ASSERT_TRUE(zone.contains(sum));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ASSERT_GT(sum[axis], 0);
      ASSERT_EQ(toInteger(sum[axis]), expected[axis]);
    }
    ++zones;
    wide += expected[0] >> 126 == 1 ? 1 : 0;
  }
  EXPECT_GT(zones, 1000);
  EXPECT_GT(wide, 50);
}

}  // namespace
}  // namespace fractalray::internal
