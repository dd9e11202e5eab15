// SPDX-License-Identifier: Apache-2.0
// Compares a walk of the library with the oracle's, for the tests of GridWalk.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "../../core/grid_walk.h"
#include "../oracle/rng.h"
#include "../oracle/walk_oracle.h"

namespace fractalray::oracle {

template <int N>
using Point = Vec<std::int64_t, N>;

template <int N>
struct WalkInput {
  Point<N> from;
  Point<N> to;
  Point<N> widths;
  CornerPolicy policy = CornerPolicy::kBoth;
};

template <int N>
std::string describe(const Point<N>& point) {
  std::string text = "(";
  for (int i = 0; i < N; ++i)
    text += (i > 0 ? ", " : "") + std::to_string(point[i]);
  return text + ")";
}
template <int N>
std::string describe(const WalkInput<N>& in) {
  return "walk from " + describe<N>(in.from) + " to " + describe<N>(in.to) + " widths " +
         describe<N>(in.widths) + " policy " + std::to_string(static_cast<int>(in.policy));
}

template <int N>
bool sameCell(const GridCell<N>& cell, const WalkCell<N>& expected) {
  return cell.cell == expected.cell && cell.face == expected.face && cell.step == expected.step &&
         fraction(cell.t.numerator, cell.t.denominator) == expected.t;
}

// Steps `walk` (a GridWalk or a stepper) from its present cell; returns how it differs from
// `expected`, or "".
template <int N, class Walk>
std::string walkDifference(Walk walk, const std::vector<WalkCell<N>>& expected,
                           std::size_t first = 0) {
  bool more = true;
  for (std::size_t i = first; i < expected.size(); ++i) {
    if (!more) return "it ended before cell " + std::to_string(i);
    const GridCell<N>& cell = walk.cell();
    if (!sameCell<N>(cell, expected[i])) {
      std::ostringstream out;
      out << "cell " << i << " is " << describe<N>(cell.cell) << " t " << cell.t.numerator << "/"
          << cell.t.denominator << " face " << faceName(cell.face) << " step "
          << static_cast<int>(cell.step) << ", oracle " << describe<N>(expected[i].cell) << " t "
          << expected[i].t << " face " << faceName(expected[i].face) << " step "
          << expected[i].step;
      return out.str();
    }
    more = walk.next();
  }
  return more && first < expected.size() ? "it continued after the last cell" : "";
}

// Checks everything that has to hold for one input: the whole walk, the crossings, the wide stepper
// and, if its terms fit, the narrow one. Returns the first fault, or "".
template <int N>
std::string checkWalk(const WalkInput<N>& in) {
  const std::vector<WalkCell<N>> expected = walkCells<N>(in.from, in.to, in.widths, in.policy);
  const GridWalk<N> walk(in.from, in.to, in.widths, in.policy);
  std::string text = walkDifference<N>(walk, expected);
  const std::uint64_t crossings = crossingsOf<N>(in.from, in.to, in.widths);
  if (walk.crossings() != crossings) {
    text += " crossings() is " + std::to_string(walk.crossings());
  }
  if (in.policy == CornerPolicy::kStaircase && expected.size() != crossings + 1) {
    text += " a staircase does not visit crossings() + 1 cells";
  }
  using Wide = internal::GridStepper<N, internal::Int128>;
  using Narrow = internal::GridStepper<N, std::int64_t>;
  text += walkDifference<N>(Wide(in.from, in.to, in.widths, in.policy), expected);
  if (Narrow::fits64(in.from, in.to, in.widths)) {
    text += walkDifference<N>(Narrow(in.from, in.to, in.widths, in.policy), expected);
  }
  return text.empty() ? text : describe(in) + ": " + text;
}

}  // namespace fractalray::oracle
