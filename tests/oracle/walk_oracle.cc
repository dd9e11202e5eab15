// SPDX-License-Identifier: Apache-2.0
#include "walk_oracle.h"

#include <algorithm>
#include <array>
#include <utility>

#include "../../core/units.h"

namespace fractalray::oracle {
namespace {

std::int64_t cellOf(const Rational& position, std::int64_t width) {
  return toInt64(floorOf(position / width));
}

using AxisSet = std::vector<int>;

// Returns the axis sets whose cells are visited when `tied` (sorted) are crossed at once, each with
// the axis that gives the face.
std::vector<std::pair<AxisSet, int>> cornerVisits(const AxisSet& tied, CornerPolicy policy) {
  std::vector<std::pair<AxisSet, int>> visits;
  if (policy == CornerPolicy::kNeither) {
    visits.emplace_back(tied, tied.front());
  } else if (policy == CornerPolicy::kStaircase) {
    AxisSet crossed;
    for (const int axis : tied) {
      crossed.push_back(axis);
      visits.emplace_back(crossed, axis);
    }
  } else {
    const std::vector<AxisSet> order = {{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}};
    for (const AxisSet& subset : order) {
      if (std::includes(tied.begin(), tied.end(), subset.begin(), subset.end())) {
        visits.emplace_back(subset, subset.front());
      }
    }
  }
  return visits;
}

// Appends the cells that are entered from `at` on by crossings of (t, axis).
template <int N>
void appendEntered(std::vector<std::pair<Rational, int>> crossings, Vec<std::int64_t, N> at,
                   const Vec<std::int64_t, N>& direction, CornerPolicy policy,
                   std::vector<WalkCell<N>>& cells) {
  std::sort(crossings.begin(), crossings.end());
  for (std::size_t i = 0; i < crossings.size();) {
    const Rational t = crossings[i].first;
    AxisSet tied;
    for (; i < crossings.size() && crossings[i].first == t; ++i) {
      tied.push_back(crossings[i].second);
    }
    int step = 0;
    for (const auto& [crossed, face_axis] : cornerVisits(tied, policy)) {
      WalkCell<N> cell{at, t, Face::none(), ++step};
      for (const int axis : crossed)
        cell.cell[axis] += direction[axis];
      cell.face = {static_cast<std::int8_t>(face_axis),
                   static_cast<std::int8_t>(-direction[face_axis])};
      cells.push_back(cell);
    }
    for (const int axis : tied)
      at[axis] += direction[axis];
  }
}

// The cell of one axis in which a path that comes along in that direction is just before
// `position`.
std::int64_t cellJustBefore(const Rational& position, int direction, std::int64_t width) {
  const Rational cells = position / width;
  return toInt64(direction > 0 ? Integer(ceilOf(cells) - 1) : floorOf(cells));
}

}  // namespace

Begin beginOf(const FixedSegment& segment) {
  Begin begin;
  for (int axis = 2; axis >= 0; --axis) {
    begin.mirrored[static_cast<std::size_t>(axis)] = (segment.begin.axes >> axis & 1) != 0;
    if (!begin.mirrored[static_cast<std::size_t>(axis)]) continue;
    // That of the lowest axis is the last.
    begin.t = fraction(Integer(segment.begin.plane) - segment.from[axis],
                       Integer(segment.to[axis]) - segment.from[axis]);
  }
  for (int axis = 0; axis < 3; ++axis) {
    begin.point[axis] =
        segment.from[axis] + begin.t * (Integer(segment.to[axis]) - segment.from[axis]);
  }
  return begin;
}

std::optional<FixedSegment> reflectedIn(const FixedSegment& segment, int axis, std::int64_t plane) {
  const Integer d = Integer(segment.to[axis]) - segment.from[axis];
  if (d == 0) return std::nullopt;
  const Begin before = beginOf(segment);
  const Rational t = fraction(Integer(plane) - segment.from[axis], d);
  const Rational end = fraction(Integer(segment.end_time), Integer(kWholeLine));
  if (t < before.t || t > end) return std::nullopt;
  // At the same time it is mirrored in the planes before, too; not twice in the same.
  const bool is_same_time = segment.begin.axes != 0 && t == before.t;
  if (is_same_time && before.mirrored[static_cast<std::size_t>(axis)]) return std::nullopt;
  FixedSegment image = segment;
  for (Vec3i* const end_point : {&image.from, &image.to}) {
    const Integer mirrored = 2 * Integer(plane) - (*end_point)[axis];
    if (abs(mirrored) > Integer(kMaxCoordinate)) return std::nullopt;
    (*end_point)[axis] = toInt64(mirrored);
  }
  image.begin = {.plane = plane, .axes = static_cast<std::uint8_t>(1U << axis)};
  if (is_same_time) {
    image.begin.axes = static_cast<std::uint8_t>(segment.begin.axes | image.begin.axes);
    int lowest = 0;
    while ((image.begin.axes >> lowest & 1) == 0)
      ++lowest;
    if (lowest != axis) image.begin.plane = segment.begin.plane;
  }
  return image;
}

std::vector<WalkCell<3>> reflectedCells(const FixedSegment& segment, std::int64_t width,
                                        CornerPolicy policy, const Rational& t_max) {
  const Begin begin = beginOf(segment);
  std::vector<std::pair<Rational, int>> crossings;
  Vec<std::int64_t, 3> first;
  Vec<std::int64_t, 3> direction;
  for (int axis = 0; axis < 3; ++axis) {
    const Integer d = Integer(segment.to[axis]) - segment.from[axis];
    direction[axis] = d > 0 ? 1 : d < 0 ? -1 : 0;
    const bool is_mirrored = begin.mirrored[static_cast<std::size_t>(axis)];
    const auto coming = static_cast<int>(is_mirrored ? -direction[axis] : direction[axis]);
    // A line that starts then has no time before: it starts where floor says.
    first[axis] = begin.t == 0 && !is_mirrored ? cellOf(begin.point[axis], width)
                                               : cellJustBefore(begin.point[axis], coming, width);
    const std::int64_t last = cellOf(segment.to[axis], width);
    for (std::int64_t cell = first[axis]; direction[axis] != 0 && cell != last;
         cell += direction[axis]) {
      if ((last - cell) * direction[axis] < 0) break;  // it begins beyond the last
      const Integer plane = Integer(direction[axis] > 0 ? cell + 1 : cell) * width;
      const Rational t = fraction(plane - segment.from[axis], d);
      if (t > t_max) break;
      crossings.emplace_back(t, axis);
    }
  }
  std::vector<WalkCell<3>> cells = {{first, begin.t, Face::none(), 0}};
  appendEntered<3>(std::move(crossings), first, direction, policy, cells);
  return cells;
}

AxisCrossings axisCrossings(std::int64_t from, std::int64_t to, std::int64_t width,
                            const Rational& t_min, const Rational& t_max) {
  const std::int64_t first = cellOf(from, width);
  const std::int64_t last = cellOf(to, width);
  const Integer d = Integer(to) - from;
  AxisCrossings axis{first, 0, {}};
  if (d == 0) return axis;
  const Rational begin = (from + d * t_min) / width;  // in cells, where the times begin and end
  const Rational end = (from + d * t_max) / width;
  if (d > 0) {  // into cell k at (k W - A) / d for k in (first, last]
    axis.direction = 1;
    axis.before = std::max(first, toInt64(ceilOf(begin) - 1));
    for (std::int64_t k = axis.before + 1; k <= std::min(last, toInt64(floorOf(end))); ++k) {
      axis.times.push_back(fraction(Integer(k) * width - from, d));
    }
  } else {  // out of cell k for k in (last, first]
    axis.direction = -1;
    axis.before = std::min(first, toInt64(floorOf(begin)));
    for (std::int64_t k = axis.before; k > last && k >= toInt64(ceilOf(end)); --k) {
      axis.times.push_back(fraction(Integer(k) * width - from, d));
    }
  }
  return axis;
}

template <int N>
std::vector<WalkCell<N>> walkCells(const Vec<std::int64_t, N>& from, const Vec<std::int64_t, N>& to,
                                   const Vec<std::int64_t, N>& widths, CornerPolicy policy,
                                   const Rational& t_min, const Rational& t_max) {
  std::vector<WalkCell<N>> cells;
  std::vector<std::pair<Rational, int>> crossings;  // (t, axis)
  Vec<std::int64_t, N> at;
  Vec<std::int64_t, N> direction;
  for (int axis = 0; axis < N; ++axis) {
    const AxisCrossings along = axisCrossings(from[axis], to[axis], widths[axis], t_min, t_max);
    at[axis] = along.before;
    direction[axis] = along.direction;
    for (const Rational& t : along.times)
      crossings.emplace_back(t, axis);
  }
  if (t_min == 0) cells.push_back({at, 0, Face::none(), 0});
  appendEntered<N>(std::move(crossings), at, direction, policy, cells);
  return cells;
}

template <int N>
std::uint64_t crossingsOf(const Vec<std::int64_t, N>& from, const Vec<std::int64_t, N>& to,
                          const Vec<std::int64_t, N>& widths) {
  Integer count = 0;
  for (int axis = 0; axis < N; ++axis) {
    count += abs(Integer(cellOf(to[axis], widths[axis])) - cellOf(from[axis], widths[axis]));
  }
  return count.convert_to<std::uint64_t>();
}

template std::vector<WalkCell<2>> walkCells<2>(const Vec<std::int64_t, 2>&,
                                               const Vec<std::int64_t, 2>&,
                                               const Vec<std::int64_t, 2>&, CornerPolicy,
                                               const Rational&, const Rational&);
template std::vector<WalkCell<3>> walkCells<3>(const Vec<std::int64_t, 3>&,
                                               const Vec<std::int64_t, 3>&,
                                               const Vec<std::int64_t, 3>&, CornerPolicy,
                                               const Rational&, const Rational&);
template std::uint64_t crossingsOf<2>(const Vec<std::int64_t, 2>&, const Vec<std::int64_t, 2>&,
                                      const Vec<std::int64_t, 2>&);
template std::uint64_t crossingsOf<3>(const Vec<std::int64_t, 3>&, const Vec<std::int64_t, 3>&,
                                      const Vec<std::int64_t, 3>&);

}  // namespace fractalray::oracle
