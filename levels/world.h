// SPDX-License-Identifier: Apache-2.0
// The block world: its levels, what is loaded of them, and every edit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/frame.h"
#include "../core/level_mask.h"
#include "../core/owned_content.h"
#include "../core/vec.h"
#include "block_type.h"
#include "chunk.h"

namespace fractalray {

namespace internal {
class Access;
struct ChunkAt;
struct WorldContent;
}  // namespace internal

// A box of chunks of one level, inclusive.
struct ChunkBox {
  ChunkCoord min{};
  ChunkCoord max{};
};

// A change at one chunk index: loads `chunk`, or unloads what is there if `chunk` is empty.
struct ChunkChange {
  ChunkCoord at{};
  std::optional<Chunk> chunk{};
};

struct WorldOptions {
  // Active levels, 1 to kMaxLevels; level 0 is the coarsest.
  int levels = 1;
  // A table shared with other worlds; null for a new one.
  std::shared_ptr<BlockTypeTable> block_types = nullptr;
};

// The chunks of 1 to 10 active levels. Every block may be expanded into a chunk of the next finer
// level, which fills the same space; a chunk may be loaded without its parent. Cells are given by
// their index over the whole frame. All derived sets (occupancy, expanded blocks, bounds) are up to
// date after every call.
//
// Errors of every call that names a cell: INVALID_ARGUMENT for an inactive level or an unknown
// block type, OUT_OF_RANGE for a cell outside of the frame, NOT_FOUND if its chunk is not loaded;
// then nothing has changed. If memory runs out, std::bad_alloc of operator new passes through, and
// nothing has changed either (the strong guarantee): neither the blocks, nor the version, nor ids
// that the engine has lent, even if a snapshot is held or a callback made the call. The call may be
// repeated. Not thread-safe while it changes; const use is safe from any thread. To read while
// another thread changes the world, read a snapshot() of it.
class World {
 public:
  // Requires: 1 <= options.levels <= kMaxLevels.
  explicit World(const WorldOptions& options = {});
  ~World();
  // A world that was moved from may only be assigned to or destroyed. An effect may assign and swap
  // worlds, too: that is an edit of each.
  World(World&& other) noexcept;
  World& operator=(World&& other) noexcept;

  const Frame& frame() const { return frame_; }
  BlockTypeTable& blockTypes() { return *block_types_; }
  const BlockTypeTable& blockTypes() const { return *block_types_; }

  // Return the mask of the `count` finest or coarsest levels (of all if there are fewer, of none if
  // the count is not positive), and of all levels.
  LevelMask finestLevels(int count) const;
  LevelMask coarsestLevels(int count) const;
  LevelMask allLevels() const { return LevelMask::range(0, frame_.levels() - 1); }

  // Returns the loaded chunk at an index; null if there is none or the index is outside of the
  // frame. Cost: at most one hash look-up.
  const Chunk* chunk(int level, const ChunkCoord& at) const;
  // Returns the state of a chunk; kAbsent outside of the frame.
  ChunkState chunkState(int level, const ChunkCoord& at) const;

  // Return the counts of a level. Requires, for these four functions: the level is active.
  std::size_t loadedChunks(int level) const;
  std::size_t protoChunks(int level) const;
  // Returns the smallest box of the loaded chunks of a level; nothing if none is loaded.
  std::optional<ChunkBox> loadedBox(int level) const;
  // Calls `visit` for every loaded chunk of a level, in the order of their indices (x first). Cost:
  // a sort.
  void forEachLoaded(int level,
                     absl::FunctionRef<void(const ChunkCoord&, const Chunk&)> visit) const;

