// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

#include "internal/world_content.h"

namespace fractalray {

using internal::Level;

namespace {

template <class Coord>
std::string indexText(const Coord& at) {
  return absl::StrCat("[", at[0], ", ", at[1], ", ", at[2], "]");
}

}  // namespace

struct World::ParentEdit {
  Chunk* chunk = nullptr;  // null if nothing changes
  internal::CowPtr<Chunk::Children> children;

  void apply() noexcept {
    if (chunk != nullptr) chunk->children_ = std::move(children);
  }
};

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
}

World::World(const World& live, std::shared_ptr<BlockTypeTable> types)
    : frame_(live.frame_),
      block_types_(std::move(types)),
      content_(new internal::WorldContent{.levels = live.content_->levels,
                                          .version = live.content_->version,
                                          .last_move = live.content_->last_move}) {}

World::~World() = default;
World::World(World&& other) noexcept = default;
World& World::operator=(World&& other) noexcept {
  internal::LazyReader::readAllOfThread();
  frame_ = other.frame_;
  block_types_ = std::move(other.block_types_);
  // Keeps the log, which a batch may be watching, and gives it the other content.
  if (content_ == nullptr) {
    content_ = std::move(other.content_);
  } else {
    *content_ = std::move(*other.content_);
  }
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

LevelMask World::finest(int count) const {
  return LevelMask::range(std::max(0, frame_.levels() - count), frame_.levels() - 1);
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

absl::Status World::checkIndex(int level, const ChunkCoord& at) const {
  if (!frame_.isActive(level)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "level ", level, " is not active; this world has levels 0 to ", frame_.levels() - 1));
  }
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
  return absl::NotFoundError(
      absl::StrCat("chunk ", indexText(at), " of level ", level, " is not loaded"));
}

absl::Status World::checkEditable(int level, const ChunkCoord& at) const {
  absl::Status status = checkLoaded(level, at);
  if (!status.ok()) return status;
  const Chunk& chunk = *this->chunk(level, at);
  if (!chunk.isBorrowed() || chunk.isBorrowedForWriting()) return status;
  return absl::FailedPreconditionError(absl::StrCat(
      "chunk ", indexText(at), " of level ", level,
      " borrows its ids to read them: write to them and call refreshChunk, or load it again with "
      "Chunk::borrowedForWriting or Chunk::copied"));
}

absl::Status World::loadChunk(int level, const ChunkCoord& at, Chunk chunk) {
  absl::Status status = checkIndex(level, at);
  if (!status.ok()) return status;
  status = chunk.adopt(*block_types_);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("chunk ", indexText(at), " of level ", level,
                     " is not loaded: ", std::string(status.message())));
  }
  put(level, at, std::move(chunk));
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
  content_->edits.beginEdit();
  levelAt(level).putProto(at);
  noteChunk(level, at);
  return status;
}

absl::Status World::unloadChunk(int level, const ChunkCoord& at) {
  absl::Status status = checkIndex(level, at);
  if (!status.ok()) return status;
  if (content_->level(level).state(at) == ChunkState::kAbsent) return checkLoaded(level, at);
  content_->edits.beginEdit();
  ParentEdit parent = prepareParent(level, at, false);
  levelAt(level).remove(at);
  parent.apply();
  content_->borrowed.erase({level, at});
  noteChunk(level, at);
  return status;
}

absl::Status World::expandBlock(int level, const BlockCoord& at) {
  const absl::StatusOr<BlockTypeId> type = block(level, at);
  if (!type.ok()) return type.status();
  if (absl::Status status = checkType(*type); !status.ok()) return status;
  if (level + 1 == frame_.levels()) {
    return absl::InvalidArgumentError(
        absl::StrCat("level ", level, " is the finest; its blocks cannot be expanded"));
  }
  const ChunkCoord child = childChunk(at);
  if (chunk(level + 1, child) != nullptr) {
    return absl::AlreadyExistsError(
        absl::StrCat("chunk ", indexText(child), " of level ", level + 1, " is loaded already"));
  }
  put(level + 1, child, Chunk::uniform(*type, *block_types_));
  return absl::OkStatus();
}

absl::Status World::refreshChunk(int level, const ChunkCoord& at) {
  absl::Status status = checkLoaded(level, at);
  if (!status.ok()) return status;
  if (!chunk(level, at)->isBorrowed()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "chunk ", indexText(at), " of level ", level,
        " does not borrow its ids; load it with Chunk::borrowed or Chunk::borrowedForWriting"));
  }
  content_->edits.beginEdit();
  // A chunk that is listed in vain leaves the next snapshot nothing to copy.
  content_->borrowed.insert({level, at});
  Level& changed = levelAt(level);
  status = changed.edit(at)->refresh(*block_types_);
  if (!status.ok()) return status;
  changed.refreshMasks(at);
  noteChunk(level, at);
  return status;
}

