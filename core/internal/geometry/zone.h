// SPDX-License-Identifier: Apache-2.0
// Zones: the shadows of boxes as sets of directions, with their exact intersection, difference and
// test for emptiness.
//
// Of directions w with positive components, those in which a line from the origin crosses
// the interior of a box with corners l >= 0, h > 0 are those whose three intervals of times
// (l_i / w_i, h_i / w_i) overlap pairwise: w_i / w_j < h_i / l_j for the six ordered pairs of axes.
// Such sets are closed under intersection, by the lesser bound of each pair, and a difference of
// two of them is at most six of them: one for each side that cuts.
//
//      w_y / w_z                  Seen from the origin, a zone is a hexagon, each of whose sides
//        ^     ______             lies on a line through one of three points: the directions of
//        |    |     /             the axes.
//        |    |    / w_x / w_y
//        |    |___/
//        +------------> w_x / w_z
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "boost/container/static_vector.hpp"

#include "../../vec.h"
#include "ratio.h"
#include "unit_box.h"

namespace fractalray::internal {

// A direction with wide components, each at least 0 and at most 2^127 - 1.
using WideDirection = std::array<Int128, 3>;

// The directions w > 0 with w_i / w_j < bound k for the pair k of axes: an open set, perhaps
// empty. A value type.
struct Zone {
  static constexpr int kPairs = 6;
  // The axes i and j of each pair; pairs 2 n and 2 n + 1 are inverse to each other.
  static constexpr std::array<int, kPairs> kOver = {0, 1, 1, 2, 2, 0};
  static constexpr std::array<int, kPairs> kUnder = {1, 0, 2, 1, 0, 2};
  // Returns the pair of two different axes, and the inverse pair.
  static constexpr int pairOf(int over, int under) {
    constexpr std::array<std::array<int, 3>, 3> kPairOf = {{{0, 0, 5}, {1, 0, 2}, {4, 3, 0}}};
    return kPairOf[static_cast<std::size_t>(over)][static_cast<std::size_t>(under)];
  }
  static constexpr int inverseOf(int pair) { return pair ^ 1; }

  std::array<Ratio, kPairs> bounds{};  // of every direction, by default

  Ratio& bound(int pair) { return bounds[static_cast<std::size_t>(pair)]; }
  const Ratio& bound(int pair) const { return bounds[static_cast<std::size_t>(pair)]; }

  // Returns true if the zone is not empty: then it has solid angle. In logarithms the bounds are
  // differences of three variables, which have a solution unless a cycle of them adds up to 0 or
  // less: three cycles of two bounds, and two of three.
  bool isOpen() const;
  // Returns true if it contains a direction. Requires: w >= 0.
  bool contains(const WideDirection& w) const;
  // Returns true if its closure does.
  bool touches(const WideDirection& w) const;
};

// Returns the shadow of a box. Requires: 0 <= min and min <= max and max > 0 on every axis, and
// coordinates are at most 2^62. The shadow of a box that is flat on one axis is that of its
// rectangle.
Zone shadowOf(const UnitBox& box);

// Returns the directions that are in both.
Zone intersectionOf(const Zone& a, const Zone& b);
// Returns true if they have a direction in common.
bool overlap(const Zone& a, const Zone& b);
// Returns true if each bound of `zone` is within that of `shadow`: then all of it is in the shadow.
bool isCovered(const Zone& zone, const Zone& shadow);

// The parts of a zone outside of another: as many disjoint zones as are needed to cover it, but for
// directions without solid angle.
using ZonePieces = boost::container::static_vector<Zone, Zone::kPairs>;
// Returns the parts of `zone` outside of `shadow`. Requires: they overlap.
ZonePieces differenceOf(const Zone& zone, const Zone& shadow);

}  // namespace fractalray::internal
