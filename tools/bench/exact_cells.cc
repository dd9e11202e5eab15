// SPDX-License-Identifier: Apache-2.0
#include "exact_cells.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fractalray::bench {
namespace {

using lines::Cell;
using lines::Cells;
using lines::LineInput;

__extension__ using Wide = __int128;

// A plane of one axis and the time at which it is crossed: numerator / denominator.
struct Crossing {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  int axis = 0;
};

int compareTimes(const Crossing& a, const Crossing& b) {
  const Wide left = Wide(a.numerator) * b.denominator;
  const Wide right = Wide(b.numerator) * a.denominator;
  return left < right ? -1 : (left > right ? 1 : 0);
}

// Returns every plane that the segment crosses, in order of time, then axis. Going up it crosses
// into cell k at plane k, going down it crosses out of cell k there.
template <int N>
std::vector<Crossing> crossingsOf(const LineInput<N>& line) {
  std::vector<Crossing> crossings;
  const Cell<N> first = line.firstCell();
  const Cell<N> last = line.lastCell();
  for (int axis = 0; axis < N; ++axis) {
    const std::int64_t d = line.to[axis] - line.from[axis];
    for (std::int64_t k = first[axis] + 1; d > 0 && k <= last[axis]; ++k)
      crossings.push_back({k * line.widths[axis] - line.from[axis], d, axis});
    for (std::int64_t k = first[axis]; d < 0 && k > last[axis]; --k)
      crossings.push_back({line.from[axis] - k * line.widths[axis], -d, axis});
  }
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
    const int order = compareTimes(a, b);
    return order != 0 ? order < 0 : a.axis < b.axis;
  });
  return crossings;
}

// A set of axes as bits.
using Axes = unsigned;

template <int N>
Cell<N> stepped(const LineInput<N>& line, Cell<N> cell, Axes axes) {
  for (int axis = 0; axis < N; ++axis) {
    if (((axes >> axis) & 1U) != 0) cell[axis] += line.to[axis] > line.from[axis] ? 1 : -1;
  }
  return cell;
}

// Adds the cells that the policies visit if `tied` are crossed at once.
template <int N>
void addCorner(const LineInput<N>& line, const Cell<N>& before, Axes tied, ExactCells<N>& exact) {
  Axes crossed = 0;
  for (int axis = 0; axis < N; ++axis) {
    if (((tied >> axis) & 1U) == 0) continue;
    crossed |= 1U << axis;
    exact.staircase.push_back(stepped<N>(line, before, crossed));
  }
  for (const Axes subset : {1U, 2U, 4U, 3U, 5U, 6U, 7U}) {
    if ((subset & ~tied) == 0) exact.both.push_back(stepped<N>(line, before, subset));
  }
  exact.neither.push_back(stepped<N>(line, before, tied));
}

}  // namespace

template <int N>
ExactCells<N> exactCells(const LineInput<N>& line) {
  const std::vector<Crossing> crossings = crossingsOf<N>(line);
  Cell<N> cell = line.firstCell();
  ExactCells<N> exact;
  exact.neither = exact.staircase = exact.both = {cell};
  Crossing entered;  // at time 0
  for (std::size_t i = 0; i < crossings.size();) {
    const Crossing now = crossings[i];
    Axes tied = 0;
    for (; i < crossings.size() && compareTimes(crossings[i], now) == 0; ++i)
      tied |= 1U << crossings[i].axis;
    if (compareTimes(entered, now) < 0) exact.crossed.push_back(cell);
    addCorner<N>(line, cell, tied, exact);
    cell = stepped<N>(line, cell, tied);
    entered = now;
  }
  if (entered.numerator < entered.denominator) exact.crossed.push_back(cell);
  std::sort(exact.crossed.begin(), exact.crossed.end());
  return exact;
}

template ExactCells<2> exactCells<2>(const LineInput<2>&);
template ExactCells<3> exactCells<3>(const LineInput<3>&);

}  // namespace fractalray::bench
