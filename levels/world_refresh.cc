// SPDX-License-Identifier: Apache-2.0
// Reads the engine's ids again where it has written to them.
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "internal/chunk_boxes.h"
#include "internal/world_content.h"
#include "world.h"

namespace fractalray {

using internal::forEachChunkOf;
using internal::indexText;
using internal::Level;

struct World::Refresh {
  ChunkCoord at;
  Chunk* chunk = nullptr;
  Chunk content;
};

absl::Status World::checkRefreshable(int level, const ChunkCoord& at) const {
  absl::Status status = checkLoaded(level, at);
  if (!status.ok() || chunk(level, at)->isBorrowed()) return status;
  return absl::FailedPreconditionError(absl::StrCat(
      "chunk ", indexText(at), " of level ", level,
      " does not borrow its ids; load it with Chunk::borrowed or Chunk::borrowedForWriting"));
}

absl::Status World::refreshBlock(int level, const BlockCoord& at) {
  return refreshIn(level, chunkOf(at), at, at, indexInChunk(at));
}

absl::Status World::refreshChunk(int level, const ChunkCoord& at) {
  absl::Status status = checkIndex(level, at);
  if (!status.ok()) return status;
  return refreshIn(level, at, blockOf(at, 0), blockOf(at, kBlocksPerChunk - 1),
                   Chunk::Box::whole());
}

absl::Status World::refreshBox(int level, const BlockCoord& min, const BlockCoord& max) {
  absl::Status status = internal::checkOrdered(min, max);
  if (!status.ok()) return status;
  const ChunkCoord first = chunkOf(min);
  if (first == chunkOf(max))
    return refreshIn(level, first, min, max, Chunk::Box::part(first, min, max));
  // Ends at the first chunk that is missing, so however large the box, no later than the loaded
  // ones do.
  forEachChunkOf(min, max, [&](const ChunkCoord& at) {
    status = checkRefreshable(level, at);
    return status.ok();
  });
  if (!status.ok()) return status;
  content_->edits.beginEdit();
  std::vector<Refresh> parts;
  forEachChunkOf(min, max, [&](const ChunkCoord& at) {
    const Chunk::Box box = Chunk::Box::part(at, min, max);
    // A chunk that is listed in vain leaves the next snapshot nothing to copy.
    if (box.isWhole()) content_->borrowed.insert({level, at});
    Chunk* const chunk = levelAt(level).edit(at);
    parts.push_back({.at = at, .chunk = chunk, .content = *chunk});
    status = parts.back().content.refresh(box, *block_types_);
    if (!status.ok()) status = withChunk(level, at, "refreshed", status);
    return status.ok();
  });
  if (!status.ok()) return status;
  // Nothing throws any more.
  for (Refresh& part : parts) {
    *part.chunk = std::move(part.content);
    levelAt(level).refreshMasks(part.at);
  }
  noteBlocks(level, min, max);
  return status;
}

template <class Blocks>
absl::Status World::refreshIn(int level, const ChunkCoord& at, const BlockCoord& min,
                              const BlockCoord& max, const Blocks& blocks) {
  absl::Status status = checkRefreshable(level, at);
  if (!status.ok()) return status;
  content_->edits.beginEdit();
  // A chunk that is listed in vain leaves the next snapshot nothing to copy.
  if (min == blockOf(at, 0) && max == blockOf(at, kBlocksPerChunk - 1))
    content_->borrowed.insert({level, at});
  Level& changed = levelAt(level);
  status = changed.edit(at)->refresh(blocks, *block_types_);
  if (!status.ok()) return withChunk(level, at, "refreshed", status);
  changed.refreshMasks(at);
  noteBlocks(level, min, max);
  return status;
}

}  // namespace fractalray
