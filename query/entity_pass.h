// SPDX-License-Identifier: Apache-2.0
// The entity pass: the entities in the index chunks that a line crosses.
#pragma once

#include "fractalray/query/gathering.h"

namespace fractalray::internal {

// Gathers the entities that are kept on one index level.
void gatherEntitiesOf(Gathering& gathering, int index_level);

}  // namespace fractalray::internal
