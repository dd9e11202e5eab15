// SPDX-License-Identifier: Apache-2.0
// The coarser levels of a map in a store, chunk by chunk: as summarizeCoarserLevels() would make
// them of the whole map.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../core/vec.h"
#include "../../formats/level_summary.h"
#include "../../levels/world.h"
#include "cached_chunks.h"
#include "load_limit.h"
#include "map_chunks.h"
#include "mapblock_reader.h"

namespace fractalray {

// Loads coarse chunks into a cache. An outline takes one mapblock that the chunk contains, a whole
// chunk all of them: 4096 on level 2, and as many of those on level 1. The latter are summarized
// once: from then on only what changes. Not thread-safe.
class CoarseChunks {
 public:
  // All must outlive it.
  CoarseChunks(World& world, CachedChunks& cached, MapblockReader& reader, const LoadLimit& limit)
      : world_(world),
        cached_(cached),
        reader_(reader),
        limit_(limit),
        summarizer_(world.blockTypes()) {}

  // Makes a chunk of a coarser level known, in the reader's open transaction. Errors: those of the
  // reader and the limit, RESOURCE_EXHAUSTED if the table of types is full, and FAILED_PRECONDITION
  // for a type that a closed one lacks.
  absl::Status learn(const NeededChunk& needed);

  // Forgets what a change of a mapblock makes wrong. Returns false if nothing was known.
  bool forgetAround(const ChunkCoord& mapblock);
  void forgetAll();

 private:
  // The blocks of a chunk of levels 0 and 1, by index.
  struct Summary {
    std::array<BlockTypeId, kBlocksPerChunk> types{};
    std::bitset<kBlocksPerChunk> is_there;  // their chunks of the finer level exist
    std::bitset<kBlocksPerChunk> changed;   // those to summarize again
  };

  absl::Status outline(int level, const ChunkCoord& at);
  absl::Status summarize(int level, const ChunkCoord& at);
  absl::Status summarizeMapblocks(const ChunkCoord& at);
  absl::Status summarizeChunks(int level, const ChunkCoord& at);
  // Begins a summary: all that is stored of it is to be summarized.
  absl::StatusOr<Summary> beginSummary(int level, const ChunkCoord& at);
  // Counts the bytes of the summaries in the account.
  void countSummaries();
  // Returns the summary of a chunk of levels 1 and 2; nothing if it does not exist.
  absl::StatusOr<std::optional<BlockTypeId>> summaryOf(int level, const ChunkCoord& at);

  World& world_;
  CachedChunks& cached_;
  MapblockReader& reader_;
  const LoadLimit& limit_;
  ChunkSummarizer summarizer_;
  std::array<absl::flat_hash_map<ChunkCoord, Summary>, 2> summaries_;  // of levels 0 and 1
};

}  // namespace fractalray
