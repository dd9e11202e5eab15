// SPDX-License-Identifier: Apache-2.0
// Computes if, when and through which face the walk (grid_walk.h) visits a cell, from the cell
// alone, without the cells before it.
//
// Let in_i be the time at which the line crosses into the cell's slice of axis i, if it starts
// outside of it, and out_i the time at which it crosses out of it, if it ends outside of it. The
// cell is entered at tau, the last in_i. It is visited iff no out_i is earlier and the corner
// policy visits, among the axes with in_i = tau or out_i = tau, the step that has crossed exactly
// those with in_i = tau.
#pragma once

#include <cstdint>
#include <optional>

#include "../../arithmetic/fraction.h"
#include "../../corner_policy.h"
#include "../../grid_walk.h"
#include "../../vec.h"
#include "hit_time.h"
#include "path_mask.h"

namespace fractalray::internal {

// A visited cell.
struct CellCrossing {
  GridCell<3> cell;  // not mirrored
  // The mirrored cell that the line is in after everything crossed at the same time has been
  // crossed: no cell beyond it on any axis is entered as early as this one. Equal to the cell
  // itself if no other cell is visited at the same time.
  Vec3i corner_end;
};

// The cells of width 2^shift units that a line crosses. All cells are given mirrored, as `path`
// mirrors them. A small value; keeps a reference to `path`.
class CellCrossings {
 public:
  CellCrossings(const PathMask& path, int shift, CornerPolicy policy)
      : path_(path),
        shift_(shift),
        policy_(policy),
        first_(path.firstCell(shift)),
        last_(path.lastCell(shift)),
        begin_(path.begin()),
        products_fit64_(path.productsFit64(shift)) {}

  // Returns the first and the last cell of the walk.
  const Vec3i& first() const { return first_; }
  const Vec3i& last() const { return last_; }
  // Returns a bound on cells by time, on every axis: no cell entered at `t` or later lies before
  // cellBefore(t), and no cell entered at `t` or earlier lies after cellAfter(t). Requires: 0 <= t
  // <= 1.
  Vec3i cellBefore(const HitTime& t) const;
  Vec3i cellAfter(const HitTime& t) const;

  // Cuts the cells from `first` to `last`, on each axis, to those that the line may visit in a box
  // of cubes, 2^log2 cells wide, given by its least and greatest cube, which are not mirrored.
  // Returns false if there are none. Requires: `first` is not before first(), and `last` not after
  // last(), on any axis.
  bool cutToBox(const Vec3i& min, const Vec3i& max, int log2, Vec3i& first, Vec3i& last) const;

  // Returns the crossing of a cell; nothing if the walk does not visit it.
  std::optional<CellCrossing> find(const Vec3i& cell) const;

 private:
  template <class Product>
  std::optional<CellCrossing> findBy(const Vec3i& cell) const;

  const PathMask& path_;
  int shift_;
  CornerPolicy policy_;
  Vec3i first_;
  Vec3i last_;
  Fraction begin_;  // of the line
  bool products_fit64_;
};

}  // namespace fractalray::internal
