// SPDX-License-Identifier: Apache-2.0
// Reads the engine's ids again where it has written to them.
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "internal/chunk_boxes.h"
#include "internal/world_content.h"
#include "internal/world_edit.h"
#include "world.h"

namespace fractalray {

using internal::ChunkAt;
using internal::forEachChunkOf;
using internal::indexText;
using internal::OwnChunk;
using internal::WorldEdit;

absl::Status World::checkRefreshable(int level, const ChunkAt& found) {
  if (found.chunk->isBorrowed()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "chunk ", indexText(found.at), " of level ", level,
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
    const absl::StatusOr<ChunkAt> found = loadedAt(level, at);
    status = found.ok() ? checkRefreshable(level, *found) : found.status();
    return status.ok();
  });
  if (!status.ok()) return status;
  WorldEdit edit(*content_, frame_, level);
  forEachChunkOf(min, max, [&](const ChunkCoord& at) {
    const Chunk::Box box = Chunk::Box::part(at, min, max);
    if (box.isWhole()) edit.listBorrowed(at);
    const OwnChunk own = edit.own(at);
    Chunk content = *own.chunk;
    status = content.refresh(box, *block_types_);
    if (!status.ok()) status = withChunk(level, at, "refreshed", status);
    if (status.ok()) edit.prepare(own, std::move(content));
    return status.ok();
  });
  if (status.ok()) edit.commit({{min, max}});
  return status;
}

template <class Blocks>
absl::Status World::refreshIn(int level, const ChunkCoord& at, const BlockCoord& min,
                              const BlockCoord& max, const Blocks& blocks) {
  const absl::StatusOr<ChunkAt> found = loadedAt(level, at);
  if (!found.ok()) return found.status();
  absl::Status status = checkRefreshable(level, *found);
  if (!status.ok()) return status;
  WorldEdit edit(*content_, frame_, level);
  const internal::BlockBox all = internal::blocksOf(at);
  if (min == all.min && max == all.max) edit.listBorrowed(at);
  const OwnChunk own = edit.own(*found);
  status = own.chunk->refresh(blocks, *block_types_);
  if (!status.ok()) return withChunk(level, at, "refreshed", status);
  edit.commit(own, {min, max});
  return status;
}

}  // namespace fractalray
