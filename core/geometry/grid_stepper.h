// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the walk (grid_walk.h, tile_grid.h, raycast.h): it keeps Bresenham's integer
// error terms but lets both ends lie anywhere inside their cells.
//
// For axes i and j with the next planes n_i and n_j units ahead, e_ij = n_i |d_j| - n_j |d_i| shows
// by its sign which is crossed first; zero is an exact corner. A step adds W |d|: no drift, however
// far from the origin. (Grid traversal by next-plane times: Amanatides and Woo, "A Fast Voxel
// Traversal Algorithm for Ray Tracing", Eurographics 1987. Integer error terms: Bresenham, IBM
// Systems Journal 4(1), 1965.)
//
// For the library's own use: not part of the interface.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

#include "../arithmetic/fixed_point.h"
#include "../arithmetic/floor_div.h"
#include "../arithmetic/fraction.h"
#include "../arithmetic/int128.h"
#include "../check.h"
#include "../corner_policy.h"
#include "../face.h"
#include "../vec.h"

namespace fractalray {

// A cell in the order of the walk.
template <int N>
struct GridCell {
  Vec<std::int64_t, N> cell{};  // floor(point / width) per axis
  Fraction t =
      Fraction::zero();      // time of entry into the cell, 0 at the segment's start, 1 at its end
  Face face = Face::none();  // the face of entry; none for the first cell
  // The ordinal among the cells visited at the same corner crossing, from 1; 0 for the first cell
  // of the walk. Cells of one walk are ordered by t, then by this.
  std::uint8_t step = 0;
};

// The reply of a visitor: continue the walk, or stop it.
enum class Visit : std::uint8_t { kContinue, kStop };

namespace internal {

// The walk with error terms of type Error (std::int64_t where they fit, Int128 always).
// Requires: as GridWalk.
template <int N, class Error>
class GridStepper {
 public:
  using Point = Vec<std::int64_t, N>;

  GridStepper(const Point& from, const Point& to, const Point& widths, CornerPolicy policy)
      : widths_(widths), policy_(policy) {
    for (int i = 0; i < N; ++i) {
      const std::int64_t delta = to[i] - from[i];
      const std::int64_t first = floorDiv(from[i], widths[i]);
      const std::int64_t last = floorDiv(to[i], widths[i]);
      cell_.cell[i] = first;
      direction_[i] = delta > 0 ? 1 : -1;
      length_[i] = delta > 0 ? delta : -delta;
      next_plane_[i] = delta > 0 ? (first + 1) * widths[i] - from[i] : from[i] - first * widths[i];
      remaining_[i] = static_cast<std::uint64_t>(delta > 0 ? last - first : first - last);
    }
    base_ = cell_.cell;
    resetErrors();
  }

  // Returns true if 64 bits hold every error term: |e_ij| never exceeds max(W_i |d_j|, W_j |d_i|),
  // since both next planes are at most one cell ahead of the same time.
  static bool fits64(const Point& from, const Point& to, const Point& widths) {
    double longest = 0;
    double widest = 0;
    for (int i = 0; i < N; ++i) {
      longest = std::max(longest, std::abs(static_cast<double>(to[i] - from[i])));
      widest = std::max(widest, static_cast<double>(widths[i]));
    }
    return longest * widest < 0x1p61;  // far from the limit of 2^63, whatever the rounding
  }

  const GridCell<N>& cell() const { return cell_; }

  std::uint64_t crossingsLeft() const {
    std::uint64_t count = 0;
    for (int i = 0; i < N; ++i)
      count += remaining_[i];
    return count;
  }

  bool next() {
    if (steps_ == 0 && !cross()) return false;
    const unsigned crossed = steps_ & 7U;
    steps_ >>= 4;
    cell_.step = static_cast<std::uint8_t>(cell_.step + 1);
    cell_.cell = before_;
    for (int i = 0; i < N; ++i) {
      if (((crossed >> i) & 1U) != 0) cell_.cell[i] += direction_[i];
    }
    const int axis = policy_ == CornerPolicy::kStaircase
                         ? static_cast<int>(std::bit_width(crossed)) - 1
                         : std::countr_zero(crossed);
    cell_.face = {static_cast<std::int8_t>(axis), static_cast<std::int8_t>(-direction_[axis])};
    return true;
  }

  bool atCorner() const { return steps_ != 0; }

  // Passes over every crossing before `t`; the next call of next() visits the first cell that is
  // entered at `t` or later.
  void skipBefore(const Fraction& t) {
    steps_ = 0;
    for (int i = 0; i < N; ++i) {
      // Planes at next_plane + m W with (next_plane + m W) / length < t.
      const Int128 gap = Int128(length_[i]) * t.numerator - Int128(next_plane_[i]) * t.denominator;
      if (remaining_[i] == 0 || gap <= 0) continue;
      const Int128 planes = ceilDiv(gap, Int128(widths_[i]) * t.denominator);
      const std::uint64_t passed =
          planes < Int128(remaining_[i]) ? static_cast<std::uint64_t>(planes) : remaining_[i];
      remaining_[i] -= passed;
      // The last plane of an axis is never crossed again, so its position does not matter.
      if (remaining_[i] != 0) next_plane_[i] += static_cast<std::int64_t>(passed) * widths_[i];
      base_[i] += direction_[i] * static_cast<std::int64_t>(passed);
    }
    resetErrors();
  }