absl::StatusOr<BlockTypeId> World::block(int level, const BlockCoord& at) const {
  absl::Status status = checkLoaded(level, chunkOf(at));
  if (!status.ok()) return status;
  return chunk(level, chunkOf(at))->block(indexInChunk(at));
}

absl::Status World::setBlock(int level, const BlockCoord& at, BlockTypeId type) {
  absl::Status status = checkLoaded(level, chunkOf(at));
  if (status.ok()) status = checkType(type);
  if (!status.ok() || chunk(level, chunkOf(at))->block(indexInChunk(at)) == type) return status;
  status = checkEditable(level, chunkOf(at));
  if (!status.ok()) return status;
  content_->edits.beginEdit();
  Level& changed = levelAt(level);
  changed.edit(chunkOf(at))->setBlock(indexInChunk(at), type, *block_types_);
  changed.refreshMasks(chunkOf(at));
  noteBlocks(level, at, at);
  return status;
}

absl::Status World::checkMovable(int level, const BlockCoord& at) const {
  absl::Status status = checkEditable(level, chunkOf(at));
  if (!status.ok() || !chunk(level, chunkOf(at))->hasLoadedChild(indexInChunk(at))) return status;
  return absl::FailedPreconditionError(absl::StrCat(
      "block ", indexText(at), " of level ", level, " is expanded: its chunk of level ", level + 1,
      " is loaded and would stay where it is; unload that first"));
}

absl::Status World::moveBlock(int level, const BlockCoord& from, const BlockCoord& to) {
  absl::Status status = checkMovable(level, from);
  if (status.ok()) status = checkMovable(level, to);
  if (!status.ok()) return status;
  const BlockTypeId type = chunk(level, chunkOf(from))->block(indexInChunk(from));
  status = checkType(type);
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
  if (min[0] > max[0] || min[1] > max[1] || min[2] > max[2]) {
    return absl::InvalidArgumentError(
        absl::StrCat("the box from ", indexText(min), " to ", indexText(max), " is not ordered"));
  }
  const ChunkCoord first = chunkOf(min);
  const ChunkCoord last = chunkOf(max);
  const auto for_each_chunk = [&](auto&& visit) {
    for (std::int64_t z = first[2]; z <= last[2]; ++z) {
      for (std::int64_t y = first[1]; y <= last[1]; ++y) {
        for (std::int64_t x = first[0]; x <= last[0]; ++x) {
          if (!visit(ChunkCoord{x, y, z})) return;
        }
      }
    }
  };
  // Ends at the first chunk that is missing, so however large the box, no later than the loaded
  // ones do.
  for_each_chunk([&](const ChunkCoord& at) {
    status = checkEditable(level, at);
    return status.ok();
  });
  if (!status.ok()) return status;
  content_->edits.beginEdit();
  std::vector<Fill> fills;
  for_each_chunk([&](const ChunkCoord& at) {
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
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t begin = at[axis] * kChunkSize;
    fill.box.min[axis] = static_cast<int>(std::max(min[axis], begin) - begin);
    fill.box.max[axis] = static_cast<int>(std::min(max[axis], begin + kChunkSize - 1) - begin);
  }
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
  if (!content_->edits.isWatched()) return;
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

void World::put(int level, const ChunkCoord& at, Chunk chunk) {
  content_->edits.beginEdit();
  collectChildren(level, at, chunk);
  // A chunk that is listed in vain leaves the next snapshot nothing to copy.
  if (chunk.isBorrowed()) content_->borrowed.insert({level, at});
  ParentEdit parent = prepareParent(level, at, true);
  levelAt(level).put(at, std::move(chunk));
  // Nothing throws any more.
  parent.apply();
  noteChunk(level, at);
}

void World::collectChildren(int level, const ChunkCoord& at, Chunk& chunk) const {
  chunk.children_ = {};
  if (level + 1 == frame_.levels()) return;
  // The bricks of a chunk are whole regions of the next finer level, their blocks its slots.
  const Level& finer = content_->level(level + 1);
  BlockSet::Words children{};
  for (int brick = 0; brick < 64; ++brick) {
    const int corner = ((brick & 3) << 2) | ((brick & 12) << 4) | ((brick & 48) << 6);
    const internal::Region* const region = finer.region(childChunk(blockOf(at, corner)));
    if (region != nullptr) children[static_cast<std::size_t>(brick)] = region->loaded();
  }
  chunk.setChildren(BlockSet(children));
}

World::ParentEdit World::prepareParent(int level, const ChunkCoord& at, bool loaded) {
  if (level == 0) return {};
  const BlockCoord parent = parentBlock(at);
  const int index = indexInChunk(parent);
  const Chunk* const chunk = this->chunk(level - 1, chunkOf(parent));
  if (chunk == nullptr || chunk->hasLoadedChild(index) == loaded) return {};
  Chunk* const changed = levelAt(level - 1).edit(chunkOf(parent));
  return {changed, changed->childrenWith(index, loaded)};
}

}  // namespace fractalray
