// SPDX-License-Identifier: Apache-2.0
// The plain pass: block by block through loaded chunks, in larger steps through space that is not
// loaded. Written for readability; the reference for any faster pass.
#pragma once

#include "../../../core/grid_walk.h"
#include "../../../core/vec.h"
#include "candidate_collector.h"

namespace fractalray::internal {

// Collects the blocks of one level, up to the first terminal one.
void collectBlocksPlain(CandidateCollector& collector, int level);

// Skips an aligned cube of 2^log2 chunks around `chunk`; a chunk is `cells` cells of the walk wide.
void skipCube(GridWalk<3>& walk, const Vec3i& chunk, int log2, std::int64_t cells);

}  // namespace fractalray::internal
