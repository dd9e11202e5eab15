// SPDX-License-Identifier: Apache-2.0
// The fast pass: from area to region, chunk and brick, always to the occupied parts that the line
// touches, by path masks; takes no step through empty space. Collects the same as the plain pass.
#pragma once

#include "../../../core/internal/geometry/path_mask.h"
#include "candidate_collector.h"

namespace fractalray::internal {

// Collects the blocks of one level, up to the first terminal one. `path` is that of the context's
// line.
void collectBlocksFast(CandidateCollector& collector, const PathMask& path, int level);

}  // namespace fractalray::internal
