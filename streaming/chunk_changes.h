// SPDX-License-Identifier: Apache-2.0
// Changes on top of what a source supplies, by chunk path and block: the interface of their store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../levels/block_type.h"
#include "../levels/chunk_path.h"

namespace fractalray {

// A block that differs from what the source supplies.
struct BlockChange {
  ChunkPath chunk;  // from the root; any chunk, on any level, inside the frame or not
  int block = 0;    // the index in the chunk (indexInChunk): x + 16 y + 256 z, from 0 to 4095
  std::optional<BlockTypeId> type{};         // nothing for the type that the source supplies
  std::optional<std::int64_t> reverts_at{};  // in the engine's time; nothing to stay for ever

  friend bool operator==(const BlockChange&, const BlockChange&) = default;
};

// A change within a chunk that is known.
struct ChangedBlock {
  int block = 0;
  BlockTypeId type = kAir;
  std::optional<std::int64_t> reverts_at{};

  friend bool operator==(const ChangedBlock&, const ChangedBlock&) = default;
};

// Keeps the last change of each block. ChangeStore (formats/change_store.h) keeps them in a file;
// an engine with a database of its own implements these three. A ChunkStreamer calls them on the
// thread that edits, in the middle of an edit: they neither change the world nor take a snapshot.
class ChunkChanges {
 public:
  virtual ~ChunkChanges() = default;

  // Returns the changes of a chunk, each block once, in the order of their indices.
  virtual absl::StatusOr<std::vector<ChangedBlock>> changesOf(const ChunkPath& chunk) = 0;
  // Records changes, all or none. Each replaces the earlier one of its block, also one in the same
  // call; one without a type removes it. Requires: each passes checkBlockChange().
  virtual absl::Status record(std::span<const BlockChange> changes) = 0;
  // Returns the BlockChanges by which record() reverts the changes whose time is at or before
  // `now`: one for each, with its chunk and block and without a type. Returns at most `limit` of
  // them, perhaps fewer than there are, but at least one if there are any and the limit is not 0.
  // Does not revert anything itself.
  virtual absl::StatusOr<std::vector<BlockChange>> due(std::int64_t now, std::size_t limit) = 0;
};

// Checks a change: INVALID_ARGUMENT for a block outside of its chunk, a type that is not in the
// table, and a time to revert without a type.
absl::Status checkBlockChange(const BlockChange& change, const BlockTypeTable& types);

}  // namespace fractalray
