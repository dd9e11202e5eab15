// SPDX-License-Identifier: Apache-2.0
#include "fractalray/levels/chunk.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "fractalray/core/check.h"

namespace fractalray {
namespace {

absl::Status checkIds(Chunk::Ids ids, const BlockTypeTable& types) {
  const auto unknown =
      std::find_if(ids.begin(), ids.end(), [&](BlockTypeId type) { return !types.contains(type); });
  if (unknown == ids.end()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("block ", unknown - ids.begin(), " of the chunk has type ",
                   BlockTypeTable::index(*unknown), "; the table ends at ", types.size() - 1));
}

BlockSet occupiedBlocks(const BlockTypeId* ids, const BlockTypeTable& types) {
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
  return BlockSet(words);
}

}  // namespace

Chunk Chunk::uniform(BlockTypeId type, const BlockTypeTable& types) {
  FRACTALRAY_DCHECK(types.contains(type));
  Chunk chunk;
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
  chunk.occupied_ = occupiedBlocks(ids.data(), types);
  const bool first_is_empty = types.isEmptyEverywhere(ids[0]);
  if (first_is_empty != types.isEmptyEverywhere(*other) &&
      std::all_of(other, ids.end(),
                  [&](BlockTypeId type) { return type == ids[0] || type == *other; })) {
    chunk.empty_ = first_is_empty ? ids[0] : *other;
    chunk.filled_ = first_is_empty ? *other : ids[0];
    return chunk;
  }
  auto owned = internal::SharedPart<OwnedIds>::make();
  std::copy(ids.begin(), ids.end(), owned.edit().ids.begin());
  chunk.own(std::move(owned));
  return chunk;
}

absl::StatusOr<Chunk> Chunk::borrowed(Ids ids, const BlockTypeTable& types) {
  Chunk chunk;
  chunk.ids_ = ids.data();
  absl::Status status = chunk.refresh(types);
  if (!status.ok()) return status;
  return chunk;
}

std::size_t Chunk::bytes() const {
  return sizeof(Chunk) + (owned_ ? sizeof(OwnedIds) : 0) + occupied_.bytes() +
         (children_ ? sizeof(Children) + children_->blocks.bytes() : 0);
}

void Chunk::setBlock(int index, BlockTypeId type, const BlockTypeTable& types) {
  if (block(index) == type) return;
  const bool occupied = !types.isEmptyEverywhere(type);
  if (!setWithoutIds(index, type, occupied)) {
    editIds()[static_cast<std::size_t>(index)] = type;
    occupied_.set(index, occupied);
  }
}

bool Chunk::setWithoutIds(int index, BlockTypeId type, bool occupied) {
  if (ids_ != nullptr) return false;
  // Of a uniform chunk one of the two types is not in use.
  const bool is_unused = occupied ? occupied_.empty() : occupied_.isFull();
  BlockTypeId& present = occupied ? filled_ : empty_;
  if (present != type && !is_unused) return false;
  present = type;
  occupied_.set(index, occupied);
  return true;
}

void Chunk::setChild(int index, bool loaded) {
  if (hasLoadedChild(index) == loaded) return;
  if (!children_) children_ = internal::SharedPart<Children>::make();
  BlockSet& children = children_.edit().blocks;
  children.set(index, loaded);
  if (children.empty()) children_ = {};
}

absl::Status Chunk::refresh(const BlockTypeTable& types) {
  FRACTALRAY_DCHECK(isBorrowed());
  const BlockTypeId* const ids = owned_ ? owned_->borrowed_from : ids_;
  absl::Status status = checkIds(Ids(ids, kBlocksPerChunk), types);
  if (!status.ok()) return status;
  occupied_ = occupiedBlocks(ids, types);
  ids_ = ids;
  owned_ = {};
  return absl::OkStatus();
}

void Chunk::copyBorrowed() {
  if (!isBorrowed() || owned_) return;
  auto copy = internal::SharedPart<OwnedIds>::make();
  std::copy_n(ids_, kBlocksPerChunk, copy.edit().ids.begin());
  copy.edit().borrowed_from = ids_;
  own(std::move(copy));
}

void Chunk::own(internal::SharedPart<OwnedIds> ids) {
  owned_ = std::move(ids);
  ids_ = owned_->ids.data();
}

std::array<BlockTypeId, kBlocksPerChunk>& Chunk::editIds() {
  if (!owned_) {
    auto owned = internal::SharedPart<OwnedIds>::make();
    for (int index = 0; index < kBlocksPerChunk; ++index)
      owned.edit().ids[static_cast<std::size_t>(index)] = block(index);
    own(std::move(owned));
  }
  OwnedIds& own_ids = owned_.edit();
  own_ids.borrowed_from = nullptr;
  ids_ = own_ids.ids.data();
  return own_ids.ids;
}

}  // namespace fractalray
