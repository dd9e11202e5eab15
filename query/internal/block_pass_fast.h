// SPDX-License-Identifier: Apache-2.0
// The fast pass: from area to region, chunk and brick, always to the parts that the line touches
// and that hold something, by path masks; no step where nothing is. Gives what the plain pass
// gives.
#pragma once

#include "../../core/internal/geometry/path_mask.h"
#include "candidate_collector.h"

namespace fractalray::internal {

// Gathers the blocks of one level, up to the first terminal one. `path` is of the context's line.
void collectBlocksFast(CandidateCollector& collector, const PathMask& path, int level);

}  // namespace fractalray::internal
