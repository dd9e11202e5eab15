// SPDX-License-Identifier: Apache-2.0
// The line algorithms, one function each. All take time proportional to the cells, or to the steps
// that the algorithm is made of.
#pragma once

#include "../../core/corner_policy.h"
#include "line_input.h"

namespace fractalray::lines {

// The steps of uniform stepping, in widths of cells.
struct Steps {
  double coarse = 0.5;
  double fine = 1.0 / 16;
};

// Steps uniformly: examines the cell every `coarse` widths; if it is another one, goes back in
// steps of `fine` for the cells between. Everybody's first attempt; as a way of searching voxels it
// is in Tuy and Tuy, "Direct 2-D Display of 3-D Objects", IEEE Computer Graphics and Applications
// 4(10), 1984. Requires: 0 < fine <= coarse < 2^31 fine.
template <int N, class Real>
Cells<N> stepUniformly(const LineInput<N>& line, const Steps& steps = {});

// Draws Bresenham's line from the centre of the first cell to that of the last one, one cell for
// each step along the longest axis: "Algorithm for Computer Control of a Digital Plotter", IBM
// Systems Journal 4(1), 1965. In 3D the two shorter axes keep an error term each.
template <int N>
Cells<N> bresenham(const LineInput<N>& line);

// Runs the digital differential analyser: as many equal steps as the longest axis has cell widths
// (rounded up), each adding the same increments. Foley, van Dam, Feiner and Hughes, "Computer
// Graphics: Principles and Practice", 2nd edition, 1990, section 3.2.1, here with the ends at their
// exact positions.
template <int N, class Real>
Cells<N> digitalDifferential(const LineInput<N>& line);

// Runs the grid traversal of Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray
// Tracing", Eurographics 1987, with its sums of t in floating point. If axes tie, the last one
// steps first, as in the paper.
template <int N, class Real>
Cells<N> traverse(const LineInput<N>& line);

// Runs the exact walk of the library (core/geometry/grid_stepper.h).
template <int N>
Cells<N> walkExactly(const LineInput<N>& line, CornerPolicy corner);

}  // namespace fractalray::lines
