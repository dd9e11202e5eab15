// SPDX-License-Identifier: Apache-2.0
// A chunk: the 16 x 16 x 16 blocks of one place on one level.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "absl/status/statusor.h"
#include "fractalray/core/frame.h"
#include "fractalray/core/shared_part.h"
#include "fractalray/levels/block_type.h"
#include "fractalray/levels/occupancy.h"

namespace fractalray {

inline constexpr int kBlocksPerChunk = 4096;

// The content of a loaded chunk: ids of its own, ids borrowed from the engine's storage (or, from a
// World::snapshot() to the next refresh, the library's copy of them), or none at all where the set
// of occupied blocks tells everything (one type that is empty in every channel and one that is not,
// as in rock with caves; or a single type, uniform); and the sets of blocks that walks skip by,
// kept true by every edit. Blocks are ordered x + 16 y + 256 z. A copy shares the ids until one of
// both changes them. Not thread-safe while it changes; const use is safe from any thread, also
// while a copy changes.
class Chunk {
 public:
  using Ids = std::span<const BlockTypeId, kBlocksPerChunk>;

  // Uniform air.
  Chunk() = default;

  // All blocks of one type. Requires: `type` is in the table.
  static Chunk uniform(BlockTypeId type, const BlockTypeTable& types);
  // A copy of the ids, where they are needed. INVALID_ARGUMENT for an id that is not
  // in the table, with its place.
  static absl::StatusOr<Chunk> copied(Ids ids, const BlockTypeTable& types);
  // The engine's own ids, which must stay where they are as long as the chunk is loaded and be told
  // of by World::refreshChunk when they change; an edit through the library copies them first.
  // Errors as above.
  static absl::StatusOr<Chunk> borrowed(Ids ids, const BlockTypeTable& types);

  // Requires, for these: 0 <= index < kBlocksPerChunk.
  BlockTypeId block(int index) const {
    if (ids_ != nullptr) return ids_[static_cast<std::size_t>(index)];
    return isOccupied(index) ? filled_ : empty_;
  }
  // The same for a block that is known to be occupied, a little faster.
  BlockTypeId occupiedBlock(int index) const {
    return ids_ != nullptr ? ids_[static_cast<std::size_t>(index)] : filled_;
  }
  // Whether the block is something in at least one channel.
  bool isOccupied(int index) const { return occupied_.contains(index); }
  // Whether the block is expanded with a loaded chunk on the next finer level.
  bool hasLoadedChild(int index) const { return children_ && children_->blocks.contains(index); }

  bool isUniform() const { return ids_ == nullptr && (occupied_.empty() || occupied_.isFull()); }
  // Whether the ids are the engine's, or a copy of those.
  bool isBorrowed() const {
    return ids_ != nullptr && (!owned_ || owned_->borrowed_from != nullptr);
  }
  // Whether no block is anything in any channel.
  bool isEmpty() const { return occupied_.empty(); }

  // The occupied blocks. Valid until the chunk changes or moves.
  const BlockSet& occupied() const { return occupied_; }
  // Those with a loaded child, null where there is none.
  const BlockSet* children() const { return children_ ? &children_->blocks : nullptr; }

  // Bytes of this chunk, without the engine's ids.
  std::size_t bytes() const;

 private:
  friend class World;  // edits go through the world, which keeps chunks, levels and bounds in step

  struct OwnedIds : internal::SharedCount {
    std::array<BlockTypeId, kBlocksPerChunk> ids;
    const BlockTypeId* borrowed_from = nullptr;  // of a copy of the engine's ids: where those are
  };
  struct Children : internal::SharedCount {
    BlockSet blocks;
  };

  // Makes a block one of a type without having ids; false where that cannot be.
  bool setWithoutIds(int index, BlockTypeId type, bool occupied);
  void setBlock(int index, BlockTypeId type, const BlockTypeTable& types);
  void setChild(int index, bool loaded);
  // Reads the engine's ids again. INVALID_ARGUMENT, and no change, for an unknown id. Requires:
  // isBorrowed().
  absl::Status refresh(const BlockTypeTable& types);
  // Copies borrowed ids, so that the engine may change them while others read the chunk.
  void copyBorrowed();
  void own(internal::SharedPart<OwnedIds> ids);
  // Ids of its own, to be changed; made where there are none.
  std::array<BlockTypeId, kBlocksPerChunk>& editIds();

  BlockSet occupied_;
  const BlockTypeId* ids_ = nullptr;  // those of owned_, or the engine's; null where there is none
  internal::SharedPart<OwnedIds> owned_;
  internal::SharedPart<Children> children_;
  // Without ids, the type of the blocks that are not occupied, and of those that are.
  BlockTypeId empty_ = kAir;
  BlockTypeId filled_ = kAir;
};

}  // namespace fractalray
