// SPDX-License-Identifier: Apache-2.0
#include "visible_share.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "boost/container/static_vector.hpp"

#include "two_double.h"

namespace fractalray::internal {
namespace {

// The share is computed in doubles, or, where the rounding of many zones adds up, in TwoDoubles:
// the same steps, with other bounds of their errors. kStrip and kSum are such bounds, relatively:
// of a coordinate, some roundings, and of a product that is added to a sum.
template <class Real>
inline constexpr double kStrip = 0x1p-48;
template <>
inline constexpr double kStrip<TwoDouble> = 0x1p-96;
template <class Real>
inline constexpr double kSum = 0x1p-50;
template <>
inline constexpr double kSum<TwoDouble> = 0x1p-98;

// The width of an interval that is good enough.
constexpr double kMostWidth = 0x1p-20;

template <class Real>
Real realOf(std::int64_t number) {
  if constexpr (std::is_same_v<Real, double>) {
    return static_cast<double>(number);
  } else {
    return Real::of(number);
  }
}
template <class Real>
Real ratioOf(std::int64_t p, std::int64_t q) {
  if (q == 0) return std::numeric_limits<double>::infinity();
  return realOf<Real>(p) / realOf<Real>(q);
}
template <class Real>
Real inverseOf(const Real& bound) {
  return std::isfinite(toDouble(bound)) ? Real(1) / bound : Real(0);
}

// A point of a plane at distance 1 from the eye.
template <class Real>
struct PlanePoint {
  Real s = 0;
  Real t = 0;
};
// A rectangle that at most two lines cut: each adds a corner, or more where rounding lets a line
// cross a side of no length twice.
template <class Real>
using Polygon = boost::container::static_vector<PlanePoint<Real>, 12>;

// A number and a bound of its rounding error.
template <class Real>
struct Rounded {
  Real value = 0;
  double error = 0;
};

template <class Real>
using Bounds6 = std::array<Real, Zone::kPairs>;

template <class Real>
Real& boundOf(Bounds6<Real>& bounds, int over, int under) {
  return bounds[static_cast<std::size_t>(Zone::pairOf(over, under))];
}

// Cuts off the part of a polygon in which side(point) is below 0.
template <class Real, class Side>
Polygon<Real> cutOff(const Polygon<Real>& polygon, const Side& side) {
  Polygon<Real> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const PlanePoint<Real>& a = polygon[i];
    const PlanePoint<Real>& b = polygon[(i + 1) % polygon.size()];
    const Real of_a = side(a);
    const Real of_b = side(b);
    if (of_a >= 0) kept.push_back(a);
    if ((of_a > 0 && of_b < 0) || (of_a < 0 && of_b > 0)) {
      const Real part = of_a / (of_a - of_b);
      kept.push_back({a.s + part * (b.s - a.s), a.t + part * (b.t - a.t)});
    }
  }
  return kept;
}

template <class Real>
Real areaOf(const Polygon<Real>& polygon) {
  Real twice = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const PlanePoint<Real>& origin = polygon[0];
    const PlanePoint<Real>& a = polygon[i - 1];
    const PlanePoint<Real>& b = polygon[i];
    twice = twice + ((a.s - origin.s) * (b.t - origin.t) - (b.s - origin.s) * (a.t - origin.t));
  }
  return (twice < 0 ? -twice : twice) / 2;
}

// Returns the area of the section of a zone by the plane w_axis = 1.
template <class Real>
Rounded<Real> sectionOf(Bounds6<Real> bounds, int axis) {
  const int i = axis == 0 ? 1 : 0;
  const int k = axis == 2 ? 1 : 2;
  const Real low_s = inverseOf(boundOf(bounds, axis, i));
  const Real high_s = boundOf(bounds, i, axis);
  const Real low_t = inverseOf(boundOf(bounds, axis, k));
  const Real high_t = boundOf(bounds, k, axis);
  // Sides are off by some units in the last place of the greatest coordinates; a strip of that
  // width along each side of the rectangle bounds the area between the true sides and these, also
  // where rounding has made two sides one.
  constexpr double kWide = kStrip<Real>;
  const double most_s = toDouble(high_s);
  const double most_t = toDouble(high_t);
  const double of_s = toDouble(high_s - low_s);
  const double of_t = toDouble(high_t - low_t);
  const double width = std::max(of_s, 0.0);
  const double height = std::max(of_t, 0.0);
  // Also with that strip a section may have no area.
  if (of_s < -kWide * most_s || of_t < -kWide * most_t) return {0, 0};
  const double error =
      kWide * (most_s * (height + kWide * most_t) + most_t * (width + kWide * most_s));
  if (!(width > 0) || !(height > 0)) return {0, error};
  Polygon<Real> polygon = {{low_s, low_t}, {high_s, low_t}, {high_s, high_t}, {low_s, high_t}};
  const Real most = boundOf(bounds, k, i);
  const Real least = inverseOf(boundOf(bounds, i, k));
  if (std::isfinite(toDouble(most))) {
    polygon = cutOff(polygon, [&](const PlanePoint<Real>& p) { return most * p.s - p.t; });
  }
  polygon = cutOff(polygon, [&](const PlanePoint<Real>& p) { return p.t - least * p.s; });
  return {areaOf(polygon), error};
}

