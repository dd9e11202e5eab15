// SPDX-License-Identifier: Apache-2.0
// Applies a filter's members for blocks, for searches that are not along a line.
#pragma once

#include "../../../levels/block_type.h"
#include "../../query_filter.h"

namespace fractalray::internal {

// Returns the kind of a type in the filter's channel; kEmpty if the filter excludes that kind.
inline BlockKind acceptedKind(const QueryFilter& filter, const BlockTypeTable& types,
                              BlockTypeId type) {
  const BlockKind kind = types.kind(type, filter.channel);
  return filter.solid_only && kind != BlockKind::kSolid ? BlockKind::kEmpty : kind;
}

// Returns true if the filter's function, if any, accepts a block. Its hit has no geometry.
inline bool acceptsBlock(const QueryFilter& filter, int level, const BlockCoord& block,
                         BlockTypeId type, BlockKind kind) {
  if (!filter.block_filter) return true;
  Hit hit;
  hit.kind = Hit::Kind::kBlock;
  hit.level = level;
  hit.block = block;
  hit.type = type;
  hit.terminal = kind == BlockKind::kSolid;
  return filter.block_filter(hit);
}

}  // namespace fractalray::internal
