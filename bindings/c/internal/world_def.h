// SPDX-License-Identifier: Apache-2.0
// Reads the caller's definition of a new world.
#pragma once

#include <memory>

#include "absl/status/statusor.h"

#include "../fractalray_c.h"
#include "world_state.h"

namespace fractalray::capi {

// Holds all that a new world is made with.
struct WorldPlan {
  int levels = 0;  // 1 to kMaxLevels; 0 if the caller leaves the choice to the function
  ChunkPath anchor;
  std::shared_ptr<BlockTypeTable> block_types;
  CallerThreads threads;
};

// Errors: INVALID_ARGUMENT for a wrong member, FAILED_PRECONDITION for another version's header and
// for the block types of a snapshot.
absl::StatusOr<WorldPlan> readWorldDef(const frWorldDef* def);

// Makes the state of a world from its blocks. Requires: their table is that of the plan.
std::shared_ptr<WorldState> makeState(WorldPlan plan, World blocks);

}  // namespace fractalray::capi
