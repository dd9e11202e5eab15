// SPDX-License-Identifier: Apache-2.0
// A chunk: 16 x 16 x 16 blocks, at one chunk index of one level.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "absl/status/statusor.h"

#include "../core/check.h"
#include "../core/cow_ptr.h"
#include "../core/frame.h"
#include "../core/vec.h"
#include "block_set.h"
#include "block_type.h"

namespace fractalray {

namespace internal {
class LevelMove;
}

inline constexpr int kBlocksPerChunk = 4096;

enum class ChunkState : std::uint8_t {
  kAbsent,
  kProto,   // a placeholder: its content is not there yet
  kLoaded,  // has blocks
};

// The content of a loaded chunk, and the sets of blocks by which walks skip, updated by every
// edit. Its blocks, ordered x + 16 y + 256 z, are
// - ids of its own (copied());
// - ids borrowed from the engine's storage, only for reading (borrowed()) or for writing as well
//   (borrowedForWriting()); from a World::snapshot() to the next refresh, the library's copy of
//   them;
// - or no ids at all, if the set of occupied blocks determines every type: a single type
//   (uniform()), or one type that is empty in every channel and one that is not, as in rock with
//   caves.
// A copy shares the ids until one of the two changes them. Not thread-safe while it changes; const
// use is safe from any thread, also while a copy changes.
//
// Borrowing lasts until the chunk is unloaded or replaced by another: no edit ends it.
//                       borrowed()                     borrowedForWriting()
//   the engine writes   then World::refreshChunk       then World::refreshChunk
//   World::setBlock     FAILED_PRECONDITION            writes to the engine's ids as well
//   World::fillBox      the same                       the same
// To edit a chunk that is borrowed() through the library, load it again with borrowedForWriting(),
// or as a copy of its own with copied().
class Chunk {
 public:
  using Ids = std::span<const BlockTypeId, kBlocksPerChunk>;
  using WritableIds = std::span<BlockTypeId, kBlocksPerChunk>;

  // Makes a chunk of uniform air.
  Chunk() = default;

  // Makes a chunk with all blocks of one type. Requires: `type` is in the table.
  static Chunk uniform(BlockTypeId type, const BlockTypeTable& types);
  // Makes a chunk with a copy of the ids, if it needs ids. INVALID_ARGUMENT, with the block's
  // index, for an id that is not in the table.
  static absl::StatusOr<Chunk> copied(Ids ids, const BlockTypeTable& types);
  // Makes a chunk that reads the engine's own ids, which must stay at their address as long as the
  // chunk is loaded. After writing to them the engine must call World::refreshChunk. The library
  // never writes to them. Errors as above.
  static absl::StatusOr<Chunk> borrowed(Ids ids, const BlockTypeTable& types);
  // Makes a chunk that reads ids to which the library may write as well: World::setBlock and
  // World::fillBox write each block that they set to the engine's ids too, at once, on the thread
  // that edits, and need no refresh. Nothing else is written there, and nothing by an edit that
  // fails. Requires: the ids are borrowed for writing by one loaded chunk only.
  static absl::StatusOr<Chunk> borrowedForWriting(WritableIds ids, const BlockTypeTable& types);

  // Returns the type of a block. In a chunk that borrows this is the engine's present id or, from a
  // snapshot to the next refresh, the library's copy of it. It may be an id that the table does not
  // contain, which queries treat as empty (BlockTypeTable). Requires, for all functions that take
  // an index: 0 <= index < kBlocksPerChunk.
  BlockTypeId block(int index) const {
    checkIndex(index);
    if (ids_ != nullptr) return ids_[static_cast<std::size_t>(index)];
    return isOccupied(index) ? filled_ : empty_;
  }
  // Returns the type of a block that is known to be occupied, a little faster.
  BlockTypeId occupiedBlock(int index) const {
    FRACTALRAY_DCHECK(isOccupied(index), index);
    return ids_ != nullptr ? ids_[static_cast<std::size_t>(index)] : filled_;
  }
  // Returns true if the block is not empty in at least one channel.
  bool isOccupied(int index) const {
    checkIndex(index);
    return occupied_.contains(index);
  }
  // Returns true if the block is expanded: its chunk on the next finer level is loaded.
  bool hasLoadedChild(int index) const {
    checkIndex(index);
    return children_ && children_->blocks.contains(index);
  }

