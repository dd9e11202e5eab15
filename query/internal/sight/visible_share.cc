// SPDX-License-Identifier: Apache-2.0
#include "visible_share.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "boost/container/static_vector.hpp"

namespace fractalray::internal {
namespace {

// A point of a plane at distance 1 from the eye.
struct PlanePoint {
  double s = 0;
  double t = 0;
};
// A rectangle that at most two lines cut: each adds a corner, or more where rounding lets a line
// cross a side of no length twice.
using Polygon = boost::container::static_vector<PlanePoint, 12>;

// A number and a bound of its rounding error.
struct Rounded {
  double value = 0;
  double error = 0;
};

using Bounds6 = std::array<double, Zone::kPairs>;

double& boundOf(Bounds6& bounds, int over, int under) {
  return bounds[static_cast<std::size_t>(Zone::pairOf(over, under))];
}

// Cuts off the part of a polygon in which side(point) is below 0.
template <class Side>
Polygon cutOff(const Polygon& polygon, const Side& side) {
  Polygon kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const PlanePoint& a = polygon[i];
    const PlanePoint& b = polygon[(i + 1) % polygon.size()];
    const double of_a = side(a);
    const double of_b = side(b);
    if (of_a >= 0) kept.push_back(a);
    if ((of_a > 0 && of_b < 0) || (of_a < 0 && of_b > 0)) {
      const double part = of_a / (of_a - of_b);
      kept.push_back({a.s + part * (b.s - a.s), a.t + part * (b.t - a.t)});
    }
  }
  return kept;
}

double areaOf(const Polygon& polygon) {
  double twice = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const PlanePoint& origin = polygon[0];
    const PlanePoint& a = polygon[i - 1];
    const PlanePoint& b = polygon[i];
    twice += (a.s - origin.s) * (b.t - origin.t) - (b.s - origin.s) * (a.t - origin.t);
  }
  return std::abs(twice) / 2;
}

// Returns the area of the section of a zone by the plane w_axis = 1.
Rounded sectionOf(Bounds6 bounds, int axis) {
  const int i = axis == 0 ? 1 : 0;
  const int k = axis == 2 ? 1 : 2;
  const double low_s = 1 / boundOf(bounds, axis, i);
  const double high_s = boundOf(bounds, i, axis);
  const double low_t = 1 / boundOf(bounds, axis, k);
  const double high_t = boundOf(bounds, k, axis);
  // Sides are off by some units in the last place of the greatest coordinates; a strip of that
  // width along each side of the rectangle bounds the area between the true sides and these, also
  // where rounding has made two sides one.
  constexpr double kStrip = 0x1p-48;
  const double width = std::max(high_s - low_s, 0.0);
  const double height = std::max(high_t - low_t, 0.0);
  // Also with that strip a section may have no area.
  if (high_s - low_s < -kStrip * high_s || high_t - low_t < -kStrip * high_t) return {0, 0};
  const double error =
      kStrip * (high_s * (height + kStrip * high_t) + high_t * (width + kStrip * high_s));
  if (!(width > 0) || !(height > 0)) return {0, error};
  Polygon polygon = {{low_s, low_t}, {high_s, low_t}, {high_s, high_t}, {low_s, high_t}};
  const double most = boundOf(bounds, k, i);
  const double least = 1 / boundOf(bounds, i, k);
  if (std::isfinite(most)) {
    polygon = cutOff(polygon, [&](const PlanePoint& p) { return most * p.s - p.t; });
  }
  polygon = cutOff(polygon, [&](const PlanePoint& p) { return p.t - least * p.s; });
  return {areaOf(polygon), error};
}

// Returns the bounds of a zone as doubles.
Bounds6 boundsOf(const Zone& zone) {
  Bounds6 bounds{};
  for (int pair = 0; pair < Zone::kPairs; ++pair)
    bounds[static_cast<std::size_t>(pair)] = zone.bound(pair).approximate;
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
class PartSum {
 public:
  explicit PartSum(int flat_axis) : flat_axis_(flat_axis) {}

  const Rounded& sum() const { return sum_; }

  // Adds the part of the box in an octant that lies in a zone, which is inside its shadow.
  void add(const Zone& zone, const UnitBox& box) {
    const Bounds6 bounds = boundsOf(zone);
    if (flat_axis_ >= 0) {
      const auto distance = static_cast<double>(box.min[flat_axis_]);
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
  static Bounds6 onFarFace(Bounds6 bounds, const UnitBox& box, int axis) {
    const auto far = static_cast<double>(box.max[axis]);
    for (int other = 0; other < 3; ++other) {
      if (other == axis) continue;
      double& bound = boundOf(bounds, other, axis);
      bound = std::min(bound, static_cast<double>(box.max[other]) / far);
    }
    return bounds;
  }
  static Bounds6 onNearFace(Bounds6 bounds, const UnitBox& box, int axis) {
    const auto near = static_cast<double>(box.min[axis]);
    for (int other = 0; other < 3; ++other) {
      if (other == axis || box.min[other] <= 0) continue;
      double& bound = boundOf(bounds, axis, other);
      bound = std::min(bound, near / static_cast<double>(box.min[other]));
    }
    return bounds;
  }
  // Adds, or subtracts, the pyramid from the eye to a section of a face.
  void addPyramid(const Bounds6& bounds, int axis, std::int64_t units, int sign) {
    const auto distance = static_cast<double>(units);
    addSection(sectionOf(bounds, axis), sign * distance * distance * distance / 3);
  }
  void addSection(const Rounded& section, double factor) {
    sum_.value += section.value * factor;
    // The product and the sum round as well.
    sum_.error += section.error * std::abs(factor) +
                  0x1p-50 * (section.value * std::abs(factor) + std::abs(sum_.value));
  }

  int flat_axis_;
  Rounded sum_;
};

// Returns a number of 2^-30, rounded down, or up, within [0, 1].
double roundedDown(double share) {
  return std::clamp(std::floor(share * 0x1p30) * 0x1p-30, 0.0, 1.0);
}
double roundedUp(double share) {
  return std::clamp(std::ceil(share * 0x1p30) * 0x1p-30, 0.0, 1.0);
}

}  // namespace

ShareBounds visibleShare(const OpenZones& zones, const FixedBox& box) {
  if (zones.empty()) return {0, 0};
  // The directions of each octant with interior are open, and none was blocked.
  if (zones.isWhole()) return {1, 1};
  PartSum parts(flatAxisOf(box));
  for (const OpenZone& open : zones.zones())
    parts.add(open.zone, zones.octantOf(open).target());
  double whole = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (box.min[axis] != box.max[axis]) whole *= static_cast<double>(box.max[axis] - box.min[axis]);
  }
  const Rounded& sum = parts.sum();
  const double share = sum.value / whole;
  const double error = sum.error / whole + 0x1p-48 * share;
  return {roundedDown(share - error), std::max(roundedUp(share + error), 0x1p-30)};
}

}  // namespace fractalray::internal
