// SPDX-License-Identifier: Apache-2.0
// The blocks of one level that a direct search may hit. For one instruction set, as
// direct_search_lanes.h, which includes this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../../../core/internal/access.h"
#include "../../../core/level_mask.h"
#include "../../../levels/block_type.h"
#include "../../../levels/internal/world_content.h"
#include "../../../levels/world.h"

#ifndef FRACTALRAY_TARGET
#define FRACTALRAY_TARGET
#endif

namespace fractalray::internal {
namespace {

class LevelBlocks {
 public:
  FRACTALRAY_TARGET LevelBlocks(const World& world, ChannelId channel, bool solid_only)
      : world_(world),
        kinds_(world.blockTypes().kinds(channel)),
        channel_(channel),
        solid_only_(solid_only) {}

  // Begins with a level of the query's; returns false if nothing is loaded there.
  FRACTALRAY_TARGET bool setLevel(int level, LevelMask levels) {
    level_ = &Access::content(world_).level(level);
    number_ = level;
    may_defer_ = levels.contains(level + 1);
    return level_->loadedChunks() != 0;
  }
  FRACTALRAY_TARGET const Level& level() const { return *level_; }
  FRACTALRAY_TARGET int number() const { return number_; }

  // Returns true if the box of loaded chunks has no gaps and contains that of the next finer level:
  // so if all blocks of this level on a line defer, all of the next coarser one do, too. Requires:
  // the finer level has loaded chunks.
  FRACTALRAY_TARGET bool coversFiner() const {
    const ChunkBounds& box = level_->bounds();
    const ChunkBounds& finer = Access::content(world_).level(number_ + 1).bounds();
    bool is_inside = box.isFull();
    for (int axis = 0; axis < 3; ++axis) {
      is_inside = is_inside && finer.min()[axis] >> kChunkLog2 >= box.min()[axis] &&
                  finer.max()[axis] >> kChunkLog2 <= box.max()[axis];
    }
    return is_inside;
  }

  // Returns the bricks, and the blocks of a brick that holds some, that do not all defer. Not
  // mirrored.
  FRACTALRAY_TARGET std::uint64_t bricksOf(const Chunk& chunk) const {
    const std::uint64_t bricks = chunk.occupied().bricks();
    const bool defers = may_defer_ && chunk.children() != nullptr;
    return defers ? bricks & ~chunk.children()->fullBricks() : bricks;
  }
  FRACTALRAY_TARGET std::uint64_t blocksOf(const Chunk& chunk, int brick) const {
    const std::uint64_t blocks = chunk.occupied().presentWord(brick);
    const bool defers = may_defer_ && chunk.children() != nullptr;
    return defers ? blocks & ~chunk.children()->word(brick) : blocks;
  }
  // Returns true if a block is occupied, in any channel, and does not defer.
  FRACTALRAY_TARGET bool isPresent(const BlockCoord& block) const {
    const Chunk* const chunk = level_->find(chunkOf(block));
    if (chunk == nullptr) return false;
    const int index = indexInChunk(block);
    return chunk->isOccupied(index) && !(may_defer_ && chunk->hasLoadedChild(index));
  }

  // Returns the kind of a type for the query; kEmpty for an id that is not in the table.
  FRACTALRAY_TARGET BlockKind kindOf(BlockTypeId type) const {
    const std::size_t index = BlockTypeTable::index(type);
    const BlockKind kind = index < kinds_.size() ? kinds_[index] : BlockKind::kEmpty;
    return solid_only_ && kind != BlockKind::kSolid ? BlockKind::kEmpty : kind;
  }
  // Returns true if blocks of a type, which is in the table, do not fill their cube.
  FRACTALRAY_TARGET bool hasShape(BlockTypeId type) const {
    const std::span<const ShapeId> shapes = world_.blockTypes().shapes(channel_);
    return !shapes.empty() && shapes[BlockTypeTable::index(type)] != kWholeCube;
  }
  // Returns the boxes of such a type.
  FRACTALRAY_TARGET std::span<const ShapeBox> boxesOf(BlockTypeId type) const {
    const BlockTypeTable& types = world_.blockTypes();
    return types.boxes(types.shapes(channel_)[BlockTypeTable::index(type)]);
  }

 private:
  const World& world_;
  std::span<const BlockKind> kinds_;
  ChannelId channel_;
  bool solid_only_;
  bool may_defer_ = false;
  int number_ = 0;
  const Level* level_ = nullptr;
};

}  // namespace
}  // namespace fractalray::internal
