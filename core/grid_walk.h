// SPDX-License-Identifier: Apache-2.0
// The walk: every cell of a grid that a segment crosses, in order, decided by integers alone
// (grid_stepper.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

#include "check.h"
#include "corner_policy.h"
#include "geometry/grid_stepper.h"  // IWYU pragma: export
#include "units.h"
#include "vec.h"

namespace fractalray {

// The cells of a grid that a segment crosses, from its start to its end, in N = 2 or 3 dimensions.
//
// The first cell is floor(from / width), the last floor(to / width). A segment within a plane
// between cells crosses those on its positive side; one of length zero visits one cell. The corner
// policy decides which cells are visited when several planes are crossed at the same time. The walk
// is lazy: made once, stepped by next(), by a range-for, or given to a visitor, and left at any
// time.
//
//   for (const GridCell<2>& cell : GridWalk<2>(from, to, {w, w})) { ... }
//
// Cost: O(1) to make, O(1) per step; no allocation. A value; const use is safe from any thread.
template <int N>
class GridWalk {
  static_assert(N == 2 || N == 3);

 public:
  using Point = Vec<std::int64_t, N>;

  // Makes a walk from `from` to `to`, in units, over cells of the given width on each axis, in
  // units. Requires: |coordinate| <= kMaxCoordinate and 1 <= width <= kMaxCoordinate.
  GridWalk(const Point& from, const Point& to, const Point& widths,
           CornerPolicy policy = CornerPolicy::kBoth)
      : stepper_(internal::makeGridStepper(from, to, widths, policy)),
        crossings_(crossingsLeft()) {}

  // Makes a walk with every requirement checked: OUT_OF_RANGE or INVALID_ARGUMENT.
  static absl::StatusOr<GridWalk> create(const Point& from, const Point& to, const Point& widths,
                                         CornerPolicy policy = CornerPolicy::kBoth) {
    for (int i = 0; i < N; ++i) {
      for (const std::int64_t end : {from[i], to[i]}) {
        if (end > kMaxCoordinate || end < -kMaxCoordinate) {
          return absl::OutOfRangeError(
              absl::StrCat("the walk's end at ", end, " units is beyond the frame's 2^61 units"));
        }
      }
      if (widths[i] < 1 || widths[i] > kMaxCoordinate) {
        return absl::InvalidArgumentError(absl::StrCat("the cell width is ", widths[i],
                                                       " units; it must be from 1 to 2^61 units"));
      }
    }
    return GridWalk(from, to, widths, policy);
  }

  // Returns how many planes the segment crosses, known before the first step: the Manhattan
  // distance of the first and the last cell. `staircase` visits exactly one cell more than that;
  // `both` adds corner cells, `neither` saves some.
  std::uint64_t crossings() const { return crossings_; }

  // Returns the current cell; the first one until next() is called.
  const GridCell<N>& cell() const {
    return std::visit([](const auto& stepper) -> const GridCell<N>& { return stepper.cell(); },
                      stepper_);
  }

  // Steps to the next visited cell. Returns false, and changes nothing, after the last one.
  bool next() {
    return std::visit([](auto& stepper) { return stepper.next(); }, stepper_);
  }

  // Returns true if next() visits another cell of the corner crossing at which the current cell was
  // entered.
  bool atCorner() const {
    return std::visit([](const auto& stepper) { return stepper.atCorner(); }, stepper_);
  }

  // Skips every cell entered before `t`: the next call of next() visits the first one entered at
  // `t` or later. cell() stays as it was. Requires: t in [cell().t, 1], and not atCorner().
  void skipBefore(const Fraction& t) {
    FRACTALRAY_DCHECK(!atCorner() && t >= cell().t && t <= Fraction::one(), t.toDouble());
    std::visit([&](auto& stepper) { stepper.skipBefore(t); }, stepper_);
  }

  // Starts the walk at time `t` instead of 0, in the cell `first`. If the line is on a plane at
  // `t`, the walk crosses the plane at `t` if the plane is ahead of `first`; else the plane counts
  // as crossed. Requires: next() has not been called, and the line touches `first` at `t`. If the
  // line ends on a plane at `t`, `first` may be the cell beyond that plane.
  void startAt(const Point& first, const Fraction& t) {
    FRACTALRAY_DCHECK(t >= Fraction::zero() && t <= Fraction::one(), t.toDouble());
    std::visit([&](auto& stepper) { stepper.startAt(first, t); }, stepper_);
    crossings_ = crossingsLeft();
  }

  // Leaves out the rest of the box of cells [min, max] (inclusive): the next call of next() visits
  // the first cell of the corner crossing that leaves it. No cell outside of the box is left out.
  // Requires: the current cell lies in the box, and not atCorner().
  void skipInside(const Point& min, const Point& max) {
    FRACTALRAY_DCHECK(!atCorner());
    for (int i = 0; i < N; ++i) {
      FRACTALRAY_DCHECK(cell().cell[i] >= min[i] && cell().cell[i] <= max[i], i, cell().cell[i]);
    }
    std::visit([&](auto& stepper) { stepper.skipInside(min, max); }, stepper_);
  }

  // Calls `visit(const GridCell<N>&) -> Visit` for the current cell and each that follows, until it
  // returns kStop. Returns true if the walk came to its end.
  template <class Visitor>
  bool forEach(Visitor&& visit) {
    return std::visit(
        [&](auto& stepper) {
          do {
            if (visit(stepper.cell()) == Visit::kStop) return false;
          } while (stepper.next());
          return true;
        },
        stepper_);
  }

  // An input iterator, so that a walk is a range.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = GridCell<N>;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = const value_type&;

    reference operator*() const { return walk_->cell(); }
    pointer operator->() const { return &walk_->cell(); }
    Iterator& operator++() {
      if (!walk_->next()) walk_ = nullptr;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) {
      return it.walk_ == nullptr;
    }

   private:
    friend class GridWalk;
    explicit Iterator(GridWalk* walk) : walk_(walk) {}
    GridWalk* walk_;
  };

  // Iterates from the current cell on, stepping this walk.
  Iterator begin() { return Iterator(this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  std::uint64_t crossingsLeft() const {
    return std::visit([](const auto& stepper) { return stepper.crossingsLeft(); }, stepper_);
  }

  internal::AnyGridStepper<N> stepper_;
  std::uint64_t crossings_;
};

}  // namespace fractalray
