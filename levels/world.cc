// SPDX-License-Identifier: Apache-2.0
#include "fractalray/levels/world.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "absl/strings/str_cat.h"
#include "fractalray/core/check.h"

namespace fractalray {
namespace {

template <class Coord>
std::string placeName(const Coord& at) {
  return absl::StrCat("[", at[0], ", ", at[1], ", ", at[2], "]");
}

}  // namespace

World::World(const WorldOptions& options)
    : frame_(options.levels),
      block_types_(options.block_types != nullptr ? options.block_types
                                                  : std::make_shared<BlockTypeTable>()),
      levels_(static_cast<std::size_t>(options.levels)) {
  for (internal::SharedPart<Level>& level : levels_)
    level = internal::SharedPart<Level>::make();
}

World::World(const World& live, std::shared_ptr<BlockTypeTable> types)
    : frame_(live.frame_),
      block_types_(std::move(types)),
      levels_(live.levels_),
      version_(live.version_) {}

std::shared_ptr<const World> World::snapshot() {
  for (const auto& [level, at] : borrowed_) {
    // Its region is this world's own: it has been changed since the last snapshot.
    if (chunk(level, at) != nullptr) levelAt(level).edit(at)->copyBorrowed();
  }
  borrowed_.clear();
  if (types_of_snapshots_ == nullptr || types_of_snapshots_->size() != block_types_->size() ||
      types_of_snapshots_->channels() != block_types_->channels()) {
    types_of_snapshots_ = std::make_shared<BlockTypeTable>(*block_types_);
  }
  return std::shared_ptr<const World>(new World(*this, types_of_snapshots_));
}

LevelMask World::finest(int count) const {
  return LevelMask::range(std::max(0, frame_.levels() - count), frame_.levels() - 1);
}

const Level& World::level(int level) const {
  FRACTALRAY_DCHECK(frame_.isActive(level));
  return *levels_[static_cast<std::size_t>(level)];
}

const Chunk* World::chunk(int level, const ChunkCoord& at) const {
  return frame_.isActive(level) ? this->level(level).find(at) : nullptr;
}

absl::Status World::checkPlace(int level, const ChunkCoord& at) const {
  if (!frame_.isActive(level)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "level ", level, " is not active; this world has levels 0 to ", frame_.levels() - 1));
  }
  if (!frame_.contains(level, at)) {
    const std::int64_t limit = kMaxCoordinate >> frame_.chunkShift(level);
    return absl::OutOfRangeError(absl::StrCat("chunk ", placeName(at), " of level ", level,
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
  absl::Status status = checkPlace(level, at);
  if (!status.ok()) return status;
  if (chunk(level, at) != nullptr) return absl::OkStatus();
  return absl::NotFoundError(
      absl::StrCat("chunk ", placeName(at), " of level ", level, " is not loaded"));
}

absl::Status World::loadChunk(int level, const ChunkCoord& at, Chunk chunk) {
  absl::Status status = checkPlace(level, at);
  if (status.ok()) put(level, at, std::move(chunk));
  return status;
}

absl::Status World::placeProtoChunk(int level, const ChunkCoord& at) {
  absl::Status status = checkPlace(level, at);
  if (!status.ok()) return status;
  if (chunk(level, at) != nullptr) {
    return absl::AlreadyExistsError(
        absl::StrCat("chunk ", placeName(at), " of level ", level, " is loaded; unload it first"));
  }
  if (this->level(level).state(at) == ChunkState::kProto) return status;
  noteChunk(level, at);
  levelAt(level).putProto(at);
  return status;
}

absl::Status World::unloadChunk(int level, const ChunkCoord& at) {
  absl::Status status = checkPlace(level, at);
  if (!status.ok()) return status;
  if (this->level(level).state(at) == ChunkState::kAbsent) return checkLoaded(level, at);
  noteChunk(level, at);
  levelAt(level).remove(at);
  borrowed_.erase({level, at});
  tellParent(level, at, false);
  return status;
}

absl::Status World::expandBlock(int level, const BlockCoord& at) {
  const absl::StatusOr<BlockTypeId> type = block(level, at);
  if (!type.ok()) return type.status();
  if (level + 1 == frame_.levels()) {
    return absl::InvalidArgumentError(
        absl::StrCat("level ", level, " is the finest; its blocks cannot be expanded"));
  }
  const ChunkCoord child = childChunk(at);
  if (chunk(level + 1, child) != nullptr) {
    return absl::AlreadyExistsError(
        absl::StrCat("chunk ", placeName(child), " of level ", level + 1, " is loaded already"));
  }
  put(level + 1, child, Chunk::uniform(*type, *block_types_));
  return absl::OkStatus();
}

absl::Status World::refreshChunk(int level, const ChunkCoord& at) {
  absl::Status status = checkLoaded(level, at);
  if (!status.ok()) return status;
  if (!chunk(level, at)->isBorrowed()) {
    return absl::FailedPreconditionError(
        absl::StrCat("chunk ", placeName(at), " of level ", level, " does not borrow its ids"));
  }
  Level& changed = levelAt(level);
  status = changed.edit(at)->refresh(*block_types_);
  if (!status.ok()) return status;
  noteChunk(level, at);
  changed.refreshMasks(at);
  borrowed_.insert({level, at});
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
  noteBlocks(level, at, at);
  Level& changed = levelAt(level);
  changed.edit(chunkOf(at))->setBlock(indexInChunk(at), type, *block_types_);
  changed.refreshMasks(chunkOf(at));
  return status;
}

absl::Status World::fillBox(int level, const BlockCoord& min, const BlockCoord& max,
                            BlockTypeId type) {
  absl::Status status = checkType(type);
  if (!status.ok()) return status;
  if (min[0] > max[0] || min[1] > max[1] || min[2] > max[2]) {
    return absl::InvalidArgumentError(
        absl::StrCat("the box from ", placeName(min), " to ", placeName(max), " is not ordered"));
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
    status = checkLoaded(level, at);
    return status.ok();
  });
  if (!status.ok()) return status;
  noteBlocks(level, min, max);
  for_each_chunk([&](const ChunkCoord& at) {
    fillInChunk(level, at, min, max, type);
    levelAt(level).refreshMasks(at);
    return true;
  });
  return status;
}

void World::fillInChunk(int level, const ChunkCoord& at, const BlockCoord& min,
                        const BlockCoord& max, BlockTypeId type) {
  BlockCoord low;
  BlockCoord high;
  bool whole = true;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t begin = at[axis] * kChunkSize;
    low[axis] = std::max(min[axis], begin);
    high[axis] = std::min(max[axis], begin + kChunkSize - 1);
    whole = whole && high[axis] - low[axis] == kChunkSize - 1;
  }
  Chunk& chunk = *levelAt(level).edit(at);
  if (whole) {
    internal::SharedPart<Chunk::Children> children = std::move(chunk.children_);
    chunk = Chunk::uniform(type, *block_types_);
    chunk.children_ = std::move(children);
    return;
  }
  for (std::int64_t z = low[2]; z <= high[2]; ++z) {
    for (std::int64_t y = low[1]; y <= high[1]; ++y) {
      for (std::int64_t x = low[0]; x <= high[0]; ++x) {
        chunk.setBlock(indexInChunk({x, y, z}), type, *block_types_);
      }
    }
  }
}

