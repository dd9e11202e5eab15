// SPDX-License-Identifier: Apache-2.0
#include "zone.h"

#include "../../check.h"

namespace fractalray::internal {

bool Zone::isOpen() const {
  return isProductAboveOne(bounds[0], bounds[1]) && isProductAboveOne(bounds[2], bounds[3]) &&
         isProductAboveOne(bounds[4], bounds[5]) &&
         isProductAboveOne(bounds[0], bounds[2], bounds[4]) &&
         isProductAboveOne(bounds[1], bounds[3], bounds[5]);
}

bool Zone::contains(const WideDirection& w) const {
  for (int pair = 0; pair < kPairs; ++pair) {
    const Int128 over = w[static_cast<std::size_t>(kOver[static_cast<std::size_t>(pair)])];
    const Int128 under = w[static_cast<std::size_t>(kUnder[static_cast<std::size_t>(pair)])];
    if (!isProductLess(over, bound(pair).q, under, bound(pair).p)) return false;
  }
  return true;
}

bool Zone::touches(const WideDirection& w) const {
  for (int pair = 0; pair < kPairs; ++pair) {
    const Int128 over = w[static_cast<std::size_t>(kOver[static_cast<std::size_t>(pair)])];
    const Int128 under = w[static_cast<std::size_t>(kUnder[static_cast<std::size_t>(pair)])];
    if (isProductLess(under, bound(pair).p, over, bound(pair).q)) return false;
  }
  return true;
}

Zone shadowOf(const UnitBox& box) {
  Zone zone;
  for (int pair = 0; pair < Zone::kPairs; ++pair) {
    const int over = Zone::kOver[static_cast<std::size_t>(pair)];
    const int under = Zone::kUnder[static_cast<std::size_t>(pair)];
    FRACTALRAY_DCHECK(box.min[over] >= 0 && box.max[over] > 0, box.min[over], box.max[over]);
    zone.bound(pair) = Ratio::of(box.max[over], box.min[under]);
  }
  return zone;
}

Zone intersectionOf(const Zone& a, const Zone& b) {
  Zone both = a;
  for (int pair = 0; pair < Zone::kPairs; ++pair) {
    if (isLess(b.bound(pair), a.bound(pair))) both.bound(pair) = b.bound(pair);
  }
  return both;
}

bool overlap(const Zone& a, const Zone& b) {
  return intersectionOf(a, b).isOpen();
}

ZonePieces differenceOf(const Zone& zone, const Zone& shadow) {
  ZonePieces pieces;
  Zone rest = zone;
  for (int pair = 0; pair < Zone::kPairs; ++pair) {
    const Ratio& cut = shadow.bound(pair);
    if (!isLess(cut, rest.bound(pair))) continue;
    // Beyond this side of the shadow: w_i / w_j > cut, so w_j / w_i < 1 / cut.
    Zone piece = rest;
    Ratio& inverse_bound = piece.bound(Zone::inverseOf(pair));
    if (isLess(cut.inverse(), inverse_bound)) inverse_bound = cut.inverse();
    if (piece.isOpen()) pieces.zones[static_cast<std::size_t>(pieces.count++)] = piece;
    rest.bound(pair) = cut;
  }
  return pieces;
}

}  // namespace fractalray::internal
