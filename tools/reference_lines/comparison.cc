// SPDX-License-Identifier: Apache-2.0
#include "comparison.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "../../core/geometry/grid_stepper.h"
#include "../../core/internal/geometry/line.h"
#include "line_algorithms.h"

namespace fractalray::lines {
namespace {

// Returns true if the closed cell and the segment have exactly one point in common. A line in 2D is
// one in 3D between the planes z = 0 and z = 1.
template <int N>
bool isTouched(const LineInput<N>& line, const Cell<N>& cell) {
  FixedSegment segment;
  Vec3i min{0, 0, 0};
  Vec3i max{1, 1, 1};
  for (int axis = 0; axis < N; ++axis) {
    segment.from[axis] = line.from[axis];
    segment.to[axis] = line.to[axis];
    min[axis] = cell[axis] * line.widths[axis];
    max[axis] = min[axis] + line.widths[axis];
  }
  const std::optional<TimeSpan> span = Line(segment).clip(min, max);
  return span.has_value() && (segment.delta() == Vec3i{} || span->from == span->to);
}

template <int N>
std::vector<NamedLine<N>> makeNamedLines() {
  using Line = LineInput<N>;
  return {
      {"stepping-float", [](const Line& line) { return stepUniformly<N, float>(line); }},
      {"stepping-double", [](const Line& line) { return stepUniformly<N, double>(line); }},
      {"bresenham", bresenham<N>},
      {"dda-float", digitalDifferential<N, float>},
      {"dda-double", digitalDifferential<N, double>},
      {"traversal-float", traverse<N, float>},
      {"traversal-double", traverse<N, double>},
      {"exact-neither",
       [](const Line& line) { return walkExactly<N>(line, CornerPolicy::kNeither); }},
      {"exact-staircase",
       [](const Line& line) { return walkExactly<N>(line, CornerPolicy::kStaircase); }},
      {"exact-both", [](const Line& line) { return walkExactly<N>(line, CornerPolicy::kBoth); }},
  };
}

}  // namespace

template <int N>
Cells<N> crossedCells(const LineInput<N>& line) {
  Cells<N> cells;
  std::visit(
      [&](auto stepper) {
        GridCell<N> present = stepper.cell();
        while (stepper.next()) {
          if (present.t < stepper.cell().t) cells.push_back(present.cell);
          present = stepper.cell();
        }
        if (present.t < Fraction::one()) cells.push_back(present.cell);
      },
      internal::makeGridStepper<N>(line.from, line.to, line.widths, CornerPolicy::kNeither));
  std::sort(cells.begin(), cells.end());
  return cells;
}

template <int N>
LineDifference<N> differenceOf(const LineInput<N>& line, Cells<N> listed, const Cells<N>& crossed) {
  std::sort(listed.begin(), listed.end());
  listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
  LineDifference<N> difference;
  difference.cells = listed.size();
  std::set_difference(crossed.begin(), crossed.end(), listed.begin(), listed.end(),
                      std::back_inserter(difference.missing));
  Cells<N> others;
  std::set_difference(listed.begin(), listed.end(), crossed.begin(), crossed.end(),
                      std::back_inserter(others));
  for (const Cell<N>& cell : others) {
    (isTouched<N>(line, cell) ? difference.touched : difference.superfluous).push_back(cell);
  }
  return difference;
}

template <int N>
const std::vector<NamedLine<N>>& namedLines() {
  static const std::vector<NamedLine<N>>* const kAll =
      new std::vector<NamedLine<N>>(makeNamedLines<N>());
  return *kAll;
}

template Cells<2> crossedCells<2>(const LineInput<2>&);
template Cells<3> crossedCells<3>(const LineInput<3>&);
template LineDifference<2> differenceOf<2>(const LineInput<2>&, Cells<2>, const Cells<2>&);
template LineDifference<3> differenceOf<3>(const LineInput<3>&, Cells<3>, const Cells<3>&);
template const std::vector<NamedLine<2>>& namedLines<2>();
template const std::vector<NamedLine<3>>& namedLines<3>();

}  // namespace fractalray::lines
