// SPDX-License-Identifier: Apache-2.0
#include "shape_walk_oracle.h"

#include <algorithm>
#include <array>
#include <set>

#include "walk_oracle.h"

namespace fractalray::oracle {
namespace {

// A cell of the divided space: on each axis, the number of planes at or below it.
using Cell = std::array<int, 3>;

struct CellVisit {
  Cell cell{};
  Rational enter;
  Rational leave;
  int face_axis = -1;  // -1 for the first cell
};

// The planes along which a block is divided, by axis, in units.
using Planes = std::array<std::vector<Rational>, 3>;

Rational inUnits(std::uint32_t coordinate, std::int64_t corner, std::int64_t width) {
  return Rational(corner) + fraction(Integer(coordinate) * width, Integer(65536));
}

Planes planesOf(std::span<const ShapeBox> boxes, const Vec3i& corner, std::int64_t width) {
  Planes planes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::set<std::uint32_t> all = {0, 65536};
    for (const ShapeBox& box : boxes)
      all.insert({box.min[axis], box.max[axis]});
    for (const std::uint32_t coordinate : all)
      planes[axis].push_back(inUnits(coordinate, corner[static_cast<int>(axis)], width));
  }
  return planes;
}

// Returns the cells visited when the axes in `tied` are crossed at once: the crossed axes of each,
// and that of its face.
std::vector<std::pair<std::vector<int>, int>> stepsOf(const std::vector<int>& tied,
                                                      CornerPolicy policy) {
  std::vector<std::pair<std::vector<int>, int>> steps;
  if (policy == CornerPolicy::kNeither) {
    steps.emplace_back(tied, tied.front());
  } else if (policy == CornerPolicy::kStaircase) {
    std::vector<int> crossed;
    for (const int axis : tied) {
      crossed.push_back(axis);
      steps.emplace_back(crossed, axis);
    }
  } else {
    for (std::size_t size = 1; size <= tied.size(); ++size) {
      for (const std::vector<int>& subset :
           std::vector<std::vector<int>>{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}}) {
        if (subset.size() == size &&
            std::includes(tied.begin(), tied.end(), subset.begin(), subset.end())) {
          steps.emplace_back(subset, subset.front());
        }
      }
    }
  }
  return steps;
}

// Returns the cells that a segment visits, in order.
std::vector<CellVisit> walk(const FixedSegment& segment, CornerPolicy policy,
                            const Planes& planes) {
  const Begin begin = beginOf(segment);
  Cell at{};
  std::array<int, 3> direction{};
  std::vector<std::pair<Rational, int>> crossings;
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const Integer d = Integer(segment.to[axis]) - segment.from[axis];
    direction[i] = d > 0 ? 1 : d < 0 ? -1 : 0;
    for (const Rational& plane : planes[i]) {
      // A plane belongs to the cell above it.
      bool is_above = Rational(segment.from[axis]) >= plane;
      const bool ends_above = Rational(segment.to[axis]) >= plane;
      if (is_above != ends_above) {
        const Rational t = (plane - segment.from[axis]) / Rational(d);
        const bool is_crossed =
            segment.begin.axes != 0 && (t < begin.t || (t == begin.t && begin.mirrored[i]));
        if (is_crossed) {
          is_above = ends_above;
        } else {
          crossings.emplace_back(t, axis);
        }
      }
      if (is_above) ++at[i];
    }
  }
  std::sort(crossings.begin(), crossings.end());
  std::vector<CellVisit> visits = {{at, begin.t, 1, -1}};
  for (std::size_t next = 0; next < crossings.size();) {
    const Rational t = crossings[next].first;
    std::vector<int> tied;
    for (; next < crossings.size() && crossings[next].first == t; ++next)
      tied.push_back(crossings[next].second);
    visits.back().leave = t;
    for (const auto& [crossed, face_axis] : stepsOf(tied, policy)) {
      CellVisit visit{at, t, t, face_axis};
      for (const int axis : crossed) {
        const auto i = static_cast<std::size_t>(axis);
        visit.cell[i] += direction[i];
      }
      visits.push_back(visit);
    }
    for (const int axis : tied) {
      const auto i = static_cast<std::size_t>(axis);
      at[i] += direction[i];
    }
    visits.back().leave = 1;
  }
  return visits;
}

bool isInBox(const Cell& cell, const ShapeBox& box, const Planes& planes, const Vec3i& corner,
             std::int64_t width) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (cell[i] == 0) return false;
    const Rational low = planes[i][static_cast<std::size_t>(cell[i]) - 1];
    const int axis = static_cast<int>(i);
    if (low < inUnits(box.min[i], corner[axis], width)) return false;
    if (low >= inUnits(box.max[i], corner[axis], width)) return false;
  }
  return true;
}

}  // namespace

std::optional<ShapeVisit> visitShape(const FixedSegment& segment, CornerPolicy policy,
                                     std::span<const ShapeBox> boxes, const Vec3i& corner,
                                     std::int64_t width) {
  const Planes planes = planesOf(boxes, corner, width);
  const auto is_inside = [&](const CellVisit& visit) {
    return std::any_of(boxes.begin(), boxes.end(), [&](const ShapeBox& box) {
      return isInBox(visit.cell, box, planes, corner, width);
    });
  };
  std::optional<ShapeVisit> found;
  for (const CellVisit& visit : walk(segment, policy, planes)) {
    if (!is_inside(visit)) continue;
    const auto face_of = [&](int axis) {
      const bool runs_up = segment.to[axis] > segment.from[axis];
      return Face{static_cast<std::int8_t>(axis), static_cast<std::int8_t>(runs_up ? -1 : 1)};
    };
    if (!found.has_value()) {
      found.emplace();
      found->t = visit.enter;
      found->start_inside = visit.face_axis < 0;
      if (!found->start_inside) found->face = face_of(visit.face_axis);
      // `neither` names the face of the cell that `both` visits first at that time.
      if (policy == CornerPolicy::kNeither && !found->start_inside) {
        for (const CellVisit& other : walk(segment, CornerPolicy::kBoth, planes)) {
          if (other.enter != visit.enter || other.face_axis < 0 || !is_inside(other)) continue;
          found->face = face_of(other.face_axis);
          break;
        }
      }
    }
    found->t_exit = std::max(found->t_exit, visit.leave);
    if (!found->spans.empty() && visit.enter <= found->spans.back().second) {
      found->spans.back().second = std::max(found->spans.back().second, visit.leave);
    } else {
      found->spans.emplace_back(visit.enter, visit.leave);
    }
  }
  return found;
}

}  // namespace fractalray::oracle
