// SPDX-License-Identifier: Apache-2.0
// The visit of a line to a box that owns its lower faces and not its upper ones: as that of a walk
// to the cells of a grid that is divided along the planes of the box.
//
// On an axis the line enters the box through the face that it comes to first, at in_i, if it starts
// before that face, and leaves it through the other one, at out_i, if it ends beyond that. Let t0
// be the last in_i, and t1 the first out_i. The line visits the box at [t0, t1] if t0 < t1, or if
// it starts or ends in the box. If t0 = t1 it only touches the box, at an edge or a corner, and the
// corner policy decides.
#pragma once

#include <cstdint>
#include <optional>

#include "../../arithmetic/fraction.h"
#include "../../corner_policy.h"
#include "line.h"
#include "unit_box.h"

namespace fractalray::internal {

// A visit, or a touch.
struct BoxCrossing {
  Fraction enter = Fraction::zero();  // the line's begin, if `entered` is empty
  Fraction leave = Fraction::one();   // 1, if `left` is empty
  std::uint8_t entered = 0;           // the axes with in_i = enter, as bits
  std::uint8_t left = 0;              // the axes with out_i = leave, as bits

  bool startsInside() const { return entered == 0; }
  // Returns true if the line has only a point in common with the box, and neither starts nor ends
  // there.
  bool isTouch() const { return entered != 0 && left != 0 && enter == leave; }
  bool isVisited(CornerPolicy policy) const;
};

// Returns the crossing of a box, of touches too; nothing if no policy visits the box. A reflected
// line begins in the cell that it was in just before (Line::firstCell()). Requires: the box is
// within twice the frame. Cost: some 20 comparisons of products of 128 bits.
std::optional<BoxCrossing> crossBox(const Line& line, const UnitBox& box);

}  // namespace fractalray::internal
