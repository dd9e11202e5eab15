// SPDX-License-Identifier: Apache-2.0
#include "walk_oracle.h"

#include <algorithm>
#include <array>
#include <utility>

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

}  // namespace

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
  std::sort(crossings.begin(), crossings.end());
  if (t_min == 0) cells.push_back({at, 0, Face::none(), 0});
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
