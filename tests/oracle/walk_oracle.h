// SPDX-License-Identifier: Apache-2.0
// Walks the obvious way: list every plane that the segment crosses as a fraction, sort, group ties,
// apply the corner policy. Section 2 of the contract, and nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../core/corner_policy.h"
#include "../../core/face.h"
#include "../../core/segment.h"
#include "../../core/vec.h"
#include "exact.h"

namespace fractalray::oracle {

// All policies, each of which visits what the one before it does.
inline constexpr CornerPolicy kPolicies[] = {CornerPolicy::kNeither, CornerPolicy::kStaircase,
                                             CornerPolicy::kBoth};

template <int N>
struct WalkCell {
  Vec<std::int64_t, N> cell{};
  Rational t = 0;
  Face face = Face::none();
  int step = 0;  // its ordinal at its corner crossing, from 1; 0 for the first cell of the walk
};

// Returns the cells that the segment enters at a t in [t_min, t_max], with the first cell of the
// walk if t_min is 0. The times only save work: cells are those of the whole walk.
template <int N>
std::vector<WalkCell<N>> walkCells(const Vec<std::int64_t, N>& from, const Vec<std::int64_t, N>& to,
                                   const Vec<std::int64_t, N>& widths, CornerPolicy policy,
                                   const Rational& t_min = 0, const Rational& t_max = 1);

// The start of a reflected line, computed from its plane; t = 0 for a line that is not reflected.
struct Begin {
  Rational t = 0;
  Vec<Rational, 3> point{};        // where the line is then
  std::array<bool, 3> mirrored{};  // on which axes it was reflected then
};
Begin beginOf(const FixedSegment& segment);

// The mirror image of a segment in the plane of an axis, from when it comes to that on; nothing if
// it does not come to it after it begins, and before it ends, or if the image leaves the frame.
std::optional<FixedSegment> reflectedIn(const FixedSegment& segment, int axis, std::int64_t plane);

// The cells of a reflected line that it enters at a t up to t_max, the first one included: the cell
// in which the path is just before it is reflected, on its way to the plane.
std::vector<WalkCell<3>> reflectedCells(const FixedSegment& segment, std::int64_t width,
                                        CornerPolicy policy, const Rational& t_max = 1);

// Returns the Manhattan distance of the first and the last cell.
template <int N>
std::uint64_t crossingsOf(const Vec<std::int64_t, N>& from, const Vec<std::int64_t, N>& to,
                          const Vec<std::int64_t, N>& widths);

// Returns the cells of one axis between two times: the cell before them, then cell after cell, each
// with the t at which it is entered.
struct AxisCrossings {
  std::int64_t before = 0;
  std::int64_t direction = 0;
  std::vector<Rational> times;
};
AxisCrossings axisCrossings(std::int64_t from, std::int64_t to, std::int64_t width,
                            const Rational& t_min, const Rational& t_max);

}  // namespace fractalray::oracle
