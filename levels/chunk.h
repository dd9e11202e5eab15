// SPDX-License-Identifier: Apache-2.0
// A chunk: 16 x 16 x 16 blocks, at one chunk index of one level.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/check.h"
#include "../core/cow_ptr.h"
#include "../core/frame.h"
#include "../core/vec.h"
#include "block_set.h"
#include "block_type.h"
#include "engine_ids.h"
#include "id_layout.h"

namespace fractalray {

namespace internal {
class LevelMove;
class WorldEdit;
}  // namespace internal

inline constexpr int kBlocksPerChunk = 4096;

enum class ChunkState : std::uint8_t {
  kAbsent,
  kProto,   // a placeholder: its content is not there yet
  kLoaded,  // has blocks
};

// The content of a loaded chunk, and the sets of blocks by which walks skip, updated by every edit.
// Its blocks, ordered x + 16 y + 256 z, are
// - ids of its own (copied(), fromArray());
// - the engine's, read in place in any layout (borrowed()) or written too (borrowedForWriting()):
//   until the chunk is unloaded or replaced, whatever the edits;
// - or no ids, if the set of occupied blocks determines every type (uniform(), or a type that is
//   empty in every channel and one that is not).
// A copy shares the ids until one of the two changes them. Not thread-safe while it changes; const
// use is safe from any thread, also while a copy changes. docs/concepts.md has a table
// of the edits that a borrowed chunk allows.
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
  // Makes a chunk with a copy of ids of any layout, for what cannot be borrowed: ids that move or
  // are freed, and indices into a palette, which is then the layout's table. `first` is the id of
  // block [0, 0, 0]. INVALID_ARGUMENT, with the id and the block's index, for an id that is not in
  // the layout's table, or whose type is not in `types`. Requires: the memory of all 4096 ids may
  // be read.
  static absl::StatusOr<Chunk> fromArray(const void* first, const IdLayout& layout,
                                         const BlockTypeTable& types);
  // Makes a chunk that reads the engine's own ids, which must stay at their address as long as the
  // chunk is loaded. After writing to them the engine must call World::refreshBlock, refreshBox or
  // refreshChunk. The library never writes to them. Errors and requirements as above.
  static absl::StatusOr<Chunk> borrowed(Ids ids, const BlockTypeTable& types);
  static absl::StatusOr<Chunk> borrowed(const void* first, const IdLayout& layout,
                                        const BlockTypeTable& types);
  // Makes a chunk that reads ids to which the library may write as well: World::setBlock, moveBlock
  // and fillBox write each block that they set to the engine's ids too, at once, on the thread that
  // edits, and need no refresh. They write no other byte, and an edit that fails writes nothing. If
  // several ids of the layout stand for the type, the smallest is written; if none does, the edit
  // is FAILED_PRECONDITION. INVALID_ARGUMENT also for a layout in which blocks may share bytes
  // (IdLayout::keepsApart). Requires: the ids are borrowed for writing by one loaded chunk only.
  static absl::StatusOr<Chunk> borrowedForWriting(WritableIds ids, const BlockTypeTable& types);
  static absl::StatusOr<Chunk> borrowedForWriting(void* first, const IdLayout& layout,
                                                  const BlockTypeTable& types);

