// SPDX-License-Identifier: Apache-2.0
#include "stream_edits.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../core/check.h"
#include "../../core/internal/access.h"
#include "../../core/internal/containers/vector_capacity.h"
#include "../../levels/internal/world_edit.h"

namespace fractalray::internal {

namespace {

using Ids = std::array<BlockTypeId, kBlocksPerChunk>;

Ids idsOf(const Chunk& chunk) {
  Ids ids;
  for (int index = 0; index < kBlocksPerChunk; ++index)
    ids[static_cast<std::size_t>(index)] = chunk.block(index);
  return ids;
}

// Returns INVALID_ARGUMENT if the engine's ids of a chunk, which would read as air, have no type.
absl::Status checkBlocks(const Chunk& chunk, const BlockTypeTable& types) {
  absl::Status status;
  for (int index = 0; index < kBlocksPerChunk && chunk.isBorrowed() && status.ok(); ++index)
    status = chunk.checkBlock(index, types);
  return status;
}

std::vector<OriginalBlock>::iterator findOriginal(std::vector<OriginalBlock>& originals,
                                                  int block) {
  return std::lower_bound(originals.begin(), originals.end(), block,
                          [](const OriginalBlock& a, int b) { return a.block < b; });
}

// Returns true if a chunk, or one that contains it, is in a sorted list.
bool isInAnyOf(const std::vector<ChunkOfLevel>& chunks, ChunkOfLevel chunk) {
  while (chunk.level >= chunks.front().level) {
    if (std::binary_search(chunks.begin(), chunks.end(), chunk)) return true;
    chunk = {chunk.level - 1, chunkOf(parentBlock(chunk.chunk))};
  }
  return false;
}

}  // namespace

// Edits of the world, which the destructor takes back unless they are kept.
class StreamEdits::BlockEdits {
 public:
  explicit BlockEdits(World& world) : world_(world) {}
  // Does not allocate.
  ~BlockEdits() {
    for (auto& [record, edited] : chunks_) {
      if (!edited.is_changed) continue;
      const auto [level, at] = record->at();
      restoreChunk(Access::editContent(world_), world_.frame(), level, at,
                   std::move(edited.before));
    }
  }
  BlockEdits(const BlockEdits&) = delete;
  BlockEdits& operator=(const BlockEdits&) = delete;

  // Sets a block to a type, or to its original one. Requires: the record's chunk is loaded.
  absl::Status set(StreamRecord& record, int block, std::optional<BlockTypeId> type) {
    EditedChunk& edited = find(record);
    std::vector<OriginalBlock>& originals = edited.originals;
    const auto original = findOriginal(originals, block);
    const bool has_original = original != originals.end() && original->block == block;
    if (!type.has_value() && !has_original) return absl::OkStatus();
    const auto [level, chunk] = record.at();
    if (absl::Status status = endBorrowing(level, chunk, edited); !status.ok()) return status;
    const BlockTypeId before = world_.chunk(level, chunk)->block(block);
    const BlockTypeId after = type.has_value() ? *type : original->type;
    if (!type.has_value()) {
      originals.erase(original);
    } else if (!has_original) {
      originals.insert(original, {block, before});
    }
    if (before == after) return absl::OkStatus();
    ensureCapacity(blocks_, blocks_.size() + 1);
    const BlockCoord at = blockOf(chunk, block);
    absl::Status status = world_.setBlock(level, at, after);
    if (!status.ok()) return status;
    edited.is_changed = true;
    blocks_.push_back({level + 1, childChunk(at)});
    return status;
  }

  // Calls `visit(record)` for each record whose chunk was edited.
  template <class Visit>
  void keep(const Visit& visit) noexcept {
    for (auto& [record, edited] : chunks_) {
      record->originals = std::move(edited.originals);
      visit(*record);
    }
    chunks_.clear();
  }
  // Returns the chunks that the changed blocks expand into.
  const std::vector<ChunkOfLevel>& blocks() const { return blocks_; }

 private:
  struct EditedChunk {
    Chunk before;
    std::vector<OriginalBlock> originals;  // as they become
    bool is_changed = false;
  };

