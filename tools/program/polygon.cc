// SPDX-License-Identifier: Apache-2.0
#include "polygon.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "../../core/check.h"

namespace fractalray {
namespace {

// Returns twice the area of the triangle, positive if it turns to the left.
double turn(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

double signedArea(const Polygon& polygon) {
  double sum = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i)
    sum += turn(polygon[0], polygon[i - 1], polygon[i]);
  return sum / 2;
}

// Appends the lower hull of sorted points.
template <class Iterator>
void appendHull(Iterator begin, Iterator end, Polygon& hull) {
  const std::size_t base = hull.size();
  for (; begin != end; ++begin) {
    while (hull.size() >= base + 2 && turn(hull[hull.size() - 2], hull.back(), *begin) <= 0)
      hull.pop_back();
    hull.push_back(*begin);
  }
  hull.pop_back();  // the first one of the other half
}

// Returns the part on one side of a line across an axis: at most `limit`, or at least.
Polygon clippedAt(const Polygon& polygon, int axis, double limit, bool keeps_lower) {
  Polygon part;
  const auto excess = [&](const Vec2d& point) {
    return keeps_lower ? point[axis] - limit : limit - point[axis];
  };
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2d& from = polygon[i];
    const Vec2d& to = polygon[(i + 1) % polygon.size()];
    const double before = excess(from);
    const double after = excess(to);
    if (before <= 0) part.push_back(from);
    if ((before < 0 && after > 0) || (before > 0 && after < 0)) {
      Vec2d crossing = from + (to - from) * (before / (before - after));
      crossing[axis] = limit;
      part.push_back(crossing);
    }
  }
  return part;
}

}  // namespace

Polygon convexHull(std::vector<Vec2d> points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  Polygon hull;
  appendHull(points.begin(), points.end(), hull);
  appendHull(points.rbegin(), points.rend(), hull);
  return hull;
}

Polygon clipped(const Polygon& polygon, const PlaneWindow& window) {
  Polygon part = polygon;
  for (int axis = 0; axis < 2; ++axis) {
    part = clippedAt(part, axis, window.max[axis], true);
    part = clippedAt(part, axis, window.min[axis], false);
  }
  return signedArea(part) == 0 ? Polygon() : part;
}

double areaOf(const Polygon& polygon) {
  return std::abs(signedArea(polygon));
}

Vec2d centerOf(const Polygon& polygon) {
  FRACTALRAY_CHECK(!polygon.empty());
  Vec2d sum{};
  double weights = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const double weight = turn(polygon[0], polygon[i - 1], polygon[i]);
    sum += (polygon[0] + polygon[i - 1] + polygon[i]) * (weight / 3);
    weights += weight;
  }
  return weights == 0 ? polygon[0] : sum / weights;
}

PlaneWindow windowAround(const std::vector<Vec2d>& points) {
  FRACTALRAY_CHECK(!points.empty());
  PlaneWindow window{points.front(), points.front()};
  for (const Vec2d& point : points) {
    for (int axis = 0; axis < 2; ++axis) {
      window.min[axis] = std::min(window.min[axis], point[axis]);
      window.max[axis] = std::max(window.max[axis], point[axis]);
    }
  }
  return window;
}

}  // namespace fractalray