  // Returns the type of a block. A chunk that borrows reads the engine's present id or, from a
  // snapshot to the next refresh of the whole chunk, the library's copy of the id. An id that the
  // layout's table does not contain is air. The type may be one that the table of block types does
  // not contain; queries treat it as empty (BlockTypeTable). Requires, for all functions that take
  // an index: 0 <= index < kBlocksPerChunk.
  BlockTypeId block(int index) const {
    checkIndex(index);
    if (ids_ != nullptr) return ids_[static_cast<std::size_t>(index)];
    if (store_) return engineBlock(index);
    return isOccupied(index) ? filled_ : empty_;
  }
  // Returns the type of a block that is known to be occupied, a little faster.
  BlockTypeId occupiedBlock(int index) const {
    FRACTALRAY_DCHECK(isOccupied(index), index);
    if (ids_ != nullptr) return ids_[static_cast<std::size_t>(index)];
    return store_ ? engineBlock(index) : filled_;
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

  bool isUniform() const { return !hasIds() && (occupied_.empty() || occupied_.isFull()); }
  // Returns true if the ids are borrowed from the engine, or a copy that a snapshot has made of
  // borrowed ids.
  bool isBorrowed() const { return store_ ? store_->engine.first != nullptr : ids_ != nullptr; }
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
  // Returns the bytes after the next World::snapshot(), which copies the engine's ids.
  std::size_t bytesWithCopy() const;

  // Returns OK unless the present id of a block that the engine writes to has no type in the table,
  // and so reads as air; then INVALID_ARGUMENT, with the id.
  absl::Status checkBlock(int index, const BlockTypeTable& types) const;

 private:
  friend class World;  // edits go through the world, which keeps chunks, levels and bounds in step
  friend class internal::LevelMove;
  friend class internal::WorldEdit;

  using IdArray = std::array<BlockTypeId, kBlocksPerChunk>;
  // Holds what the pointer to ids does not describe: the engine's ids in another layout.
  struct IdStore : internal::RefCounted {
    IdStore() = default;
    explicit IdStore(internal::EngineIds lent) : engine(std::move(lent)) {}
    IdStore(const IdStore&) = default;
    IdStore& operator=(const IdStore&) = delete;
    virtual ~IdStore() = default;
    virtual internal::CowPtr<IdStore> clone() const {
      return internal::CowPtr<IdStore>::make(*this);
    }

    internal::EngineIds engine{};  // what is borrowed, if anything
  };
  // Ids of the chunk's own, perhaps a copy of the engine's.
  struct OwnIds final : IdStore {
    internal::CowPtr<IdStore> clone() const override {
      return internal::CowPtr<IdStore>::make<OwnIds>(*this);
    }

    IdArray ids;
  };
  struct Children : internal::RefCounted {
    BlockSet blocks;
  };
  // The blocks [min, max] of a chunk, inclusive, 0 to 15 on each axis.
  struct Box {
    Vec<int, 3> min;
    Vec<int, 3> max;

    // Returns the box of one block, given its index; of the blocks of the chunk at `at` that lie in
    // a box of blocks, of which there must be some; of all blocks.
    static Box of(int index);
    static Box part(const ChunkCoord& at, const BlockCoord& min, const BlockCoord& max);
    static Box whole() { return {{0, 0, 0}, {15, 15, 15}}; }

    bool isWhole() const;
    // Calls `visit(index)` for each block.
    template <class Visit>
    void forEach(const Visit& visit) const {
      for (int z = min[2]; z <= max[2]; ++z) {
        for (int y = min[1]; y <= max[1]; ++y) {
          for (int x = min[0]; x <= max[0]; ++x)
            visit(x + 16 * y + 256 * z);
        }
      }
    }
  };

  static void checkIndex([[maybe_unused]] int index) {
    FRACTALRAY_DCHECK(index >= 0 && index < kBlocksPerChunk, index);
  }

  // The following are all or nothing if memory runs out: they throw std::bad_alloc, and the content
  // is unchanged.

  // Converts a chunk that may have been made with another table to this table, with the same ids.
  // Reads borrowed ids again. INVALID_ARGUMENT, and no change, for an id that is not in the table,
  // also for one that has been written to borrowed ids since.
  absl::Status adopt(const BlockTypeTable& types);
  // Returns true if a block has a type, and not an id without a type, which is read as air.
  bool has(int index, BlockTypeId type) const {
    return block(index) == type &&
           (!store_ || !readsEngine() || store_->engine.type(index) == type);
  }
  // Returns true if a block has a type and the set of occupied blocks says so, which it does not
  // yet for an id that the engine has written since the last refresh.
  bool isUpToDate(int index, BlockTypeId type, const BlockTypeTable& types) const {
    return has(index, type) && isOccupied(index) == !types.isEmptyEverywhere(type);
  }
  // Returns true if edits may set blocks to a type: false if the chunk is borrowed for writing, and
  // no id of its layout stands for the type.
  bool canWrite(BlockTypeId type) const;
  // Sets a block to a type. Requires, for these two: the type is in the table, and the chunk does
  // not borrow, or does so for writing and canWrite() the type.
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

  bool hasIds() const { return ids_ != nullptr || store_; }
  // Returns true if blocks are read from the engine's memory: either by the pointer alone, or by
  // the store alone.
  bool readsEngine() const { return (ids_ != nullptr) != bool(store_); }
  // Returns where the engine's ids are. Requires: isBorrowed().
  internal::EngineIds engineIds() const {
    FRACTALRAY_DCHECK(isBorrowed(), hasIds());
    return store_ ? store_->engine : internal::EngineIds{.first = ids_};
  }
  // Returns a block of a chunk that reads the engine's memory by its store.
  BlockTypeId engineBlock(int index) const;
  // Reads the engine's ids of a box again. For the whole chunk, blocks are read from the engine's
  // memory from then on; else a copy of the ids stays and takes over those of the box.
  // INVALID_ARGUMENT, and no change, for an unknown id. Requires: isBorrowed().
  absl::Status refresh(const Box& box, const BlockTypeTable& types);
  // The same for one block, a little faster.
  absl::Status refresh(int index, const BlockTypeTable& types);
  // Reads the engine's ids of a box into the sets of occupied blocks. Errors as for refresh().
  absl::Status scan(const Box& box, const BlockTypeTable& types, BlockSet::Words& occupied) const;
  // Reads blocks from the engine's memory.
  void readEngine(internal::EngineIds engine);
  // Copies borrowed ids, so that the engine may change them while others read the chunk.
  void copyBorrowed();
  // Makes ids of its own that no other chunk shares, of the same blocks; does nothing if the
  // engine's ids are read.
  void prepareIds();
  // Takes over a store that is an OwnIds.
  void own(internal::CowPtr<IdStore> store) noexcept;
  // Returns the ids of its own, null if the engine's are read or there are none. Requires:
  // prepareIds().
  IdArray* ownIds() noexcept {
    if (readsEngine() || !store_) return nullptr;
    return &static_cast<OwnIds&>(store_.edit()).ids;
  }

  BlockSet occupied_;
  // The ids of store_, or the engine's; null if there are none, or the engine's are read by store_.
  const BlockTypeId* ids_ = nullptr;
  internal::CowPtr<IdStore> store_;
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
