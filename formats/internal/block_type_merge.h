// SPDX-License-Identifier: Apache-2.0
// Brings block types from outside into a table that may already have types of these names.
#pragma once

#include "absl/status/statusor.h"

#include "../../levels/block_type.h"

namespace fractalray {

// Returns the table's type of that name if it has the same kind and shape in every channel.
// Otherwise adds a type of that name or, if the name is taken, with as many ' appended as it needs.
// Thus an "air" that is empty everywhere is kAir, and one that is not becomes "air'". Errors: those
// of BlockTypeTable::add; then nothing has changed. Cost: O(channels).
absl::StatusOr<BlockTypeId> findOrAddBlockType(BlockTypeTable& types, BlockTypeSpec spec);

}  // namespace fractalray
