// SPDX-License-Identifier: Apache-2.0
// The blocks of a chunk as a fill and boxes: how a scenario writes them briefly.
#pragma once

#include <array>
#include <vector>

#include "../../levels/block_type.h"
#include "../../levels/chunk.h"

namespace fractalray {

// The blocks of a chunk in the order of indexInChunk().
using ChunkBlocks = std::array<BlockTypeId, kBlocksPerChunk>;

// A box of blocks within a chunk, both corners included.
struct BlockBox {
  BlockCoord min;
  BlockCoord max;
  BlockTypeId type{};
};

// Returns the type of most of the blocks, the lowest of several.
BlockTypeId mostFrequent(const ChunkBlocks& blocks);

// Covers the blocks that are not `fill` with boxes that do not overlap: each begins at the first
// block left and grows along x, then y, then z.
std::vector<BlockBox> coverWithBoxes(const ChunkBlocks& blocks, BlockTypeId fill);

}  // namespace fractalray
