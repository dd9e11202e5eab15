// SPDX-License-Identifier: Apache-2.0
// The cells that a ray crosses in a plain voxel grid: a drop-in for the well-known traversal
// (Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing", Eurographics 1987) that
// uses the exact walk of this library instead. Stands alone: standard types, nothing to link.
//
//   const auto hit = raycast(eye, look, 100, [&](const Vec3i& cell, Face face) {
//     return isWall(cell);  // true ends it
//   });
//   if (hit.ok() && *hit) ...
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>

#include "arithmetic/fixed_point.h"
#include "arithmetic/floor_div.h"
#include "arithmetic/fraction.h"
#include "corner_policy.h"
#include "face.h"
#include "geometry/cell_bounds.h"  // IWYU pragma: export
#include "geometry/grid_line.h"
#include "geometry/grid_stepper.h"
#include "geometry/ray_stepper.h"
#include "grid_result.h"
#include "vec.h"

namespace fractalray {

namespace internal {

// Returns true if a visitor's answer ends the walk.
constexpr bool endsWalk(Visit answer) {
  return answer == Visit::kStop;
}
constexpr bool endsWalk(std::same_as<bool> auto is_end) {
  return is_end;
}

// A ray in a box of cells: the time at which it enters, and a test that it has left the box.
class RayInBounds {
 public:
  RayInBounds(const GridLine<3>& line, const CellBounds& bounds)
      : delta_(line.to - line.from), bounds_(bounds) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t first = floorDiv(line.from[axis], kUnitsPerBlock);
      const std::int64_t d = delta_[axis];
      // Units from the start to the plane of the box that it enters through on this axis.
      std::int64_t ahead = 0;
      if (d > 0 && first < bounds.min[axis]) {
        ahead = bounds.min[axis] * kUnitsPerBlock - line.from[axis];
      } else if (d < 0 && first > bounds.max[axis]) {
        ahead = line.from[axis] - (bounds.max[axis] + 1) * kUnitsPerBlock;
      } else {
        continue;
      }
      const Fraction t{ahead, d > 0 ? d : -d};
      if (t > entry_) entry_ = t;
    }
  }

  // Returns the time before which no entered cell is in the box; beyond 1 if none is at all.
  const Fraction& entry() const { return entry_; }

  bool contains(const Vec3i& cell) const {
    bool is_inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      is_inside = is_inside && cell[axis] >= bounds_.min[axis] && cell[axis] <= bounds_.max[axis];
    }
    return is_inside;
  }

  // Returns true if no later cell is in the box. Requires: `cell` is the last of its corner
  // crossing.
  bool isPast(const Vec3i& cell) const {
    bool is_past = false;
    for (int axis = 0; axis < 3; ++axis) {
      is_past = is_past || (cell[axis] > bounds_.max[axis] && delta_[axis] >= 0) ||
                (cell[axis] < bounds_.min[axis] && delta_[axis] <= 0);
    }
    return is_past;
  }

 private:
  Vec3i delta_;
  CellBounds bounds_;
  Fraction entry_ = Fraction::zero();
};

// Walks any ray, with any policy.
template <class Stepper, class Visitor>
GridResult<bool> raycastBy(Stepper& stepper, const GridLine<3>& line, const RayInBounds& ray,
                           Visitor& visit) {
  if (ray.entry() > Fraction::one()) return false;
  if (ray.entry() > Fraction::zero()) {
    stepper.skipBefore(ray.entry());
    if (!stepper.next()) return false;
  }
  std::uint64_t left = kMaxGridCells;
  do {
    const GridCell<3>& step = stepper.cell();
    if (line.isBeyond(step.t)) return false;
    if (!ray.contains(step.cell)) {
      if (!stepper.atCorner() && ray.isPast(step.cell)) return false;
      continue;
    }
    if (left-- == 0) return GridError::kTooManyCells;
    if (endsWalk(visit(step.cell, step.face))) return true;
  } while (stepper.next());
  return false;
}
template <class Visitor>
GridResult<bool> raycastByGrid(const GridLine<3>& line, const CellBounds& bounds,
                               CornerPolicy corner, Visitor& visit) {
  const RayInBounds ray(line, bounds);
  constexpr Vec3i kCellSize{kUnitsPerBlock, kUnitsPerBlock, kUnitsPerBlock};
  return std::visit([&](auto stepper) { return raycastBy(stepper, line, ray, visit); },
                    makeGridStepper<3>(line.from, line.to, kCellSize, corner));
}

}  // namespace internal

// Calls `visit(const Vec3i& cell, Face face)` for each cell of width 1 that the ray from `origin`
// along `direction` crosses, in order, as far as `max_distance`, until it answers true (or
// Visit::kStop). Returns true if it did. A cell entered at exactly `max_distance` is visited if the
// ray is parallel to an axis; if it is oblique, the distance is rounded, and the cell may be left
// out.
//
// The first cell is that of the origin, with no face; the face of any other is the one through
// which it is entered, whose normal() is the usual step vector negated. With bounds only cells in
// them are visited, the part of the ray before them is skipped in one step, and `max_distance` may
// be infinite. At exact edges and vertices of cells the corner policy decides; by default one axis
// after another, x before y before z, so that consecutive cells always share a face. For sight,
// which should be the same both ways, pass kBoth: docs/concepts.md#who-sees-whom.
//
// Errors: kNotFinite, kTooFar (the origin), kZeroDirection, kBadDistance, kBadBounds, kUnbounded
// (neither a distance nor bounds), kTooManyCells (after kMaxGridCells visits).
// Cost: O(cells visited), no allocation. Safe to call from many threads if `visit` is.
template <class Visitor>
GridResult<bool> raycast(const Vec3d& origin, const Vec3d& direction, double max_distance,
                         Visitor&& visit, const std::optional<CellBounds>& bounds = std::nullopt,
                         CornerPolicy corner = CornerPolicy::kStaircase) {
  Vec3i from;
  const GridError error = internal::toGridUnits(origin, from);
  if (error != GridError::kNone) return error;
  double reach = max_distance;
  if (bounds.has_value()) {
    if (!internal::isValid(*bounds)) return GridError::kBadBounds;
    // Cells beyond the box need no walk, and shorter lines are walked faster: but rays below this
    // reach all become lines of one length (rayLine()).
    constexpr double kShort = 0x1p20;
    if (reach > kShort) reach = std::min(reach, internal::distanceToLeave(origin, *bounds));
  } else if (max_distance == std::numeric_limits<double>::infinity()) {
    return GridError::kUnbounded;
  }
  const auto line = internal::rayLine<3>(from, direction, reach);
  if (!line.ok()) return line.error();
  const CellBounds& box = bounds.has_value() ? *bounds : internal::kAllCells;
  if (corner == CornerPolicy::kStaircase) {
    if (auto stepper = internal::RayStepper::create(*line, box); stepper.has_value()) {
      return stepper->anyOf(
          [&](const Vec3i& cell, Face face) { return internal::endsWalk(visit(cell, face)); });
    }
  }
  return internal::raycastByGrid(*line, box, corner, visit);
}

}  // namespace fractalray
