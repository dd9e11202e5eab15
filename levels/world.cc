// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "../core/printable.h"
#include "internal/chunk_boxes.h"
#include "internal/world_content.h"
#include "internal/world_edit.h"

namespace fractalray {

using internal::ChunkAt;
using internal::forEachChunkOf;
using internal::indexText;
using internal::Level;
using internal::OwnChunk;
using internal::WorldEdit;

World::World(const WorldOptions& options)
    : frame_(options.levels),
      block_types_(options.block_types != nullptr ? options.block_types
                                                  : std::make_shared<BlockTypeTable>()),
      content_(std::make_unique<internal::WorldContent>()) {
  content_->levels.resize(static_cast<std::size_t>(options.levels));
  for (internal::CowPtr<Level>& level : content_->levels)
    level = internal::CowPtr<Level>::make();
  content_->level_versions.resize(content_->levels.size());
}

World::World(const World& live, std::shared_ptr<BlockTypeTable> types)
    : frame_(live.frame_),
      block_types_(std::move(types)),
      content_(std::make_unique<internal::WorldContent>()) {
  content_->levels = live.content_->levels;
  content_->version = live.content_->version;
  content_->last_move = live.content_->last_move;
}

World::~World() = default;
World::World(World&& other) noexcept
    : frame_(internal::LazyReader::readAllBeforeMove(other).frame_),
      block_types_(std::move(other.block_types_)),
      content_(std::move(other.content_)) {}
World& World::operator=(World&& other) noexcept {
  frame_ = internal::LazyReader::readAllBeforeMove(other).frame_;
  block_types_ = std::move(other.block_types_);
  content_ = std::move(other.content_);
  return *this;
}

std::shared_ptr<const World> World::snapshot() {
  for (const auto& [level, at] : content_->borrowed) {
    const ChunkAt found = content_->level(level).at(at);
    if (found.chunk == nullptr || !found.chunk->readsEngine()) continue;
    content_->levels[static_cast<std::size_t>(level)].edit().own(found).chunk->copyBorrowed();
  }
  if (content_->types_of_snapshots == nullptr ||
      content_->types_of_snapshots->size() != block_types_->size() ||
      content_->types_of_snapshots->channels() != block_types_->channels()) {
    content_->types_of_snapshots = std::make_shared<BlockTypeTable>(*block_types_);
  }
  std::shared_ptr<const World> snapshot(new World(*this, content_->types_of_snapshots));
  content_->borrowed.clear();
  return snapshot;
}

LevelMask World::finestLevels(int count) const {
  const int levels = std::clamp(count, 0, frame_.levels());
  return LevelMask::range(frame_.levels() - levels, frame_.levels() - 1);
}

LevelMask World::coarsestLevels(int count) const {
  return LevelMask::range(0, std::clamp(count, 0, frame_.levels()) - 1);
}

const Chunk* World::chunk(int level, const ChunkCoord& at) const {
  return frame_.isActive(level) ? content_->level(level).find(at) : nullptr;
}

ChunkState World::chunkState(int level, const ChunkCoord& at) const {
  return frame_.isActive(level) ? content_->level(level).state(at) : ChunkState::kAbsent;
}

std::size_t World::loadedChunks(int level) const {
  return content_->level(level).loadedChunks();
}

std::size_t World::protoChunks(int level) const {
  return content_->level(level).protoChunks();
}

std::optional<ChunkBox> World::loadedBox(int level) const {
  const internal::ChunkBounds& bounds = content_->level(level).bounds();
  if (bounds.empty()) return std::nullopt;
  return ChunkBox{bounds.min(), bounds.max()};
}

void World::forEachLoaded(int level,
                          absl::FunctionRef<void(const ChunkCoord&, const Chunk&)> visit) const {
  content_->level(level).forEachLoaded(visit);
}

std::uint64_t World::version() const {
  return content_->version.number();
}

absl::Status World::checkLevel(int level) const {
  if (frame_.isActive(level)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "level ", level, " is not active; this world has levels 0 to ", frame_.levels() - 1));
}

absl::Status World::checkIndex(int level, const ChunkCoord& at) const {
  if (absl::Status status = checkLevel(level); !status.ok()) return status;
  if (!frame_.contains(level, at)) {
    const std::int64_t limit = kMaxCoordinate >> frame_.chunkShift(level);
    return absl::OutOfRangeError(absl::StrCat("chunk ", indexText(at), " of level ", level,
                                              " is outside of the frame; its indices run from ",
                                              -limit, " to ", limit - 1));
  }
  return absl::OkStatus();
}

absl::Status World::checkType(BlockTypeId type) const {
  if (block_types_->contains(type)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("block type ", BlockTypeTable::index(type),
                                                 " is not in the table, which ends at ",
                                                 block_types_->size() - 1));
}

absl::StatusOr<ChunkAt> World::loadedAt(int level, const ChunkCoord& at) const {
  absl::Status status = checkIndex(level, at);
  if (!status.ok()) return status;
  const ChunkAt found = content_->level(level).at(at);
  if (found.chunk != nullptr) return found;
  return absl::NotFoundError(
      absl::StrCat("chunk ", indexText(at), " of level ", level, " is not loaded; load it first"));
}

