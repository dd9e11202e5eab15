// SPDX-License-Identifier: Apache-2.0
#include "chunk_changes.h"

#include "absl/strings/str_cat.h"

#include "../levels/chunk.h"

namespace fractalray {

absl::Status checkBlockChange(const BlockChange& change, const BlockTypeTable& types) {
  if (change.block < 0 || change.block >= kBlocksPerChunk) {
    return absl::InvalidArgumentError(absl::StrCat("block ", change.block,
                                                   " is not in a chunk; give an index from 0 to ",
                                                   kBlocksPerChunk - 1, " (indexInChunk)"));
  }
  if (change.type.has_value() && !types.contains(*change.type)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "block type ", BlockTypeTable::index(*change.type), " is not in the table, which ends at ",
        types.size() - 1, "; add it to the table first"));
  }
  if (!change.type.has_value() && change.reverts_at.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the change of block ", change.block, " reverts at ", *change.reverts_at,
                     ", but has no type: it reverts the block at once; leave the time out"));
  }
  return absl::OkStatus();
}

}  // namespace fractalray
