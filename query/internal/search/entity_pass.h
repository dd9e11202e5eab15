// SPDX-License-Identifier: Apache-2.0
// The pass that finds the entities that a line hits, in the chunks of an index level on the line.
#pragma once

#include <optional>

#include "../../../core/arithmetic/fraction.h"
#include "../../../core/internal/geometry/path_mask.h"
#include "candidate_collector.h"

namespace fractalray::internal {

// Collects the entities of one index level, those in several chunks once or more often. `path` is
// of the context's line. Returns the time up to which, inclusive, the pass has read, if the
// collector's slice made it pause.
std::optional<Fraction> collectEntitiesFast(CandidateCollector& collector, const PathMask& path,
                                            int index_level);

// Does the same chunk by chunk and by the exact test of each shape alone: the reference with which
// the fast pass is compared in tests.
void collectEntitiesPlain(CandidateCollector& collector, int index_level);

}  // namespace fractalray::internal
