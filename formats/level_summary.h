// SPDX-License-Identifier: Apache-2.0
// Makes the coarser levels of a world out of its finest one.
#pragma once

#include "absl/status/status.h"

#include "../levels/world.h"

namespace fractalray {

// Loads, on every level but the finest, each chunk in which anything finer is loaded, and replaces
// what was there. The blocks of those chunks summarize, channel by channel, what fills their space:
// empty where all of it is loaded and empty, solid where all of it is loaded and solid, else
// permeable, so space that is not loaded makes its surroundings permeable. The world's table gets
// the types that this needs: "coarse:empty", "coarse:solid" and "coarse:mixed" by the default
// channel, followed by the channels that differ, as in "coarse:mixed,visible=empty". If the table
// has a type of that name with other kinds, the new type's name gets as many ' appended as it
// needs.
//
// RESOURCE_EXHAUSTED if the table is full: finer levels are done, this and coarser ones unchanged.
// Cost: O(blocks of the finest level), a uniform chunk counting as one.
absl::Status summarizeCoarserLevels(World& world);

}  // namespace fractalray
