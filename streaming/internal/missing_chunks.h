// SPDX-License-Identifier: Apache-2.0
// The chunks that could be loaded and are not: around viewers, on a line, above a chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include "../../core/level_mask.h"
#include "../../core/segment.h"
#include "../../levels/block_type.h"
#include "../../levels/world.h"
#include "anchor_follower.h"
#include "chunk_reach.h"

namespace fractalray::internal {

// A chunk can be loaded if it is in the root and the frame, its level is streamed, and it is of
// level 0 or expands a fertile block of a loaded chunk. Refers to its arguments. Const use only
// reads them.
class MissingChunks {
 public:
  MissingChunks(const World& world, const AnchorFollower& anchor, const ChunkReach& reach,
                const std::function<bool(BlockTypeId)>& is_fertile)
      : world_(world), anchor_(anchor), reach_(reach), is_fertile_(is_fertile) {}

  // Calls `visit(chunk)` for every chunk of a level within the load radius that can be loaded and
  // is not, some of them more than once. Requires: the level is active and streamed. Cost: on level
  // 0 a look-up for each chunk within the radius of each viewer; on others one for each chunk of
  // the next coarser level there, and inBlocksOf() for the loaded ones.
  using Visit = absl::FunctionRef<void(const ChunkCoord&)>;
  void aroundViewers(int level, Visit visit) const;
  // Calls `visit(chunk)` for those of them that expand blocks of one loaded chunk. Requires: their
  // level is active and streamed. Cost: for each brick of 4 x 4 x 4 of its blocks, and each block
  // without a finer chunk in bricks within the radius.
  void inBlocksOf(const ChunkOfLevel& parent, Visit visit) const;
  // Returns true if a chunk can be loaded and is not. Requires: the level is active and streamed.
  bool isMissing(int level, const ChunkCoord& chunk) const;

  // Returns those on a line of the levels down to the finest one of the mask, up to `limit` of
  // them, nearest first, at the same time the coarser level first. Leaves out chunks for which
  // `is_left_out` returns true. Errors of chunksOn().
  absl::StatusOr<std::vector<ChunkOfLevel>> onLine(
      const FixedSegment& segment, LevelMask levels, std::size_t limit,
      absl::FunctionRef<bool(const ChunkOfLevel&)> is_left_out) const;

  // Returns true if a block of a chunk may be expanded.
  bool isFertile(const Chunk& chunk, int index) const;
  // Returns true if a chunk lies in a block that is not fertile: one of the finest loaded chunk
  // that contains it. Requires: the level is active.
  bool isInBarrenBlock(const ChunkOfLevel& chunk) const;

  // Returns the chunk itself, or the coarsest of its ancestors that is missing, if that can be
  // loaded. Requires: the level is active.
  std::optional<ChunkOfLevel> coarsest(const ChunkOfLevel& chunk) const;

 private:
  class OnLine;

  // Returns true if no block of the chunk is fertile, as far as that is known without reading them.
  bool isBarren(const Chunk& chunk) const;
  // Returns the blocks of a brick of a chunk that have no loaded chunk, and may be fertile.
  std::uint64_t missingIn(const Chunk& chunk, int brick) const;

  const World& world_;
  const AnchorFollower& anchor_;
  const ChunkReach& reach_;
  const std::function<bool(BlockTypeId)>& is_fertile_;
};

}  // namespace fractalray::internal
