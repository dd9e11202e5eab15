// SPDX-License-Identifier: Apache-2.0
// Makes the coarser levels of a world out of its finest one; also chunk by chunk, of what is not in
// a world.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../levels/world.h"

namespace fractalray {

// Loads, on every level but the finest, each chunk in which anything finer is loaded, and replaces
// what was there. The blocks of those chunks summarize, channel by channel, what fills their space:
// empty where all of it is loaded and empty, solid where all of it is loaded and solid, else
// permeable, so space that is not loaded makes its surroundings permeable. The world's table gets
// the types that this needs: "coarse:empty", "coarse:solid" and "coarse:mixed" by the default
// channel, followed by the channels that differ, as in "coarse:mixed,visible=empty". If the table
// has a type of that name with other kinds, the new type's name gets as many ' appended as it
// needs.
//
// RESOURCE_EXHAUSTED if the table is full: finer levels are done, this and coarser ones unchanged.
// Cost: O(blocks of the finest level), a uniform chunk counting as one.
absl::Status summarizeCoarserLevels(World& world);

// A chunk of a level, and the block of the next coarser level that fills the same space.
struct FinerChunk {
  int block = 0;                 // its index in the coarser chunk, x + 16 y + 256 z
  const Chunk* chunk = nullptr;  // null if it is not loaded
};

// Summarizes chunks by the rules of summarizeCoarserLevels(). Adds the types that it needs to a
// table, and keeps them from one call to the next: use one for many chunks. Not thread-safe.
class ChunkSummarizer {
 public:
  // The table must outlive it, and be that of the chunks.
  explicit ChunkSummarizer(BlockTypeTable& types) : types_(types) {}

  // Returns the block that summarizes a chunk; if it is null, space that is not loaded.
  // RESOURCE_EXHAUSTED if the table is full. Cost: 4096 blocks, of a uniform chunk one.
  absl::StatusOr<BlockTypeId> summaryOf(const Chunk* chunk);
  // Returns the chunk of the coarser level whose blocks summarize finer chunks. Blocks that are not
  // given are of space that is not loaded; if one is given twice, the later counts.
  // INVALID_ARGUMENT for a block that is not 0 to 4095; RESOURCE_EXHAUSTED as above. Cost: that of
  // the finer chunks, and of 4096 blocks.
  absl::StatusOr<Chunk> summarize(std::span<const FinerChunk> finer);

 private:
  // A kind for each channel of the table.
  using ChannelKinds = std::vector<BlockKind>;

  void collectTypes(const Chunk& chunk);
  BlockKind commonKind(ChannelId channel) const;
  absl::StatusOr<BlockTypeId> typeOf(ChannelKinds kinds);

  BlockTypeTable& types_;
  std::map<ChannelKinds, BlockTypeId> coarse_types_{};
  std::vector<BlockTypeId> present_{};
  // The last chunk, by number, in which each type has been seen.
  std::vector<std::uint64_t> stamps_{};
  std::uint64_t stamp_ = 0;
};

}  // namespace fractalray
