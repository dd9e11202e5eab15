// SPDX-License-Identifier: Apache-2.0
// The blocks of a level for a direct search (first_block.h): those that do not defer, and their
// kinds. For one instruction set, as first_block_search.h, which includes this. Nothing is mirrored
// here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../../core/tree64.h"
#include "../../core/vec.h"
#include "../../levels/block_type.h"
#include "../../levels/internal/level.h"
#include "../../levels/world.h"
#include "first_block.h"
#include "first_block_line.h"

namespace fractalray::internal {
namespace {

class SearchedContent {
 public:
  FRACTALRAY_TARGET explicit SearchedContent(const FirstBlockSettings& settings)
      : kinds_(settings.world.blockTypes().kinds(settings.options.filter.channel)),
        solid_only_(settings.options.filter.solid_only) {}

  // Changes to another level; its blocks may defer to a finer one of the query.
  FRACTALRAY_TARGET void enter(const Level& level, bool may_defer) {
    level_ = &level;
    may_defer_ = may_defer;
  }

  // Returns the area that holds a block, null if there is none.
  FRACTALRAY_TARGET const Area* area(const Vec3i& block) const {
    const Vec3i chunk = shiftedDown(block, kChunkLog2);
    return level_->area({chunk[0], chunk[1], chunk[2]});
  }
  // Returns the bricks, and the blocks of a brick that holds some, that do not all defer.
  FRACTALRAY_TARGET std::uint64_t bricks(const Chunk& chunk) const {
    const std::uint64_t present = chunk.occupied().bricks();
    const bool defers = may_defer_ && chunk.children() != nullptr;
    return defers ? present & ~chunk.children()->fullBricks() : present;
  }
  FRACTALRAY_TARGET std::uint64_t blocks(const Chunk& chunk, int brick) const {
    const std::uint64_t present = chunk.occupied().presentWord(brick);
    const bool defers = may_defer_ && chunk.children() != nullptr;
    return defers ? present & ~chunk.children()->word(brick) : present;
  }
  // Returns true if a block is not empty in every channel and does not defer.
  FRACTALRAY_TARGET bool isPresent(const Vec3i& cell) const {
    const BlockCoord block{cell[0], cell[1], cell[2]};
    const Chunk* const chunk = level_->find(chunkOf(block));
    if (chunk == nullptr) return false;
    const int index = indexInChunk(block);
    return chunk->isOccupied(index) && !(may_defer_ && chunk->hasLoadedChild(index));
  }

  // Returns the kind of a type for this query; kEmpty for an id that is not in the table.
  FRACTALRAY_TARGET BlockKind kind(BlockTypeId type) const {
    const std::size_t index = BlockTypeTable::index(type);
    const BlockKind of_type = index < kinds_.size() ? kinds_[index] : BlockKind::kEmpty;
    return solid_only_ && of_type != BlockKind::kSolid ? BlockKind::kEmpty : of_type;
  }

 private:
  std::span<const BlockKind> kinds_;
  bool solid_only_;
  bool may_defer_ = false;
  const Level* level_ = nullptr;
};

}  // namespace
}  // namespace fractalray::internal
