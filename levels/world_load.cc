// SPDX-License-Identifier: Apache-2.0
// Loads and unloads chunks of a world, one by one, several at once, and as boxes of blocks.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "internal/chunk_boxes.h"
#include "internal/unknown_type.h"
#include "internal/world_content.h"
#include "internal/world_edit.h"
#include "world.h"

namespace fractalray {

using internal::ChunkAt;
using internal::forEachChunkOf;
using internal::indexText;
using internal::WorldEdit;

namespace {

// Keeps an absurd box from running for hours: 2^32 blocks.
constexpr std::uint64_t kMaxChunksOfBox = std::uint64_t{1} << 20;

// Returns the chunks that an ordered box touches, or more than the limit if they are more.
std::uint64_t chunksOf(const BlockCoord& min, const BlockCoord& max) {
  std::uint64_t chunks = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const auto width = static_cast<std::uint64_t>(chunkOf(max)[axis]) -
                       static_cast<std::uint64_t>(chunkOf(min)[axis]) + 1;
    if (width == 0 || width > kMaxChunksOfBox) return kMaxChunksOfBox + 1;
    chunks *= width;
  }
  return chunks;
}

// Leaves of several changes at one index the last one; those that load come first, so that the
// bounds of a level never lose a slice that one of them needs.
void keepLastChanges(std::vector<ChunkChange>& changes) {
  // Sorts numbers of changes: to move chunks takes longer, and much more code.
  std::vector<std::size_t> order(changes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (changes[a].at != changes[b].at) return changes[a].at < changes[b].at;
    return a > b;  // the last one first
  });
  std::vector<ChunkChange> kept;
  kept.reserve(changes.size());
  for (const bool loads : {true, false}) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      ChunkChange& change = changes[order[i]];
      const bool is_last = i == 0 || changes[order[i - 1]].at != change.at;
      // One that has been moved still has a chunk.
      if (is_last && change.chunk.has_value() == loads) kept.push_back(std::move(change));
    }
  }
  changes = std::move(kept);
}

}  // namespace

absl::Status World::loadChunk(int level, const ChunkCoord& at, Chunk chunk) {
  absl::Status status = checkIndex(level, at);
  if (!status.ok()) return status;
  status = chunk.adopt(*block_types_);
  if (!status.ok()) return withChunk(level, at, "loaded", status);
  WorldEdit edit(*content_, frame_, level);
  edit.prepareLoad(at, std::move(chunk));
  edit.commitLoads();
  return status;
}

absl::Status World::placeProtoChunk(int level, const ChunkCoord& at) {
  absl::Status status = checkIndex(level, at);
  if (!status.ok()) return status;
  if (chunk(level, at) != nullptr) {
    return absl::AlreadyExistsError(
        absl::StrCat("chunk ", indexText(at), " of level ", level, " is loaded; unload it first"));
  }
  if (content_->level(level).state(at) == ChunkState::kProto) return status;
  WorldEdit edit(*content_, frame_, level);
  edit.putProto(at);
  edit.commit({internal::blocksOf(at)});
  return status;
}

absl::Status World::unloadChunk(int level, const ChunkCoord& at) {
  absl::Status status = checkIndex(level, at);
  if (!status.ok()) return status;
  if (content_->level(level).state(at) == ChunkState::kAbsent) {
    return absl::NotFoundError(
        absl::StrCat("chunk ", indexText(at), " of level ", level, " is not loaded"));
  }
  WorldEdit edit(*content_, frame_, level);
  edit.prepareUnload(at);
  edit.commitLoads();
  return status;
}

absl::Status World::expandBlock(int level, const BlockCoord& at) {
  const absl::StatusOr<ChunkAt> found = loadedAt(level, chunkOf(at));
  if (!found.ok()) return found.status();
  const absl::StatusOr<BlockTypeId> type = knownBlock(*found, indexInChunk(at));
  if (!type.ok()) return type.status();
  if (level + 1 == frame_.levels()) {
    return absl::InvalidArgumentError(
        absl::StrCat("level ", level, " is the finest; its blocks cannot be expanded"));
  }
  const ChunkCoord child = childChunk(at);
  if (chunk(level + 1, child) != nullptr) {
    return absl::AlreadyExistsError(
        absl::StrCat("chunk ", indexText(child), " of level ", level + 1, " is loaded already"));
  }
  WorldEdit edit(*content_, frame_, level + 1);
  edit.prepareLoad(child, Chunk::uniform(*type, *block_types_));
  edit.commitLoads();
  return absl::OkStatus();
}