template <class Real>
Bounds6<Real> boundsOf(const Zone& zone) {
  Bounds6<Real> bounds{};
  for (int pair = 0; pair < Zone::kPairs; ++pair)
    bounds[static_cast<std::size_t>(pair)] = ratioOf<Real>(zone.bound(pair).p, zone.bound(pair).q);
  return bounds;
}

// Returns the axis on which a box is flat, or -1.
int flatAxisOf(const FixedBox& box) {
  for (int axis = 0; axis < 3; ++axis) {
    if (box.min[axis] == box.max[axis]) return axis;
  }
  return -1;
}

// Sums the measures of the parts of a box, volumes or areas, that lie in zones.
template <class Real>
class PartSum {
 public:
  explicit PartSum(int flat_axis) : flat_axis_(flat_axis) {}

  const Rounded<Real>& sum() const { return sum_; }

  // Adds the part of the box in an octant that lies in a zone, which is inside its shadow.
  void add(const Zone& zone, const UnitBox& box) {
    const Bounds6<Real> bounds = boundsOf<Real>(zone);
    if (flat_axis_ >= 0) {
      const Real distance = realOf<Real>(box.min[flat_axis_]);
      addSection(sectionOf(bounds, flat_axis_), distance * distance);
      return;
    }
    for (int axis = 0; axis < 3; ++axis) {
      addPyramid(onFarFace(bounds, box, axis), axis, box.max[axis], 1);
      if (box.min[axis] > 0) addPyramid(onNearFace(bounds, box, axis), axis, box.min[axis], -1);
    }
  }

 private:
  // Return the bounds of the directions of a zone that leave the box through its far face, or enter
  // it through its near face, on an axis.
  static Bounds6<Real> onFarFace(Bounds6<Real> bounds, const UnitBox& box, int axis) {
    for (int other = 0; other < 3; ++other) {
      if (other == axis) continue;
      Real& bound = boundOf(bounds, other, axis);
      bound = std::min(bound, ratioOf<Real>(box.max[other], box.max[axis]));
    }
    return bounds;
  }
  static Bounds6<Real> onNearFace(Bounds6<Real> bounds, const UnitBox& box, int axis) {
    for (int other = 0; other < 3; ++other) {
      if (other == axis || box.min[other] <= 0) continue;
      Real& bound = boundOf(bounds, axis, other);
      bound = std::min(bound, ratioOf<Real>(box.min[axis], box.min[other]));
    }
    return bounds;
  }
  // Adds, or subtracts, the pyramid from the eye to a section of a face.
  void addPyramid(const Bounds6<Real>& bounds, int axis, std::int64_t units, double sign) {
    const Real distance = realOf<Real>(units);
    addSection(sectionOf(bounds, axis), sign * distance * distance * distance / 3);
  }
  void addSection(const Rounded<Real>& section, const Real& factor) {
    sum_.value = sum_.value + section.value * factor;
    // The product and the sum round as well.
    const double size = std::abs(toDouble(factor));
    sum_.error += section.error * size +
                  kSum<Real> * (toDouble(section.value) * size + std::abs(toDouble(sum_.value)));
  }

  int flat_axis_;
  Rounded<Real> sum_;
};

// Returns a number of 2^-30, rounded down, or up, within [0, 1].
double roundedDown(double share) {
  return std::clamp(std::floor(share * 0x1p30) * 0x1p-30, 0.0, 1.0);
}
double roundedUp(double share) {
  return std::clamp(std::ceil(share * 0x1p30) * 0x1p-30, 0.0, 1.0);
}

template <class Real>
ShareBounds shareOf(const OpenZones& zones, const FixedBox& box) {
  PartSum<Real> parts(flatAxisOf(box));
  for (const OpenZone& open : zones.zones())
    parts.add(open.zone, zones.octantOf(open).target());
  double whole = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (box.min[axis] != box.max[axis]) whole *= static_cast<double>(box.max[axis] - box.min[axis]);
  }
  const Rounded<Real>& sum = parts.sum();
  const double share = toDouble(sum.value) / whole;
  const double error = sum.error / whole + 0x1p-48 * share;
  return {roundedDown(share - error), std::max(roundedUp(share + error), 0x1p-30)};
}

}  // namespace

ShareBounds visibleShare(const OpenZones& zones, const FixedBox& box) {
  if (zones.empty()) return {0, 0};
  // The directions of each octant with interior are open, and none was blocked.
  if (zones.isWhole()) return {1, 1};
  const ShareBounds share = shareOf<double>(zones, box);
  return share.to - share.from <= kMostWidth ? share : shareOf<TwoDouble>(zones, box);
}

}  // namespace fractalray::internal