absl::Status World::withChunk(int level, const ChunkCoord& at, std::string_view what,
                              const absl::Status& status) {
  return {status.code(), absl::StrCat("chunk ", indexText(at), " of level ", level, " is not ",
                                      std::string(what), ": ", std::string(status.message()))};
}

absl::Status World::checkEditable(int level, const ChunkAt& found, BlockTypeId type) const {
  const Chunk& chunk = *found.chunk;
  if (chunk.isBorrowed() && !chunk.isBorrowedForWriting()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "chunk ", indexText(found.at), " of level ", level,
        " borrows its ids to read them: write to them and refresh the block, or load the chunk "
        "again, borrowed for writing or copied"));
  }
  if (chunk.canWrite(type)) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "chunk ", indexText(found.at), " of level ", level,
      " borrows ids of which none stands for block type ", BlockTypeTable::index(type), " (",
      quotedText(block_types_->name(type)),
      "): add one to the table of its IdLayout, or write the engine's id and refresh the block"));
}

absl::StatusOr<BlockTypeId> World::block(int level, const BlockCoord& at) const {
  const absl::StatusOr<ChunkAt> found = loadedAt(level, chunkOf(at));
  if (!found.ok()) return found.status();
  return found->chunk->block(indexInChunk(at));
}

absl::StatusOr<BlockTypeId> World::knownBlock(const ChunkAt& found, int index) const {
  const BlockTypeId type = found.chunk->block(index);
  absl::Status status = checkType(type);
  if (status.ok()) status = found.chunk->checkBlock(index, *block_types_);
  if (!status.ok()) return status;
  return type;
}

absl::Status World::setBlock(int level, const BlockCoord& at, BlockTypeId type) {
  const absl::StatusOr<ChunkAt> found = loadedAt(level, chunkOf(at));
  if (!found.ok()) return found.status();
  absl::Status status = checkType(type);
  if (!status.ok() || found->chunk->isUpToDate(indexInChunk(at), type, *block_types_)) {
    return status;
  }
  status = checkEditable(level, *found, type);
  if (!status.ok()) return status;
  WorldEdit edit(*content_, frame_, level);
  const OwnChunk changed = edit.own(*found);
  changed.chunk->setBlock(indexInChunk(at), type, *block_types_);
  edit.commit(changed, {at, at});
  return status;
}

absl::Status World::checkMovable(int level, const ChunkAt& found, const BlockCoord& at,
                                 BlockTypeId type) const {
  absl::Status status = checkEditable(level, found, type);
  if (!status.ok() || !found.chunk->hasLoadedChild(indexInChunk(at))) return status;
  return absl::FailedPreconditionError(absl::StrCat(
      "block ", indexText(at), " of level ", level, " is expanded: its chunk of level ", level + 1,
      " is loaded and would stay where it is; unload that first"));
}

absl::Status World::moveBlock(int level, const BlockCoord& from, const BlockCoord& to) {
  const absl::StatusOr<ChunkAt> left = loadedAt(level, chunkOf(from));
  if (!left.ok()) return left.status();
  absl::Status status = checkMovable(level, *left, from, kAir);
  if (!status.ok()) return status;
  const absl::StatusOr<BlockTypeId> type = knownBlock(*left, indexInChunk(from));
  if (!type.ok()) return type.status();
  const absl::StatusOr<ChunkAt> entered = loadedAt(level, chunkOf(to));
  if (!entered.ok()) return entered.status();
  status = checkMovable(level, *entered, to, *type);
  if (!status.ok() || from == to) return status;
  WorldEdit edit(*content_, frame_, level);
  const auto prepare = [&](const BlockCoord& at, BlockTypeId becomes) {
    edit.prepareFill(edit.own(chunkOf(at)), Chunk::Box::of(indexInChunk(at)), becomes,
                     *block_types_);
  };
  prepare(from, kAir);
  prepare(to, *type);
  edit.commit({{from, from}, {to, to}});
  return status;
}

absl::Status World::fillBox(int level, const BlockCoord& min, const BlockCoord& max,
                            BlockTypeId type) {
  absl::Status status = checkType(type);
  if (!status.ok()) return status;
  if (status = internal::checkOrdered(min, max); !status.ok()) return status;
  // Ends at the first chunk that is missing, so however large the box, no later than the loaded
  // ones do.
  forEachChunkOf(min, max, [&](const ChunkCoord& at) {
    const absl::StatusOr<ChunkAt> found = loadedAt(level, at);
    status = found.ok() ? checkEditable(level, *found, type) : found.status();
    return status.ok();
  });
  if (!status.ok()) return status;
  WorldEdit edit(*content_, frame_, level);
  forEachChunkOf(min, max, [&](const ChunkCoord& at) {
    edit.prepareFill(edit.own(at), Chunk::Box::part(at, min, max), type, *block_types_);
    return true;
  });
  edit.commit({{min, max}});
  return status;
}

}  // namespace fractalray
