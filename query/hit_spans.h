// SPDX-License-Identifier: Apache-2.0
// The parts of a line inside a block that it hits: several for a shape with gaps. docs/shapes.md.
#pragma once

#include <vector>

#include "absl/status/status.h"

#include "../core/segment.h"
#include "../levels/world.h"
#include "hit.h"
#include "query_options.h"

namespace fractalray {

// A closed part [t0, t1] of a line.
struct HitSpan {
  double t0 = 0;
  double t1 = 0;

  friend bool operator==(const HitSpan&, const HitSpan&) = default;
};

// Replaces `spans` by the parts of a line that are inside a hit, in order and merged where they
// touch: the first begins at hit.t, the last ends at hit.t_exit. One for an entity and for a block
// that fills its cube; for a shape, those in which the line visits its boxes, as the hit's type has
// them now. `line` and `options` are those of the query: its corner policy and channel decide.
// INVALID_ARGUMENT, and no spans, for a hit that the line does not have. Cost: a test of each box.
// Thread-safe while nobody changes the world.
absl::Status hitSpans(const World& world, const FixedSegment& line, const Hit& hit,
                      const QueryOptions& options, std::vector<HitSpan>& spans);

}  // namespace fractalray
