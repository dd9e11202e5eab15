// SPDX-License-Identifier: Apache-2.0
// Blocks of random shapes in a world of their own, and lines among them: for the laws that compare
// a world with an image of it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../../query/hit_spans.h"
#include "../../query/ray_query_service.h"
#include "../oracle/random_shape.h"
#include "../oracle/shaped_type.h"

namespace fractalray::shaped_world {

using Boxes = std::vector<ShapeBox>;

struct Block {
  BlockCoord at{};
  Boxes boxes;
  BlockKind kind = BlockKind::kPermeable;
};

// Returns blocks of random shapes in about half of the positions from `min` to `max` on each axis.
inline std::vector<Block> randomBlocks(oracle::Rng& rng, std::int64_t min, std::int64_t max) {
  std::vector<Block> blocks;
  for (std::int64_t x = min; x <= max; ++x) {
    for (std::int64_t y = min; y <= max; ++y) {
      for (std::int64_t z = min; z <= max; ++z) {
        if (rng.oneIn(2)) continue;
        const BlockKind kind = rng.oneIn(6) ? BlockKind::kSolid : BlockKind::kPermeable;
        blocks.push_back({{x, y, z}, oracle::randomBoxes(rng), kind});
      }
    }
  }
  return blocks;
}

// A world, with queries.
class ShapedWorld {
 public:
  explicit ShapedWorld(int levels) : world_({.levels = levels}), entities_(world_.frame()) {}

  // Loads a chunk of air.
  void load(int level, const ChunkCoord& at) {
    EXPECT_TRUE(world_.loadChunk(level, at, Chunk::uniform(kAir, world_.blockTypes())).ok());
  }
  // Puts blocks, each of a type of its own, in loaded chunks.
  void put(int level, const std::vector<Block>& blocks) {
    BlockTypeTable& types = world_.blockTypes();
    for (const Block& block : blocks) {
      const BlockTypeId type = oracle::addShapedType(types, "type " + std::to_string(types.size()),
                                                     block.kind, block.boxes);
      EXPECT_TRUE(world_.setBlock(level, block.at, type).ok());
    }
  }

  World& world() { return world_; }
  EntityIndex& entities() { return entities_; }
  ShotResult shoot(const FixedSegment& line, CornerPolicy policy) const {
    return service_.shootSegment(line, LevelMask::all(), {.corner = policy}).value();
  }
  Occlusion sight(const FixedSegment& line, CornerPolicy policy) const {
    return service_.occluded(line, LevelMask::all(), {.corner = policy}).value();
  }
  std::vector<HitSpan> spans(const ShotResult& shot, const Hit& hit, CornerPolicy policy) const {
    std::vector<HitSpan> spans;
    EXPECT_TRUE(hitSpans(world_, shot.segment, hit, {.corner = policy}, spans).ok());
    return spans;
  }

 private:
  World world_;
  EntityIndex entities_;
  RayQueryService service_{world_, entities_};
};

// Returns a line from near one of the blocks to near another.
inline FixedSegment lineAmong(oracle::Rng& rng, const std::vector<Block>& blocks, int shift) {
  const auto some = [&] {
    const Block& block =
        blocks[static_cast<std::size_t>(rng.below(static_cast<int>(blocks.size())))];
    oracle::ShapeAt at{.boxes = block.boxes, .shift = shift};
    for (int axis = 0; axis < 3; ++axis)
      at.corner[axis] = block.at[axis] << shift;
    return at;
  };
  const oracle::ShapeAt from = some();
  return oracle::randomLine(rng, from, some());
}

}  // namespace fractalray::shaped_world
