// SPDX-License-Identifier: Apache-2.0
// The cells that a segment crosses, by fractions of wide integers that are listed and sorted: the
// answers against which the exactness table is checked. Uses nothing of the library's walk.
#pragma once

#include "../../core/corner_policy.h"
#include "../reference_lines/line_input.h"

namespace fractalray::bench {

template <int N>
struct ExactCells {
  lines::Cells<N> neither;  // the walk with that corner policy, in order
  lines::Cells<N> staircase;
  lines::Cells<N> both;
  lines::Cells<N> crossed;  // for a positive time (or all of a segment of length zero), sorted
};

// Computes the cells. Requires: coordinates within 2^61.
template <int N>
ExactCells<N> exactCells(const lines::LineInput<N>& line);

}  // namespace fractalray::bench