  // Makes `first` the first cell, in which the line is at `t`. Requires: nothing has been crossed;
  // `first` is not before the present cell on any axis, along the line.
  void startAt(const Point& first, const Fraction& t) {
    for (int i = 0; i < N; ++i) {
      const std::int64_t planes = direction_[i] * (first[i] - base_[i]);
      FRACTALRAY_DCHECK(planes >= 0, i, planes);
      next_plane_[i] += planes * widths_[i];
      remaining_[i] -= std::min(remaining_[i], static_cast<std::uint64_t>(planes));
    }
    base_ = first;
    cell_.cell = first;
    cell_.t = t;
    resetErrors();
  }

  // Passes over every crossing inside of the box of cells [min, max], which holds the present cell:
  // the next call of next() visits the first cell of the crossing that leaves it.
  void skipInside(const Point& min, const Point& max) {
    std::optional<Fraction> leave;
    for (int i = 0; i < N; ++i) {
      const std::int64_t inside = direction_[i] > 0 ? max[i] - base_[i] : base_[i] - min[i];
      FRACTALRAY_DCHECK(inside >= 0, inside);
      if (static_cast<std::uint64_t>(inside) >= remaining_[i]) continue;
      const Fraction t{next_plane_[i] + inside * widths_[i], length_[i]};
      if (!leave.has_value() || t < *leave) leave = t;
    }
    if (leave.has_value()) {
      skipBefore(*leave);
    } else {
      steps_ = 0;
      remaining_ = {};
    }
  }

 private:
  static constexpr std::size_t kPairs = N * (N - 1) / 2;

  // Returns the index of e_ij in errors_, for i < j.
  static constexpr std::size_t pairIndex(int i, int j) {
    return static_cast<std::size_t>(i + j - 1);
  }

  bool isLive(int axis) const { return remaining_[axis] != 0; }

  void resetErrors() {
    for (int i = 0; i < N; ++i) {
      for (int j = i + 1; j < N; ++j) {
        // The term is bounded only between axes that still cross; no other is ever read.
        if (!isLive(i) || !isLive(j)) continue;
        // The difference fits Error; after a skip the products alone may not.
        errors_[pairIndex(i, j)] = static_cast<Error>(Int128(next_plane_[i]) * length_[j] -
                                                      Int128(next_plane_[j]) * length_[i]);
      }
    }
  }

  // Returns the axes whose next planes are crossed first, as bits; 0 at the end of the walk.
  unsigned firstAxes() const {
    unsigned first = 0;
    int earliest = -1;
    for (int i = 0; i < N; ++i) {
      if (!isLive(i)) continue;
      const Error error = earliest < 0 ? Error(1) : errors_[pairIndex(earliest, i)];
      if (error > 0) {
        first = 1U << i;
        earliest = i;
      } else if (error == 0) {
        first |= 1U << i;
      }
    }
    return first;
  }

  // Makes the next corner crossing: its time, and the cells to visit there.
  bool cross() {
    const unsigned tied = firstAxes();
    if (tied == 0) return false;
    const int lowest = std::countr_zero(tied);
    cell_.t = {next_plane_[lowest], length_[lowest]};
    cell_.step = 0;
    before_ = base_;
    steps_ = kCornerSteps[static_cast<std::size_t>(policy_)][tied];
    for (int i = 0; i < N; ++i) {
      if (((tied >> i) & 1U) != 0) advance(i);
    }
    return true;
  }

  void advance(int i) {
    base_[i] += direction_[i];
    if (--remaining_[i] == 0) return;
    next_plane_[i] += widths_[i];
    for (int j = 0; j < N; ++j) {
      if (j == i || !isLive(j)) continue;
      const Error step = Error(widths_[i]) * Error(length_[j]);
      if (i < j) {
        errors_[pairIndex(i, j)] += step;
      } else {
        errors_[pairIndex(j, i)] -= step;
      }
    }
  }

  GridCell<N> cell_;
  Point base_{};    // the cell after the crossings made so far
  Point before_{};  // the same, before the present corner crossing
  Point direction_{};
  Point length_{};      // |d|
  Point next_plane_{};  // units from the start to the next plane, along the axis
  Vec<std::uint64_t, N> remaining_{};
  Point widths_;
  std::array<Error, kPairs> errors_{};
  std::uint32_t steps_ = 0;  // cells still to visit at the present corner (corner_policy.h)
  CornerPolicy policy_;
};

// The stepper whose error terms are large enough for the segment.
template <int N>
using AnyGridStepper = std::variant<GridStepper<N, std::int64_t>, GridStepper<N, Int128>>;

template <int N>
AnyGridStepper<N> makeGridStepper(const Vec<std::int64_t, N>& from, const Vec<std::int64_t, N>& to,
                                  const Vec<std::int64_t, N>& widths, CornerPolicy policy) {
  for (int i = 0; i < N; ++i) {
    FRACTALRAY_DCHECK(std::max(std::abs(from[i]), std::abs(to[i])) <= kMaxCoordinate, from[i],
                      to[i]);
    FRACTALRAY_DCHECK(widths[i] >= 1 && widths[i] <= kMaxCoordinate, widths[i]);
  }
  using Narrow = GridStepper<N, std::int64_t>;
  if (Narrow::fits64(from, to, widths)) return Narrow(from, to, widths, policy);
  return GridStepper<N, Int128>(from, to, widths, policy);
}

}  // namespace internal

}  // namespace fractalray
