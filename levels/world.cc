// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "../core/printable.h"
#include "internal/chunk_boxes.h"
#include "internal/world_content.h"

namespace fractalray {

using internal::forEachChunkOf;
using internal::indexText;
using internal::Level;

struct World::Fill {
  ChunkCoord at;
  Chunk* chunk = nullptr;
  Chunk::Box box;
  Chunk content;
};

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
    const Chunk* const borrowed = chunk(level, at);
    if (borrowed != nullptr && borrowed->readsEngine()) levelAt(level).edit(at)->copyBorrowed();
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

Level& World::levelAt(int level) {
  return content_->levels[static_cast<std::size_t>(level)].edit();
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

absl::Status World::checkLoaded(int level, const ChunkCoord& at) const {
  absl::Status status = checkIndex(level, at);
  if (!status.ok()) return status;
  if (chunk(level, at) != nullptr) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat("chunk ", indexText(at), " of level ", level,
                                          " is not loaded; load it first (World::loadChunk)"));
}

absl::Status World::withChunk(int level, const ChunkCoord& at, std::string_view what,
                              const absl::Status& status) {
  return {status.code(), absl::StrCat("chunk ", indexText(at), " of level ", level, " is not ",
                                      std::string(what), ": ", std::string(status.message()))};
}

absl::Status World::checkEditable(int level, const ChunkCoord& at, BlockTypeId type) const {
  absl::Status status = checkLoaded(level, at);
  if (!status.ok()) return status;
  const Chunk& chunk = *this->chunk(level, at);
  if (chunk.isBorrowed() && !chunk.isBorrowedForWriting()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "chunk ", indexText(at), " of level ", level,
        " borrows its ids to read them: write to them and refresh the block, or load the chunk "
        "again, borrowed for writing or copied"));
  }
  if (chunk.canWrite(type)) return status;
  return absl::FailedPreconditionError(absl::StrCat(
      "chunk ", indexText(at), " of level ", level,
      " borrows ids of which none stands for block type ", BlockTypeTable::index(type), " (",
      quotedText(block_types_->name(type)),
      "): add one to the table of its IdLayout, or write the engine's id and refresh the block"));
}

absl::StatusOr<BlockTypeId> World::block(int level, const BlockCoord& at) const {
  absl::Status status = checkLoaded(level, chunkOf(at));
  if (!status.ok()) return status;
  return chunk(level, chunkOf(at))->block(indexInChunk(at));
}

absl::StatusOr<BlockTypeId> World::knownBlock(int level, const BlockCoord& at) const {
  absl::StatusOr<BlockTypeId> type = block(level, at);
  absl::Status status = type.status();
  if (status.ok()) status = checkType(*type);
  if (status.ok()) status = chunk(level, chunkOf(at))->checkBlock(indexInChunk(at), *block_types_);
  if (!status.ok()) return status;
  return type;
}

absl::Status World::setBlock(int level, const BlockCoord& at, BlockTypeId type) {
  absl::Status status = checkLoaded(level, chunkOf(at));
  if (status.ok()) status = checkType(type);
  if (!status.ok() ||
      chunk(level, chunkOf(at))->isUpToDate(indexInChunk(at), type, *block_types_)) {
    return status;
  }
  status = checkEditable(level, chunkOf(at), type);
  if (!status.ok()) return status;
  content_->edits.beginEdit();
  Level& changed = levelAt(level);
  changed.edit(chunkOf(at))->setBlock(indexInChunk(at), type, *block_types_);
  changed.refreshMasks(chunkOf(at));
  noteBlocks(level, at, at);
  return status;
}

void World::restoreChunk(int level, const ChunkCoord& at, Chunk before) noexcept {
  FRACTALRAY_DCHECK(chunk(level, at) != nullptr, level, at[0], at[1], at[2]);
  // The edits before have made all parts the world's own.
  Level& changed = levelAt(level);
  *changed.edit(at) = std::move(before);
  changed.refreshMasks(at);
  noteChunk(level, at);
}

absl::Status World::checkMovable(int level, const BlockCoord& at, BlockTypeId type) const {
  absl::Status status = checkEditable(level, chunkOf(at), type);
  if (!status.ok() || !chunk(level, chunkOf(at))->hasLoadedChild(indexInChunk(at))) return status;
  return absl::FailedPreconditionError(absl::StrCat(
      "block ", indexText(at), " of level ", level, " is expanded: its chunk of level ", level + 1,
      " is loaded and would stay where it is; unload that first"));
}

absl::Status World::moveBlock(int level, const BlockCoord& from, const BlockCoord& to) {
  absl::Status status = checkMovable(level, from, kAir);
  if (!status.ok()) return status;
  const absl::StatusOr<BlockTypeId> moved = knownBlock(level, from);
  if (!moved.ok()) return moved.status();
  const BlockTypeId type = *moved;
  status = checkMovable(level, to, type);
  if (!status.ok() || from == to) return status;
  content_->edits.beginEdit();
  Fill left = prepareFill(level, chunkOf(from), from, from, kAir);
  Fill entered = prepareFill(level, chunkOf(to), to, to, type);
  // In one chunk the second builds on the first.
  if (left.chunk == entered.chunk) {
    entered.content = left.content.withBox(entered.box, type, *block_types_);
  }
  // Nothing throws any more.
  finish(level, left, kAir);
  finish(level, entered, type);
  noteBlocks(level, from, from);
  noteBlocks(level, to, to);
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
    status = checkEditable(level, at, type);
    return status.ok();
  });
  if (!status.ok()) return status;
  content_->edits.beginEdit();
  std::vector<Fill> fills;
  forEachChunkOf(min, max, [&](const ChunkCoord& at) {
    fills.push_back(prepareFill(level, at, min, max, type));
    return true;
  });
  // Nothing throws any more.
  for (Fill& fill : fills)
    finish(level, fill, type);
  noteBlocks(level, min, max);
  return status;
}

World::Fill World::prepareFill(int level, const ChunkCoord& at, const BlockCoord& min,
                               const BlockCoord& max, BlockTypeId type) {
  Fill fill;
  fill.at = at;
  fill.box = Chunk::Box::part(at, min, max);
  fill.chunk = levelAt(level).edit(at);
  fill.content = fill.chunk->withBox(fill.box, type, *block_types_);
  return fill;
}

void World::finish(int level, Fill& fill, BlockTypeId type) noexcept {
  fill.content.writeThrough(fill.box, type);
  *fill.chunk = std::move(fill.content);
  levelAt(level).refreshMasks(fill.at);
}

void World::noteBlocks(int level, const BlockCoord& min, const BlockCoord& max) {
  content_->version.advance();
  content_->level_versions[static_cast<std::size_t>(level)] = content_->version.number();
  if (!internal::EditLog::isWatched()) return;
  const std::int64_t width = frame_.blockWidth(level);
  internal::Edit edit{.level = level};
  for (int axis = 0; axis < 3; ++axis) {
    edit.min[axis] = min[axis] * width;
    edit.max[axis] = (max[axis] + 1) * width;
  }
  content_->edits.note(edit);
}

void World::noteChunk(int level, const ChunkCoord& at) {
  noteBlocks(level, blockOf(at, 0), blockOf(at, kBlocksPerChunk - 1));
}

}  // namespace fractalray
