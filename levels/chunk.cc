// SPDX-License-Identifier: Apache-2.0
#include "chunk.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "internal/chunk_boxes.h"
#include "internal/unknown_type.h"

namespace fractalray {
namespace {

absl::Status checkIds(Chunk::Ids ids, const BlockTypeTable& types) {
  // Without a branch: usually all ids are known.
  bool are_known = true;
  for (const BlockTypeId type : ids)
    are_known &= types.contains(type);
  if (are_known) return absl::OkStatus();
  const auto unknown =
      std::find_if(ids.begin(), ids.end(), [&](BlockTypeId type) { return !types.contains(type); });
  const BlockCoord at = blockOf(ChunkCoord{}, static_cast<int>(unknown - ids.begin()));
  return internal::unknownTypeError(
      absl::StrCat("block ", internal::indexText(at), " of the chunk"),
      BlockTypeTable::index(*unknown), types);
}

BlockSet::Words occupiedBlocks(const BlockTypeId* ids, const BlockTypeTable& types) {
  BlockSet::Words words{};
  // Neighbours are mostly of the same type.
  BlockTypeId known = ids[0];
  bool known_occupied = !types.isEmptyEverywhere(known);
  for (int index = 0; index < kBlocksPerChunk; ++index) {
    const BlockTypeId type = ids[index];
    if (type != known) {
      known = type;
      known_occupied = !types.isEmptyEverywhere(type);
    }
    words[static_cast<std::size_t>(BlockSet::brickOf(index))] |=
        (known_occupied ? std::uint64_t{1} : 0) << BlockSet::bitOf(index);
  }
  return words;
}

}  // namespace

Chunk::Box Chunk::Box::of(int index) {
  const Vec<int, 3> at{index & 15, (index >> 4) & 15, index >> 8};
  return {at, at};
}

Chunk::Box Chunk::Box::part(const ChunkCoord& at, const BlockCoord& min, const BlockCoord& max) {
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t begin = at[axis] * kChunkSize;
    box.min[axis] = static_cast<int>(std::max(min[axis], begin) - begin);
    box.max[axis] = static_cast<int>(std::min(max[axis], begin + kChunkSize - 1) - begin);
  }
  return box;
}

bool Chunk::Box::isWhole() const {
  return min == Vec<int, 3>{} && max == Vec<int, 3>{15, 15, 15};
}

Chunk Chunk::uniform(BlockTypeId type, const BlockTypeTable& types) {
  FRACTALRAY_DCHECK(types.contains(type), type, types.size());
  Chunk chunk;
  chunk.table_ = types.number_.value() & internal::TableNumber::kMax;
  if (types.isEmptyEverywhere(type)) {
    chunk.empty_ = type;
  } else {
    chunk.filled_ = type;
    chunk.occupied_ = BlockSet::all();
  }
  return chunk;
}

absl::StatusOr<Chunk> Chunk::copied(Ids ids, const BlockTypeTable& types) {
  absl::Status status = checkIds(ids, types);
  if (!status.ok()) return status;
  const auto other =
      std::find_if(ids.begin(), ids.end(), [&](BlockTypeId type) { return type != ids[0]; });
  if (other == ids.end()) return uniform(ids[0], types);
  Chunk chunk;
  chunk.table_ = types.number_.value() & internal::TableNumber::kMax;
  chunk.occupied_ = BlockSet(occupiedBlocks(ids.data(), types));
  const bool first_is_empty = types.isEmptyEverywhere(ids[0]);
  if (first_is_empty != types.isEmptyEverywhere(*other) &&
      std::all_of(other, ids.end(),
                  [&](BlockTypeId type) { return type == ids[0] || type == *other; })) {
    chunk.empty_ = first_is_empty ? ids[0] : *other;
    chunk.filled_ = first_is_empty ? *other : ids[0];
    return chunk;
  }
  chunk.own(internal::CowPtr<IdStore>::make<OwnIds>());
  std::copy(ids.begin(), ids.end(), chunk.ownIds()->begin());
  return chunk;
}

std::size_t Chunk::bytes() const {
  const std::size_t store = !store_ ? 0 : ids_ != nullptr ? sizeof(OwnIds) : sizeof(IdStore);
  return sizeof(Chunk) + store + occupied_.bytes() +
         (children_ ? sizeof(Children) + children_->blocks.bytes() : 0);
}

std::size_t Chunk::bytesWithCopy() const {
  if (!readsEngine()) return bytes();
  return bytes() - (store_ ? sizeof(IdStore) : 0) + sizeof(OwnIds);
}