absl::Status World::replaceChunks(int level, std::vector<ChunkChange> changes) {
  for (ChunkChange& change : changes) {
    absl::Status status = checkIndex(level, change.at);
    if (!status.ok()) return status;
    if (!change.chunk.has_value()) continue;
    status = change.chunk->adopt(*block_types_);
    if (!status.ok()) return withChunk(level, change.at, "loaded", status);
  }
  if (changes.empty()) return checkLevel(level);
  keepLastChanges(changes);
  std::erase_if(changes, [&](const ChunkChange& change) {
    return !change.chunk.has_value() && chunkState(level, change.at) == ChunkState::kAbsent;
  });
  if (changes.empty()) return absl::OkStatus();
  WorldEdit edit(*content_, frame_, level);
  for (ChunkChange& change : changes) {
    if (change.chunk.has_value()) {
      edit.prepareLoad(change.at, *std::move(change.chunk));
    } else {
      edit.prepareUnload(change.at);
    }
  }
  edit.commitLoads();
  return absl::OkStatus();
}

absl::Status World::loadBox(int level, const BlockCoord& min, const BlockCoord& max,
                            absl::FunctionRef<BlockTypeId(const BlockCoord&)> type) {
  absl::Status status = internal::checkOrdered(min, max);
  if (status.ok()) status = checkIndex(level, chunkOf(min));
  if (status.ok()) status = checkIndex(level, chunkOf(max));
  if (!status.ok()) return status;
  if (chunksOf(min, max) > kMaxChunksOfBox) {
    return absl::InvalidArgumentError(absl::StrCat("the box from ", indexText(min), " to ",
                                                   indexText(max), " lies in more than ",
                                                   kMaxChunksOfBox, " chunks; load it in parts"));
  }
  [[maybe_unused]] const std::uint64_t before = version();
  std::vector<ChunkChange> changes;
  forEachChunkOf(min, max, [&](const ChunkCoord& at) {
    absl::StatusOr<Chunk> loaded = withLoaded(level, at, min, max, type);
    status = loaded.status();
    if (status.ok()) changes.push_back({.at = at, .chunk = *std::move(loaded)});
    return status.ok();
  });
  if (!status.ok()) return status;
  FRACTALRAY_DCHECK(version() == before, version(), before);
  return replaceChunks(level, std::move(changes));
}

absl::StatusOr<Chunk> World::withLoaded(
    int level, const ChunkCoord& at, const BlockCoord& min, const BlockCoord& max,
    absl::FunctionRef<BlockTypeId(const BlockCoord&)> type) const {
  const Chunk::Box box = Chunk::Box::part(at, min, max);
  const Chunk* const before = box.isWhole() ? nullptr : chunk(level, at);
  if (before != nullptr && before->isBorrowed()) {
    return absl::FailedPreconditionError(
        absl::StrCat("chunk ", indexText(at), " of level ", level,
                     " borrows its ids and is loaded in part only: write to them and call "
                     "refreshBox, or load the whole chunk"));
  }
  std::array<BlockTypeId, kBlocksPerChunk> ids{};
  if (before != nullptr) {
    for (int index = 0; index < kBlocksPerChunk; ++index)
      ids[static_cast<std::size_t>(index)] = before->block(index);
  }
  int unknown = -1;
  box.forEach([&](int index) {
    if (unknown >= 0) return;
    const BlockTypeId asked = type(blockOf(at, index));
    if (!block_types_->contains(asked)) unknown = index;
    ids[static_cast<std::size_t>(index)] = asked;
  });
  if (unknown >= 0) {
    return internal::unknownTypeError(
        absl::StrCat("block ", indexText(blockOf(at, unknown)), " of level ", level),
        BlockTypeTable::index(ids[static_cast<std::size_t>(unknown)]), *block_types_);
  }
  return Chunk::copied(ids, *block_types_);
}

}  // namespace fractalray
