// SPDX-License-Identifier: Apache-2.0
// Brings block types from outside into a table that may have types of these names already.
#pragma once

#include "absl/status/statusor.h"

#include "../../levels/block_type.h"

namespace fractalray {

// The table's type of that name where it has the same kind in every channel; else a new type, named
// so or, where that is taken, with as many ' appended as it needs. Thus an "air" that is empty
// everywhere is kAir, and one that is not becomes "air'". Errors of BlockTypeTable::add; then
// nothing has changed. Cost: O(channels).
absl::StatusOr<BlockTypeId> findOrAddBlockType(BlockTypeTable& types, BlockTypeSpec spec);

}  // namespace fractalray
