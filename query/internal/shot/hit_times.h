// SPDX-License-Identifier: Apache-2.0
// The exact times at which a line enters and leaves the block of a hit, also if its type has a
// shape.
#pragma once

#include <optional>

#include "../../../core/arithmetic/fraction.h"
#include "../../../levels/internal/shape_crossing.h"
#include "../../hit.h"
#include "../search/query_context.h"

namespace fractalray::internal {

struct HitTimes {
  Fraction enter;
  Fraction leave;
};

// Returns the times of a block's hit. Requires: the context's line visits the block's cell.
HitTimes timesOf(const QueryContext& context, const Hit& hit);

// Returns the time at which the line enters the block of a candidate, or its shape, as its type is
// now; nothing if it misses the shape. Requires: as above.
std::optional<HitTime> enterTime(const QueryContext& context, const Candidate& candidate);

// Returns the intervals of a block's hit, in order: one for a block that fills its cube, and those
// in which the line visits a shape. Requires: as above.
TimeIntervals spansOf(const QueryContext& context, const Hit& hit);

// Returns true if the line has no more than points in common with the block of a hit.
bool isTouched(const QueryContext& context, const Hit& hit);

}  // namespace fractalray::internal
