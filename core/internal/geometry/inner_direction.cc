// SPDX-License-Identifier: Apache-2.0
#include "inner_direction.h"

#include <algorithm>
#include <cstdint>

#include "boost/container/static_vector.hpp"

#include "../../arithmetic/fixed_point.h"
#include "../../check.h"

namespace fractalray::internal {
namespace {

int farthestAxis(const UnitBox& box) {
  int axis = 0;
  for (int i = 1; i < 3; ++i) {
    if (box.min[i] > box.min[axis]) axis = i;
  }
  return axis;
}

double boundOf(const Zone& zone, int over, int under) {
  return zone.bound(Zone::pairOf(over, under)).approximate;
}

// Returns the axis through whose near face a line enters the box last.
int entryAxis(const std::array<double, 3>& direction, const UnitBox& box) {
  const auto time = [&](int axis) {
    return static_cast<double>(box.min[axis]) / direction[static_cast<std::size_t>(axis)];
  };
  int entry = 0;
  for (int axis = 1; axis < 3; ++axis) {
    if (time(axis) > time(entry)) entry = axis;
  }
  return entry;
}

// Returns the point in units nearest to that at which a line along the direction enters the box.
WideDirection nearestUnits(const std::array<double, 3>& direction, const UnitBox& box) {
  const int entry = entryAxis(direction, box);
  const double time =
      static_cast<double>(box.min[entry]) / direction[static_cast<std::size_t>(entry)];
  WideDirection point{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const auto most = static_cast<double>(box.max[axis]);
    const double along = std::min(direction[i] * time, most);
    // A double of 2^53 or more is an integer.
    const std::int64_t units =
        along < 0x1p53 ? roundedToInteger(along) : static_cast<std::int64_t>(along);
    point[i] = std::clamp(units, std::max(box.min[axis], std::int64_t{1}), box.max[axis]);
  }
  point[static_cast<std::size_t>(entry)] = box.min[entry];
  return point;
}

// A side of a zone as a plane through the origin: n.w = 0, with n.w > 0 inside.
using Normal = std::array<std::int64_t, 3>;

Normal normalOf(const Zone& zone, int pair) {
  const auto k = static_cast<std::size_t>(pair);
  Normal normal{};
  normal[static_cast<std::size_t>(Zone::kUnder[k])] = zone.bound(pair).p;
  normal[static_cast<std::size_t>(Zone::kOver[k])] = -zone.bound(pair).q;
  return normal;
}

// Returns the direction, up to its sign, in which two planes of different pencils cross.
WideDirection crossProduct(const Normal& a, const Normal& b) {
  WideDirection product{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const std::size_t k = (i + 2) % 3;
    product[i] = Int128(a[j]) * b[k] - Int128(a[k]) * b[j];
  }
  return product;
}

// Makes all components at least 0; returns false if their signs differ, or all are 0.
bool makePositive(WideDirection& w) {
  const bool is_negative = w[0] < 0 || w[1] < 0 || w[2] < 0;
  if (is_negative) w = {-w[0], -w[1], -w[2]};
  return w[0] >= 0 && w[1] >= 0 && w[2] >= 0 && (w[0] != 0 || w[1] != 0 || w[2] != 0);
}

Int128 greatestCommonDivisor(Int128 a, Int128 b) {
  while (b != 0) {
    const Int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

void reduce(WideDirection& w) {
  const Int128 divisor = greatestCommonDivisor(greatestCommonDivisor(w[0], w[1]), w[2]);
  for (Int128& component : w)
    component /= divisor;
}

}  // namespace

ZoneMiddle middleOf(const Zone& zone, const UnitBox& box) {
  // On the plane w_a = 1 the zone is a rectangle along j and k with two corners cut off. The
  // middle is that of the interval of k in the middle of the interval of j.
  const int a = farthestAxis(box);
  const int j = a == 0 ? 1 : 0;
  const int k = a == 2 ? 1 : 2;
  FRACTALRAY_DCHECK(box.min[a] > 0, box.min[a]);
  const auto bound = [&](int over, int under) { return boundOf(zone, over, under); };
  const auto most = [&](int over, int by) {
    return std::min(bound(over, a), bound(over, by) * bound(by, a));
  };
  const auto least = [&](int over, int by) {
    return 1 / std::min(bound(a, over), bound(a, by) * bound(by, over));
  };
  const double low_j = least(j, k);
  const double high_j = most(j, k);
  const double middle_j = (low_j + high_j) / 2;
  const double low_k = std::max(least(k, j), middle_j / bound(j, k));
  const double high_k = std::min(most(k, j), middle_j * bound(k, j));
  ZoneMiddle middle;
  middle.direction[static_cast<std::size_t>(a)] = 1;
  middle.direction[static_cast<std::size_t>(j)] = middle_j;
  middle.direction[static_cast<std::size_t>(k)] = (low_k + high_k) / 2;
  middle.size = (high_j - low_j) * (high_k - low_k);
  return middle;
}

WideDirection sumOfCorners(const Zone& zone) {
  boost::container::static_vector<WideDirection, 15> corners;
  for (int first = 0; first < Zone::kPairs; ++first) {
    for (int second = 0; second < first; ++second) {
      if (first == Zone::inverseOf(second)) continue;  // parallel, of one pencil
      WideDirection corner = crossProduct(normalOf(zone, first), normalOf(zone, second));
      if (!makePositive(corner) || !zone.touches(corner)) continue;
      // Three sides may cross in one corner, which counts once, so that the sum has 127 bits.
      reduce(corner);
      if (std::find(corners.begin(), corners.end(), corner) == corners.end())
        corners.push_back(corner);
    }
  }
  WideDirection sum{};
  for (const WideDirection& corner : corners) {
    for (std::size_t i = 0; i < 3; ++i)
      sum[i] += corner[i];
  }
  return sum;
}

InnerDirection innerDirection(const Zone& zone, const UnitBox& box) {
  return innerDirection(zone, middleOf(zone, box), box);
}

InnerDirection innerDirection(const Zone& zone, const ZoneMiddle& middle, const UnitBox& box) {
  InnerDirection inner{nearestUnits(middle.direction, box), true};
  if (zone.contains(inner.w)) return inner;
  inner = {sumOfCorners(zone), false};
  FRACTALRAY_CHECK(zone.contains(inner.w));
  return inner;
}

}  // namespace fractalray::internal
