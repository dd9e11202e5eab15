// SPDX-License-Identifier: Apache-2.0
// The changes of a streamer: they are applied to the chunks that it loads, and made in the world
// and in ChunkChanges together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../core/vec.h"
#include "../../levels/chunk.h"
#include "../chunk_changes.h"
#include "stream_ledger.h"
#include "stream_record.h"

namespace fractalray::internal {

// A chunk with its changes, and what the source had supplied for the changed blocks.
struct ChangedChunk {
  Chunk chunk;
  std::vector<OriginalBlock> originals;
};

class StreamEdits {
 public:
  // `changes` is null if there are none. The arguments must outlive it.
  StreamEdits(StreamLedger& ledger, ChunkChanges* changes) : ledger_(ledger), changes_(changes) {}

  // `is_ticking`: called by the source, which is an error.
  absl::Status setBlocks(std::span<const BlockChange> changes, bool is_ticking);
  absl::StatusOr<BlockChange> changeOf(int level, const BlockCoord& block,
                                       std::optional<BlockTypeId> type,
                                       std::optional<std::int64_t> reverts_at) const;
  absl::StatusOr<std::size_t> revertChanges(std::int64_t now, std::size_t limit, bool is_ticking);

  // Returns what the source has supplied, with the changes of that chunk.
  absl::StatusOr<ChangedChunk> withChanges(const StreamRecord& record, const Chunk& supplied) const;
  // Returns those of the chunks, into which changed blocks of a chunk that is about to be loaded
  // expand, that have a record, and whose blocks are not fertile: prepared for markIn().
  std::vector<ChunkOfLevel> barrenIn(const ChunkOfLevel& at, const ChangedChunk& changed);
  // Marks the records of such chunks, and of all finer ones in them. Cost: a search for each record
  // of their levels and the finer ones.
  void markIn(const std::vector<ChunkOfLevel>& barren) noexcept;

 private:
  class BlockEdits;

  // Makes the changes of loaded chunks in the world.
  absl::Status edit(std::span<const BlockChange> changes, BlockEdits& edits);
  // Does the same as barrenIn() for the chunks into which changed blocks expand.
  std::vector<ChunkOfLevel> barrenOf(const std::vector<ChunkOfLevel>& blocks);
  bool hasRecord(const ChunkOfLevel& at);
  // Sorts such chunks, and reserves space to mark all records in them.
  void prepareMarks(std::vector<ChunkOfLevel>& barren);
  // Returns the record of the chunk with that path, if it is loaded, else null.
  // FAILED_PRECONDITION if the engine itself has loaded it.
  absl::StatusOr<StreamRecord*> findLoaded(const ChunkPath& path);

  StreamLedger& ledger_;
  ChunkChanges* changes_;
};

}  // namespace fractalray::internal