void World::noteBlocks(int level, const BlockCoord& min, const BlockCoord& max) {
  version_.advance();
  if (!edits_.isWatched()) return;
  const std::int64_t width = frame_.blockWidth(level);
  internal::Edit edit{.level = level};
  for (int axis = 0; axis < 3; ++axis) {
    edit.min[axis] = min[axis] * width;
    edit.max[axis] = (max[axis] + 1) * width;
  }
  edits_.note(edit);
}

void World::put(int level, const ChunkCoord& at, Chunk chunk) {
  noteChunk(level, at);
  if (chunk.isBorrowed()) borrowed_.insert({level, at});
  chunk.children_ = {};
  if (level + 1 < frame_.levels()) {
    // The blocks of a chunk are 4 x 4 x 4 whole regions of the next finer level.
    const Level& finer = this->level(level + 1);
    for (int brick = 0; brick < 64; ++brick) {
      const int corner = ((brick & 3) << 2) | ((brick & 12) << 4) | ((brick & 48) << 6);
      const Region* const region = finer.region(childChunk(blockOf(at, corner)));
      if (region == nullptr) continue;
      for (std::uint64_t slots = region->loaded(); slots != 0; slots &= slots - 1) {
        const int slot = std::countr_zero(slots);
        chunk.setChild(corner + ((slot & 3) | ((slot & 12) << 2) | ((slot & 48) << 4)), true);
      }
    }
  }
  levelAt(level).put(at, std::move(chunk));
  tellParent(level, at, true);
}

void World::tellParent(int level, const ChunkCoord& at, bool loaded) {
  if (level == 0) return;
  const BlockCoord parent = parentBlock(at);
  const Chunk* const chunk = this->chunk(level - 1, chunkOf(parent));
  if (chunk == nullptr || chunk->hasLoadedChild(indexInChunk(parent)) == loaded) return;
  levelAt(level - 1).edit(chunkOf(parent))->setChild(indexInChunk(parent), loaded);
}

}  // namespace fractalray
