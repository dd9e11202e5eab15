// SPDX-License-Identifier: Apache-2.0
// The entities that a line meets, from the chunks of an index level that it crosses.
#pragma once

#include <optional>

#include "../../core/arithmetic/fraction.h"
#include "../../core/internal/geometry/path_mask.h"
#include "candidate_collector.h"

namespace fractalray::internal {

// Collects the entities of one index level, those in several chunks once or more often. `path` is
// of the context's line. Returns the time up to which, inclusive, the pass has read, if the
// collector's slice made it pause.
std::optional<Fraction> collectEntitiesFast(CandidateCollector& collector, const PathMask& path,
                                            int index_level);

// The same chunk by chunk and with nothing but the exact test of each shape: the reference that the
// fast one is tested against.
void collectEntitiesPlain(CandidateCollector& collector, int index_level);

}  // namespace fractalray::internal
