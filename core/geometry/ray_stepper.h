// SPDX-License-Identifier: Apache-2.0
// The cells of width 1 that a ray crosses, one axis after another: the walk of grid_stepper.h for
// the rays that raycast.h is mostly given, with minimal work for each cell.
//
// The planes that the ray crosses within its reach and its bounds are counted in advance for each
// axis. A step then compares two error terms, updates two, and counts one down; the ray ends at the
// first plane that its axis has not counted. At an exact corner the lower axis is first, which
// CornerPolicy::kStaircase asks for. Every cell is the one that GridStepper visits, but for the
// cells of a corner at which the reach ends, to the last digit: each axis rounds its distance on
// its own.
//
// For the library's own use: not part of the interface.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

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
  // Requires: the coordinates are within kMaxCoordinate, and the reach is at most the length.
  static std::optional<RayStepper> create(const GridLine<3>& line, const CellBounds& bounds) {
    RayStepper stepper;
    const double reached = line.reach / line.length;
    Axis x;
    Axis y;
    Axis z;
    if (!x.prepare(line, bounds, reached, 0) || !y.prepare(line, bounds, reached, 1) ||
        !z.prepare(line, bounds, reached, 2) ||
        x.planes + y.planes + z.planes >= static_cast<std::int64_t>(kMaxGridCells)) {
      return std::nullopt;
    }
    stepper.cell_ = {x.first, y.first, z.first};
    stepper.direction_ = {x.direction, y.direction, z.direction};
    stepper.step_ = {x.length << kLog2, y.length << kLog2, z.length << kLog2};
    stepper.left_ = {x.planes, y.planes, z.planes};
    stepper.e01_ = x.next * y.length - y.next * x.length;
    stepper.e02_ = x.next * z.length - z.next * x.length;
    stepper.e12_ = y.next * z.length - z.next * y.length;
    return stepper;
  }

  // Calls `visit(cell, face)` for each cell in order until it returns true. Returns true if it did.
  template <class Visitor>
  bool anyOf(const Visitor& visit) const {
    // Copies, which stay in registers whatever the visitor calls.
    RayStepper at = *this;
    Face face = Face::none();
    while (!visit(std::as_const(at.cell_), face)) {
      // e_ij <= 0: the next plane of axis i is crossed before that of axis j, or with it.
      if (at.e01_ <= 0 && at.e02_ <= 0) {
        if (!at.cross(0, face)) return false;
        at.e01_ += step_[1];
        at.e02_ += step_[2];
      } else if (at.e01_ > 0 && at.e12_ <= 0) {
        if (!at.cross(1, face)) return false;
        at.e01_ -= step_[0];
        at.e12_ += step_[2];
      } else {
        if (!at.cross(2, face)) return false;
        at.e02_ -= step_[0];
        at.e12_ -= step_[1];
      }
    }
    return true;
  }

 private:
  // Holds the part of a walk that concerns one axis.
  struct Axis {
    std::int64_t first = 0;      // the cell of the start
    std::int64_t direction = 1;  // 1 or -1
    std::int64_t length = 0;     // |d|, in units
    std::int64_t next = 0;       // units from the start to the next plane
    std::int64_t planes = 0;     // crossed within the reach and the bounds

    // Returns false if this is no walk for this class. `reached` is about the time at which the
    // reach of the ray ends.
    bool prepare(const GridLine<3>& line, const CellBounds& bounds, double reached, int axis) {
      constexpr std::int64_t kLongest = std::int64_t{1} << 45;  // W |d| < 2^61
      const std::int64_t from = line.from[axis];
      const std::int64_t delta = line.to[axis] - from;
      // Along an axis on which the ray stands still, no plane is the next one: any that is not at
      // the start will do.
      const bool is_up = delta >= 0;
      const std::int64_t passed = from & (kUnitsPerBlock - 1);
      first = from >> kLog2;
      direction = is_up ? 1 : -1;
      length = is_up ? delta : -delta;
      next = is_up ? kUnitsPerBlock - passed : passed;
      const std::int64_t above = bounds.max[axis] - first;
      const std::int64_t below = first - bounds.min[axis];
      if (above < 0 || below < 0 || length >= kLongest) return false;
      planes = std::min(planesWithinReach(line, axis, reached), is_up ? above : below);
      return true;
    }

    // Returns how many planes are not beyond the reach of the ray, exactly as line.isBeyond() has
    // it.
    std::int64_t planesWithinReach(const GridLine<3>& line, int axis, double reached) const {
      // Wrong by less than half a unit, since `length` is below 2^45, by rounding here and in
      // isBeyond(): only a plane as near as that to the end of the reach needs a closer look.
      const double units = reached * static_cast<double>(length) - static_cast<double>(next);
      const auto whole = static_cast<std::int64_t>(units);
      const std::int64_t count = (whole >> kLog2) + 1;
      const std::int64_t past = whole & (kUnitsPerBlock - 1);
      if (past != 0 && past != kUnitsPerBlock - 1) return count;
      return planesNear(line, axis, count);
    }
    // The same, given a count that is wrong by one at most.
    std::int64_t planesNear(const GridLine<3>& line, int axis, std::int64_t count) const {
      const std::int64_t last = line.to[axis] >> kLog2;
      const std::int64_t most = last > first ? last - first : first - last;
      const auto is_within = [&](std::int64_t plane) {
        return plane <= most && !line.isBeyond({next + ((plane - 1) << kLog2), length});
      };
      if (is_within(count + 1)) return count + 1;
      return count > 0 && !is_within(count) ? count - 1 : count;
    }
  };

  RayStepper() = default;

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