  bool isUniform() const { return ids_ == nullptr && (occupied_.empty() || occupied_.isFull()); }
  // Returns true if the ids are the engine's, or a copy of those.
  bool isBorrowed() const {
    return ids_ != nullptr && (!owned_ || owned_->borrowed_from != nullptr);
  }
  // Returns true if edits through the library write to the engine's ids.
  bool isBorrowedForWriting() const { return is_writable_ != 0 && isBorrowed(); }
  // Returns true if all blocks are empty in every channel.
  bool isEmpty() const { return occupied_.empty(); }

  // Returns the occupied blocks. Valid until the chunk changes or moves.
  const BlockSet& occupied() const { return occupied_; }
  // Returns the blocks with a loaded child, null if there is none.
  const BlockSet* children() const { return children_ ? &children_->blocks : nullptr; }

  // Returns the bytes of this chunk, without the engine's ids.
  std::size_t bytes() const;

 private:
  friend class World;  // edits go through the world, which keeps chunks, levels and bounds in step
  friend class internal::LevelMove;

  struct OwnedIds : internal::RefCounted {
    std::array<BlockTypeId, kBlocksPerChunk> ids;
    const BlockTypeId* borrowed_from = nullptr;  // for a copy of the engine's ids: their address
  };
  struct Children : internal::RefCounted {
    BlockSet blocks;
  };
  // The blocks [min, max] of a chunk, inclusive, 0 to 15 on each axis.
  struct Box {
    Vec<int, 3> min;
    Vec<int, 3> max;

    bool isWhole() const;
    // Calls `visit(index)` for each block.
    template <class Visit>
    void forEach(const Visit& visit) const;
  };

  static void checkIndex([[maybe_unused]] int index) {
    FRACTALRAY_DCHECK(index >= 0 && index < kBlocksPerChunk, index);
  }

  // The following are all or nothing if memory runs out: they throw std::bad_alloc, and the content
  // is unchanged.

  // Converts a chunk that may have been made with another table to this table, with the same ids.
  // INVALID_ARGUMENT, and no change, for an id that is not in the table, also for one that has been
  // written to borrowed ids since.
  absl::Status adopt(const BlockTypeTable& types);
  // Sets a block to a type. Requires, for these two: the type is in the table, and the chunk does
  // not borrow, or does so for writing.
  void setBlock(int index, BlockTypeId type, const BlockTypeTable& types);
  // Returns the chunk with all blocks of a box set to one type. The engine's ids are yet to be
  // written: writeThrough().
  Chunk withBox(const Box& box, BlockTypeId type, const BlockTypeTable& types) const;
  void writeThrough(const Box& box, BlockTypeId type) const noexcept;
  // Sets a block to a type without ids; returns false if that is impossible.
  bool setWithoutIds(int index, BlockTypeId type, bool occupied);
  // Returns true if blocks of a type can be represented without ids, at any index.
  bool canHoldWithoutIds(BlockTypeId type, bool occupied) const;

  void setChildren(BlockSet blocks);
  // Returns children_ with one block more or less.
  internal::CowPtr<Children> childrenWith(int index, bool loaded) const;

  // Returns true if blocks are read from the engine's memory.
  bool readsEngine() const { return ids_ != nullptr && !owned_; }
  // Returns the engine's ids. Requires: isBorrowed().
  const BlockTypeId* engineIds() const { return owned_ ? owned_->borrowed_from : ids_; }
  // Reads the engine's ids again. INVALID_ARGUMENT, and no change, for an unknown id. Requires:
  // isBorrowed().
  absl::Status refresh(const BlockTypeTable& types);
  // Copies borrowed ids, so that the engine may change them while others read the chunk.
  void copyBorrowed();
  void own(internal::CowPtr<OwnedIds> ids);
  // Makes ids of its own that no other chunk shares, of the same blocks; does nothing if the
  // engine's ids are read.
  void prepareIds();

  BlockSet occupied_;
  const BlockTypeId* ids_ = nullptr;  // those of owned_, or the engine's; null if there are none
  internal::CowPtr<OwnedIds> owned_;
  internal::CowPtr<Children> children_;
  // Without ids, the type of the blocks that are not occupied, and of those that are.
  BlockTypeId empty_ = kAir;
  BlockTypeId filled_ = kAir;
  // The number of the table that the chunk was made with; 0, any table, of one that is all air.
  std::uint32_t table_ : 31 = 0;
  std::uint32_t is_writable_ : 1 = 0;  // the engine's ids may be written to
};

// The size matters: chunks lie in arrays of 64 that shots search.
static_assert(sizeof(Chunk) <= 56 || sizeof(void*) != 8);

}  // namespace fractalray
