// SPDX-License-Identifier: Apache-2.0
// The cells of width 1 that a ray crosses, one axis after another: the walk of grid_stepper.h for
// the rays that raycast.h is mostly given, with minimal work for each cell.
//
// The planes that the ray crosses within its reach and its bounds are counted in advance for each
// axis. A step then compares two error terms, updates two, and counts one down; the ray ends at the
// first plane that its axis has not counted. At an exact corner the lower axis is first, which
// CornerPolicy::kStaircase asks for. Every cell is the one that GridStepper visits.
//
// For the library's own use: not part of the interface.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "../arithmetic/fixed_point.h"
#include "../face.h"
#include "../vec.h"
#include "cell_bounds.h"
#include "grid_line.h"

namespace fractalray::internal {

// Walks one ray, once. A value type.
class RayStepper {
 public:
  // Returns a walk from the start of the line to where it leaves the bounds or its reach. Returns
  // nothing if GridStepper has to walk it: the start is outside of the bounds, 64 bits do not hold
  // the error terms (a ray of 2^28 cells or more), or it has more than kMaxGridCells cells.
  // Requires: the coordinates are within kMaxCoordinate.
  static std::optional<RayStepper> create(const GridLine<3>& line, const CellBounds& bounds) {
    std::optional<RayStepper> stepper(RayStepper{});
    if (!stepper->countPlanes(line, bounds)) stepper.reset();
    return stepper;
  }

  // Calls `visit(cell, face)` for each cell in order until it returns true. Returns true if it did.
  template <class Visitor>
  bool anyOf(const Visitor& visit) {
    Face face = Face::none();
    while (!visit(cell_, face)) {
      // e_ij <= 0: the next plane of axis i is crossed before that of axis j, or with it.
      if (e01_ <= 0 && e02_ <= 0) {
        if (!cross(0, face)) return false;
        e01_ += step_[1];
        e02_ += step_[2];
      } else if (e01_ > 0 && e12_ <= 0) {
        if (!cross(1, face)) return false;
        e01_ -= step_[0];
        e12_ += step_[2];
      } else {
        if (!cross(2, face)) return false;
        e02_ -= step_[0];
        e12_ -= step_[1];
      }
    }
    return true;
  }

 private:
  RayStepper() = default;

  // Returns false if this is no walk for this class.
  bool countPlanes(const GridLine<3>& line, const CellBounds& bounds) {
    constexpr std::int64_t kLongest = std::int64_t{1} << 45;  // W |d| < 2^61
    Vec3i next{};
    Vec3i length{};
    std::int64_t cells = 1;
    const double reached = line.reach / line.length;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t from = line.from[axis];
      const std::int64_t delta = line.to[axis] - from;
      const std::int64_t first = from >> kLog2;
      if (first < bounds.min[axis] || first > bounds.max[axis]) return false;
      const bool is_up = delta > 0;
      length[axis] = is_up ? delta : -delta;
      if (length[axis] >= kLongest) return false;
      cell_[axis] = first;
      direction_[axis] = is_up ? 1 : -1;
      step_[axis] = length[axis] << kLog2;
      // Along an axis on which the ray stands still, a plane that is never the next one.
      next[axis] = kUnitsPerBlock;
      if (delta == 0) continue;
      next[axis] = is_up ? ((first + 1) << kLog2) - from : from - (first << kLog2);
      const std::int64_t inside = is_up ? bounds.max[axis] - first : first - bounds.min[axis];
      const std::int64_t last = line.to[axis] >> kLog2;
      const std::int64_t most = std::min(inside, is_up ? last - first : first - last);
      left_[axis] = planesWithinReach(line, length[axis], next[axis], reached, most);
      cells += left_[axis];
    }
    e01_ = next[0] * length[1] - next[1] * length[0];
    e02_ = next[0] * length[2] - next[2] * length[0];
    e12_ = next[1] * length[2] - next[2] * length[1];
    return cells <= static_cast<std::int64_t>(kMaxGridCells);
  }

  // Returns how many planes of an axis, `most` at the most, are not beyond the reach of the ray,
  // exactly as line.isBeyond() has it. `reached` is about the time at which the reach ends.
  static std::int64_t planesWithinReach(const GridLine<3>& line, std::int64_t length,
                                        std::int64_t next, double reached, std::int64_t most) {
    const auto is_within = [&](std::int64_t planes) {
      return !line.isBeyond({next + ((planes - 1) << kLog2), length});
    };
    const double units = reached * static_cast<double>(length) - static_cast<double>(next);
    const std::int64_t estimate = units < 0 ? 0 : (static_cast<std::int64_t>(units) >> kLog2) + 1;
    std::int64_t count = std::min(estimate, most);
    while (count < most && is_within(count + 1))
      ++count;
    while (count > 0 && !is_within(count))
      --count;
    return count;
  }

  // Crosses the next plane of an axis; false if the ray ends before it.
  bool cross(int axis, Face& face) {
    if (left_[axis]-- == 0) return false;
    cell_[axis] += direction_[axis];
    face = {static_cast<std::int8_t>(axis), static_cast<std::int8_t>(-direction_[axis])};
    return true;
  }

  static constexpr int kLog2 = 16;
  static_assert(std::int64_t{1} << kLog2 == kUnitsPerBlock);

  Vec3i cell_{};
  Vec3i direction_{};
  Vec3i step_{};  // W |d|, by which error terms change
  Vec3i left_{};  // planes that will be crossed
  // n_i |d_j| - n_j |d_i|, with the next planes n units from the start (grid_stepper.h).
  std::int64_t e01_ = 0;
  std::int64_t e02_ = 0;
  std::int64_t e12_ = 0;
};

}  // namespace fractalray::internal