  // Loads a chunk, replacing the one at that index. A chunk that was made with another table of
  // block types keeps its ids, which get their meaning from this world's table. INVALID_ARGUMENT,
  // with the block, for an id that this world's table does not contain.
  absl::Status loadChunk(int level, const ChunkCoord& at, Chunk chunk);
  // Adds a placeholder; does nothing if there is one. ALREADY_EXISTS if the chunk is loaded.
  absl::Status placeProtoChunk(int level, const ChunkCoord& at);
  // Removes a loaded or proto chunk; the finer chunks into which its blocks expand stay. NOT_FOUND
  // if there is none.
  absl::Status unloadChunk(int level, const ChunkCoord& at);
  // Loads and unloads several chunks of a level: all of them or none. The later of two changes at
  // one index counts. Errors as for loadChunk; unloading what is absent changes nothing. Cost: the
  // cost of each change, and of sorting them.
  absl::Status replaceChunks(int level, std::vector<ChunkChange> changes);
  // Loads the blocks of a box [min, max] (inclusive), for chunks of any size: asks `type` for the
  // type of each block once, chunk by chunk, x first. Chunks that the box covers are loaded or
  // replaced, as by loadChunk. Those that it covers in part keep their other blocks, air if they
  // were not loaded: from then on they are loaded, and known. All or nothing, also if `type`
  // throws. INVALID_ARGUMENT if min > max, if the box lies in more than 2^20 chunks, and, with the
  // block, for a type that is not in the table. FAILED_PRECONDITION if the box covers only a part
  // of a chunk that borrows: write to the engine's ids instead, and call refreshBox(). Requires:
  // `type` does not change this world. Cost: the calls of `type`, and for each chunk a
  // Chunk::copied() and a replacement as by replaceChunks().
  absl::Status loadBox(int level, const BlockCoord& min, const BlockCoord& max,
                       absl::FunctionRef<BlockTypeId(const BlockCoord&)> type);
  // Loads the chunk into which a block of a loaded chunk expands, on the next finer level: 4096
  // blocks of the block's own type. ALREADY_EXISTS if that chunk is loaded; INVALID_ARGUMENT on
  // the finest level, and for a block with a borrowed id that the table does not contain.
  absl::Status expandBlock(int level, const BlockCoord& at);
  // Reads borrowed ids again, after the engine has written to them: those of a block, of a box
  // [min, max] (inclusive), or of a chunk. All chunks must borrow, else FAILED_PRECONDITION.
  // INVALID_ARGUMENT, with the id and the block, for an id without a type in the table; until a
  // refresh succeeds no shot hits a block with such an id. After an error nothing has changed.
  //
  // If a snapshot has made a copy of a chunk's ids, refreshBlock and refreshBox update the copy.
  // refreshChunk, and a box that covers the chunk, end its use: the chunk reads the engine's ids
  // again, and the next snapshot copies them.
  //
  // Cost: a block as setBlock, a box by its blocks and chunks, a chunk by its 4096 blocks.
  absl::Status refreshBlock(int level, const BlockCoord& at);
  absl::Status refreshBox(int level, const BlockCoord& min, const BlockCoord& max);
  absl::Status refreshChunk(int level, const ChunkCoord& at);

  // Returns the type of a block of a loaded chunk. If the chunk borrows, the id is that of
  // Chunk::block(), which the table may not contain. Cost: one hash look-up.
  absl::StatusOr<BlockTypeId> block(int level, const BlockCoord& at) const;
  // Sets a block. In a chunk that is borrowed for writing (Chunk::borrowedForWriting) the engine's
  // id is written too, and the chunk stays borrowed. FAILED_PRECONDITION for a chunk that is
  // borrowed only for reading: write the engine's id and call refreshBlock, or load the chunk
  // again, borrowed for writing or as a copy; and for a chunk of a layout in which no id stands for
  // the type (IdLayout::idOf).
  absl::Status setBlock(int level, const BlockCoord& at, BlockTypeId type);
  // Moves a block of a level: sets the block at `to` to its type, and the block at `from` to air.
  // Both change or neither. FAILED_PRECONDITION if either chunk is borrowed only for reading, as
  // for setBlock, and if either block has a loaded chunk on the next finer level, which would not
  // move: unload that first. INVALID_ARGUMENT also for a block with a borrowed id that the table
  // does not contain. Does nothing if both are the same. Cost: copies of both chunks' ids.
  absl::Status moveBlock(int level, const BlockCoord& from, const BlockCoord& to);
  // Sets every block of the box [min, max] (inclusive; INVALID_ARGUMENT if min > max). All chunks
  // of the box must be loaded, and none borrowed only for reading, as for setBlock; else nothing
  // changes. Chunks that the box covers become uniform, unless they borrow: then every id is
  // written.
  absl::Status fillBox(int level, const BlockCoord& min, const BlockCoord& max, BlockTypeId type);