  EditedChunk& find(StreamRecord& record) {
    if (const auto it = chunks_.find(&record); it != chunks_.end()) return it->second;
    const auto [level, at] = record.at();
    EditedChunk edited{.before = *world_.chunk(level, at), .originals = record.originals};
    return chunks_.emplace(&record, std::move(edited)).first->second;
  }
  // Makes the ids the chunk's own, so that the source's are not written.
  absl::Status endBorrowing(int level, const ChunkCoord& at, EditedChunk& edited) {
    const Chunk& chunk = *world_.chunk(level, at);
    if (!chunk.isBorrowed()) return absl::OkStatus();
    absl::Status known = checkBlocks(chunk, world_.blockTypes());
    if (!known.ok()) return known;
    absl::StatusOr<Chunk> own = Chunk::copied(idsOf(chunk), world_.blockTypes());
    if (!own.ok()) return own.status();
    absl::Status status = world_.loadChunk(level, at, *std::move(own));
    edited.is_changed = edited.is_changed || status.ok();
    return status;
  }

  World& world_;
  // A table of Abseil's would be left broken if memory runs out.
  std::unordered_map<StreamRecord*, EditedChunk> chunks_;
  std::vector<ChunkOfLevel> blocks_;
};

std::vector<ChunkOfLevel> StreamEdits::barrenIn(const ChunkOfLevel& at,
                                                const ChangedChunk& changed) {
  std::vector<ChunkOfLevel> barren;
  for (const OriginalBlock& original : changed.originals) {
    const ChunkOfLevel block{at.level + 1, childChunk(blockOf(at.chunk, original.block))};
    if (hasRecord(block) && !ledger_.missing().isFertile(changed.chunk, original.block)) {
      barren.push_back(block);
    }
  }
  prepareMarks(barren);
  return barren;
}

std::vector<ChunkOfLevel> StreamEdits::barrenOf(const std::vector<ChunkOfLevel>& blocks) {
  std::vector<ChunkOfLevel> barren;
  for (const ChunkOfLevel& block : blocks) {
    if (hasRecord(block) && ledger_.missing().isInBarrenBlock(block)) barren.push_back(block);
  }
  prepareMarks(barren);
  return barren;
}

bool StreamEdits::hasRecord(const ChunkOfLevel& at) {
  return ledger_.frame().isActive(at.level) &&
         ledger_.records().find(at.level, at.chunk) != nullptr;
}

void StreamEdits::prepareMarks(std::vector<ChunkOfLevel>& barren) {
  if (barren.empty()) return;
  std::sort(barren.begin(), barren.end());
  std::size_t records = 0;
  for (int level = 0; level < ledger_.frame().levels(); ++level)
    records += ledger_.records().size(level);
  ledger_.marked().reserve(records);
}

void StreamEdits::markIn(const std::vector<ChunkOfLevel>& barren) noexcept {
  if (barren.empty()) return;
  for (int level = barren.front().level; level < ledger_.frame().levels(); ++level) {
    ledger_.records().forEachOf(level, [&](const ChunkCoord& chunk, StreamRecord& record) {
      if (isInAnyOf(barren, {level, chunk})) ledger_.marked().add(record);
    });
  }
}

absl::StatusOr<ChangedChunk> StreamEdits::withChanges(const StreamRecord& record,
                                                      const Chunk& supplied) const {
  if (changes_ == nullptr) return ChangedChunk{supplied, {}};
  const absl::StatusOr<std::vector<ChangedBlock>> changes =
      changes_->changesOf(record.pending->path());
  if (!changes.ok()) return changes.status();
  if (changes->empty()) return ChangedChunk{supplied, {}};
  const BlockTypeTable& types = ledger_.world().blockTypes();
  absl::Status known = checkBlocks(supplied, types);
  if (!known.ok()) return known;
  Ids ids = idsOf(supplied);
  ChangedChunk changed;
  changed.originals.reserve(changes->size());
  for (const ChangedBlock& change : *changes) {
    FRACTALRAY_CHECK(change.block >= 0 && change.block < kBlocksPerChunk, change.block);
    BlockTypeId& id = ids[static_cast<std::size_t>(change.block)];
    // The block may be reverted to it.
    if (!types.contains(id)) return Chunk::copied(idsOf(supplied), types).status();
    changed.originals.push_back({change.block, id});
    id = change.type;
  }
  absl::StatusOr<Chunk> chunk = Chunk::copied(ids, types);
  if (!chunk.ok()) return chunk.status();
  changed.chunk = *std::move(chunk);
  return changed;
}

absl::StatusOr<StreamRecord*> StreamEdits::findLoaded(const ChunkPath& path) {
  const auto at = FrameShift(ledger_.frame(), path, *ledger_.anchor()).chunkAfter(0, {0, 0, 0});
  if (!at.has_value() || ledger_.world().chunk(at->level, at->chunk) == nullptr) {
    return static_cast<StreamRecord*>(nullptr);
  }
  StreamRecord* const record = ledger_.records().find(at->level, at->chunk);
  if (record != nullptr && record->progress == StreamProgress::kLoaded) return record;
  return absl::FailedPreconditionError(
      absl::StrCat("chunk [", at->chunk[0], ", ", at->chunk[1], ", ", at->chunk[2], "] of level ",
                   at->level, " was not loaded by this streamer; edit it with World::setBlock"));
}

absl::Status StreamEdits::edit(std::span<const BlockChange> changes, BlockEdits& edits) {
  const ChunkPath* path = nullptr;
  absl::StatusOr<StreamRecord*> record = nullptr;
  for (const BlockChange& change : changes) {
    if (path == nullptr || *path != change.chunk) record = findLoaded(change.chunk);
    path = &change.chunk;
    // In a chunk of the engine there is nothing to revert but what is recorded.
    if (!record.ok() && change.type.has_value()) return record.status();
    if (!record.ok() || *record == nullptr) continue;
    absl::Status status = edits.set(**record, change.block, change.type);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status StreamEdits::setBlocks(std::span<const BlockChange> changes, bool is_ticking) {
  if (changes_ == nullptr) {
    return absl::FailedPreconditionError(
        "this streamer has no changes to record; give ChunkStreamer::create a ChunkChanges, such "
        "as "
        "a ChangeStore");
  }
  if (is_ticking) {
    return absl::FailedPreconditionError(
        "blocks were set by the source, within a tick; set them between ticks");
  }
  for (const BlockChange& change : changes) {
    absl::Status status = checkBlockChange(change, ledger_.world().blockTypes());
    if (!status.ok()) return status;
  }
  if (changes.empty()) return absl::OkStatus();
  ledger_.followWindow();
  const LevelMask agreeing = ledger_.agreeingLevels();
  BlockEdits edits(ledger_.world());
  absl::Status status = edit(changes, edits);
  if (!status.ok()) return status;
  const std::vector<ChunkOfLevel> barren = barrenOf(edits.blocks());
  for (const auto& [level, chunk] : edits.blocks()) {
    if (ledger_.frame().isActive(level))
      ledger_.addMissing(level, chunk);  // if its block is fertile now
  }
  if (status = changes_->record(changes); !status.ok()) return status;
  edits.keep([this](StreamRecord& record) { ledger_.countBytes(record); });
  markIn(barren);
  ledger_.acknowledgeEdits(agreeing);
  return status;
}

absl::StatusOr<BlockChange> StreamEdits::changeOf(int level, const BlockCoord& block,
                                                  std::optional<BlockTypeId> type,
                                                  std::optional<std::int64_t> reverts_at) const {
  absl::StatusOr<ChunkPath> path = ledger_.window().path(level, chunkOf(block));
  if (!path.ok()) return path.status();
  return BlockChange{*std::move(path), indexInChunk(block), type, reverts_at};
}

absl::StatusOr<std::size_t> StreamEdits::revertChanges(std::int64_t now, std::size_t limit,
                                                       bool is_ticking) {
  if (changes_ == nullptr) return std::size_t{0};
  if (limit == 0) {
    return absl::InvalidArgumentError("the limit is 0; it must be at least 1 change");
  }
  const absl::StatusOr<std::vector<BlockChange>> due = changes_->due(now, limit);
  if (!due.ok()) return due.status();
  absl::Status status = setBlocks(*due, is_ticking);
  if (!status.ok()) return status;
  return due->size();
}

}  // namespace fractalray::internal
