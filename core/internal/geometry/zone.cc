// SPDX-License-Identifier: Apache-2.0
#include "zone.h"

#include "../../check.h"

namespace fractalray::internal {

namespace {

// The same as Zone::isOpen() for the bounds bound(0) to bound(5).
template <class Bound>
bool areOpen(const Bound& bound) {
  return isProductAboveOne(bound(0), bound(1)) && isProductAboveOne(bound(2), bound(3)) &&
         isProductAboveOne(bound(4), bound(5)) && isProductAboveOne(bound(0), bound(2), bound(4)) &&
         isProductAboveOne(bound(1), bound(3), bound(5));
}

}  // namespace

bool Zone::isOpen() const {
  return areOpen([this](int pair) -> const Ratio& { return bound(pair); });
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
  std::array<const Ratio*, Zone::kPairs> least;
  for (int pair = 0; pair < Zone::kPairs; ++pair) {
    const bool is_b_less = isLess(b.bound(pair), a.bound(pair));
    least[static_cast<std::size_t>(pair)] = is_b_less ? &b.bound(pair) : &a.bound(pair);
  }
  return areOpen([&](int pair) -> const Ratio& { return *least[static_cast<std::size_t>(pair)]; });
}

bool isCovered(const Zone& zone, const Zone& shadow) {
  for (int pair = 0; pair < Zone::kPairs; ++pair) {
    if (isLess(shadow.bound(pair), zone.bound(pair))) return false;
  }
  return true;
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
    if (piece.isOpen()) pieces.push_back(piece);
    rest.bound(pair) = cut;
  }
  return pieces;
}

}  // namespace fractalray::internal