  // Returns an immutable view of the world at this moment: any number of threads may query it
  // while one thread continues to change this world, and any of them may drop it. It needs neither
  // this world nor the engine's memory.
  //
  // It shares all of its parts with this world. From then on an edit first copies the shared parts
  // that it changes: the look-up tables of the level, once per snapshot, and the region of
  // 4 x 4 x 4 chunks, once each. Ids that are borrowed and have been loaded or wholly
  // refreshed since the last snapshot are copied, 8 KiB per chunk, and this world reads the copy,
  // too, until the next refresh of the whole chunk (refreshChunk(), or a refreshBox() that covers
  // it). Until then it sees what the engine writes only in the blocks that a refreshBlock() or
  // refreshBox() names. A table of block types that has grown is copied.
  //
  // Requires: nothing has been written to the borrowed ids that it copies since they were loaded or
  // refreshed. Cost: that of the copies, and a reference count per level. Call it on the thread
  // that edits.
  std::shared_ptr<const World> snapshot();

  // Returns the version of the content, which identifies the world that an answer was computed on.
  // It grows with every successful change, assignment and std::swap included. Equal versions of one
  // world and its snapshots mean equal content. Versions of different worlds cannot be compared,
  // and unequal versions may have equal content. Adding block types and channels does not change
  // the version, since it changes no block.
  std::uint64_t version() const;

 private:
  friend class internal::Access;

  // Makes a snapshot.
  World(const World& live, std::shared_ptr<BlockTypeTable> types);

  absl::Status checkLevel(int level) const;
  absl::Status checkIndex(int level, const ChunkCoord& at) const;
  absl::Status checkType(BlockTypeId type) const;
  // Returns a loaded chunk, or the error if there is none.
  absl::StatusOr<internal::ChunkAt> loadedAt(int level, const ChunkCoord& at) const;
  // Returns the type of a block of a loaded chunk; INVALID_ARGUMENT if it has an id without a type.
  absl::StatusOr<BlockTypeId> knownBlock(const internal::ChunkAt& found, int index) const;
  // Checks that blocks of a loaded chunk may be set to the type.
  absl::Status checkEditable(int level, const internal::ChunkAt& found, BlockTypeId type) const;
  // Checks that a block may be set to the type and has no loaded finer chunk.
  absl::Status checkMovable(int level, const internal::ChunkAt& found, const BlockCoord& at,
                            BlockTypeId type) const;
  // Checks that a loaded chunk borrows.
  static absl::Status checkRefreshable(int level, const internal::ChunkAt& found);
  // Returns the status of a chunk's content with the name of the chunk before its message.
  static absl::Status withChunk(int level, const ChunkCoord& at, std::string_view what,
                                const absl::Status& status);
  // Refreshes the blocks [min, max] of one chunk, which are also given as Chunk::refresh() takes
  // them.
  template <class Blocks>
  absl::Status refreshIn(int level, const ChunkCoord& at, const BlockCoord& min,
                         const BlockCoord& max, const Blocks& blocks);
  // Returns what becomes of a chunk when a box is loaded.
  absl::StatusOr<Chunk> withLoaded(int level, const ChunkCoord& at, const BlockCoord& min,
                                   const BlockCoord& max,
                                   absl::FunctionRef<BlockTypeId(const BlockCoord&)> type) const;

  Frame frame_;
  std::shared_ptr<BlockTypeTable> block_types_;
  internal::OwnedContent<internal::WorldContent> content_;
};

}  // namespace fractalray