absl::Status Chunk::adopt(const BlockTypeTable& types) {
  const std::uint32_t table = types.number_.value();
  const bool is_known = table_ == table || table_ == 0;
  // A chunk without a table is all air until it is loaded; edits give it types of this table.
  if (table_ == 0) table_ = table & internal::TableNumber::kMax;
  if (is_known && !readsEngine()) return absl::OkStatus();
  if (!hasIds()) {
    std::array<BlockTypeId, kBlocksPerChunk> ids{};
    for (int index = 0; index < kBlocksPerChunk; ++index)
      ids[static_cast<std::size_t>(index)] = block(index);
    absl::StatusOr<Chunk> chunk = copied(ids, types);
    if (!chunk.ok()) return chunk.status();
    *this = *std::move(chunk);
    return absl::OkStatus();
  }
  // The engine may have written to its ids since the chunk was made: their blocks are read again.
  BlockSet::Words occupied{};
  absl::Status status = ids_ != nullptr ? checkIds(Ids(ids_, kBlocksPerChunk), types)
                                        : scan(Box::whole(), types, occupied);
  if (!status.ok()) return status;
  if (ids_ != nullptr) occupied = occupiedBlocks(ids_, types);
  if (occupied != occupied_.words()) occupied_ = BlockSet(occupied);
  table_ = table & internal::TableNumber::kMax;
  return absl::OkStatus();
}

void Chunk::setBlock(int index, BlockTypeId type, const BlockTypeTable& types) {
  FRACTALRAY_DCHECK(types.contains(type), type, types.size());
  if (isUpToDate(index, type, types)) return;
  const bool occupied = !types.isEmptyEverywhere(type);
  if (setWithoutIds(index, type, occupied)) return;
  prepareIds();
  occupied_.set(index, occupied);
  // Nothing throws any more: the ids are its alone.
  if (IdArray* const ids = ownIds(); ids != nullptr) (*ids)[static_cast<std::size_t>(index)] = type;
  writeThrough(Box::of(index), type);
}

bool Chunk::canHoldWithoutIds(BlockTypeId type, bool occupied) const {
  // A uniform chunk uses only one of the two types.
  const bool is_unused = occupied ? occupied_.empty() : occupied_.isFull();
  return !hasIds() && (is_unused || (occupied ? filled_ : empty_) == type);
}

bool Chunk::setWithoutIds(int index, BlockTypeId type, bool occupied) {
  if (!canHoldWithoutIds(type, occupied)) return false;
  occupied_.set(index, occupied);
  (occupied ? filled_ : empty_) = type;
  return true;
}

Chunk Chunk::withBox(const Box& box, BlockTypeId type, const BlockTypeTable& types) const {
  if (box.isWhole() && !isBorrowed()) {
    Chunk chunk = uniform(type, types);
    chunk.children_ = children_;
    return chunk;
  }
  Chunk chunk = *this;
  const bool occupied = !types.isEmptyEverywhere(type);
  BlockSet::Words words = occupied_.words();
  box.forEach([&](int index) {
    std::uint64_t& word = words[static_cast<std::size_t>(BlockSet::brickOf(index))];
    const std::uint64_t bit = std::uint64_t{1} << BlockSet::bitOf(index);
    word = occupied ? word | bit : word & ~bit;
  });
  if (canHoldWithoutIds(type, occupied)) {
    (occupied ? chunk.filled_ : chunk.empty_) = type;
  } else {
    chunk.prepareIds();
    if (IdArray* const ids = chunk.ownIds(); ids != nullptr)
      box.forEach([&](int index) { (*ids)[static_cast<std::size_t>(index)] = type; });
  }
  chunk.occupied_ = BlockSet(words);
  return chunk;
}

void Chunk::setChildren(BlockSet blocks) {
  if (blocks.empty()) {
    children_ = {};
    return;
  }
  auto children = internal::CowPtr<Children>::make();
  children.edit().blocks = std::move(blocks);
  children_ = std::move(children);
}

internal::CowPtr<Chunk::Children> Chunk::childrenWith(int index, bool loaded) const {
  auto children =
      children_ ? internal::CowPtr<Children>::make(*children_) : internal::CowPtr<Children>::make();
  children.edit().blocks.set(index, loaded);
  return children->blocks.empty() ? internal::CowPtr<Children>() : children;
}

void Chunk::own(internal::CowPtr<IdStore> store) noexcept {
  store_ = std::move(store);
  ids_ = static_cast<const OwnIds&>(*store_).ids.data();
}

void Chunk::prepareIds() {
  if (readsEngine()) return;
  if (store_) {
    ids_ = static_cast<OwnIds&>(store_.edit()).ids.data();
    return;
  }
  auto store = internal::CowPtr<IdStore>::make<OwnIds>();
  IdArray& ids = static_cast<OwnIds&>(store.edit()).ids;
  for (int index = 0; index < kBlocksPerChunk; ++index)
    ids[static_cast<std::size_t>(index)] = block(index);
  own(std::move(store));
}

}  // namespace fractalray
