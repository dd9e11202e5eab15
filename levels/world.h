// SPDX-License-Identifier: Apache-2.0
// The block world: its levels, what is loaded of them, and every edit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/frame.h"
#include "../core/frame_move.h"
#include "../core/level_mask.h"
#include "../core/vec.h"
#include "block_type.h"
#include "chunk.h"

namespace fractalray {

namespace internal {
class Level;
struct WorldContent;
}  // namespace internal

// A box of chunks of one level, inclusive.
struct ChunkBox {
  ChunkCoord min{};
  ChunkCoord max{};
};

struct WorldOptions {
  // Active levels, 1 to kMaxLevels; level 0 is the coarsest.
  int levels = 1;
  // A table shared with other worlds; a new one if none is given.
  std::shared_ptr<BlockTypeTable> block_types = nullptr;
};

// The chunks of 1 to 10 active levels. Every block may be expanded into a chunk of the next finer
// level, which fills the same space; a chunk may be loaded without its parent. Cells are given by
// their index over the whole frame. All derived sets (occupancy, expanded blocks, bounds) are true
// after every call.
//
// Errors of every call that names a cell: INVALID_ARGUMENT for an inactive level or an unknown
// block type, OUT_OF_RANGE for a cell outside of the frame, NOT_FOUND where no chunk is loaded;
// then nothing has changed. If memory runs out, std::bad_alloc of operator new passes through,
// and nothing has changed either (the strong guarantee): not the blocks, not the version, not what
// the engine has lent; also where a snapshot is held, and in a callback. The call may be made
// again. Not thread-safe while it changes; const use is safe from any thread. A thread that reads
// while another thread changes the world reads a snapshot() of it.
class World {
 public:
  // Requires: 1 <= options.levels <= kMaxLevels.
  explicit World(const WorldOptions& options = {});
  ~World();
  // A world that was moved from may only be assigned to or destroyed.
  World(World&& other) noexcept;
  World& operator=(World&& other) noexcept;

  const Frame& frame() const { return frame_; }
  BlockTypeTable& blockTypes() { return *block_types_; }
  const BlockTypeTable& blockTypes() const { return *block_types_; }

  // Returns the mask of the `count` finest levels (at most all that there are), and of all of them.
  LevelMask finest(int count) const;
  LevelMask allLevels() const { return LevelMask::range(0, frame_.levels() - 1); }

  // Returns the loaded chunk at an index, null if there is none or it is not in the frame. Cost: at
  // most one hash look-up.
  const Chunk* chunk(int level, const ChunkCoord& at) const;
  // Returns what is there; kAbsent outside of the frame.
  ChunkState chunkState(int level, const ChunkCoord& at) const;

  // Counts of a level. Requires, for all that follow: the level is active.
  std::size_t loadedChunks(int level) const;
  std::size_t protoChunks(int level) const;
  // Returns the box of the loaded chunks of a level, always exact; nothing if none is loaded.
  std::optional<ChunkBox> loadedBox(int level) const;
  // Calls `visit` for every loaded chunk of a level, in the order of their indices (x first). Cost:
  // a sort.
  void forEachLoaded(int level,
                     absl::FunctionRef<void(const ChunkCoord&, const Chunk&)> visit) const;

  // Loads a chunk, in place of whatever was there. One that was made with another table of block
  // types is what its ids are in this world's. INVALID_ARGUMENT, with the block, for an id that
  // this world's table does not contain.
  absl::Status loadChunk(int level, const ChunkCoord& at, Chunk chunk);
  // Puts a placeholder; does nothing where one is. ALREADY_EXISTS where the chunk is loaded.
  absl::Status placeProtoChunk(int level, const ChunkCoord& at);
  // Removes a loaded or proto chunk; its expanded blocks stay expanded. NOT_FOUND where there is
  // none.
  absl::Status unloadChunk(int level, const ChunkCoord& at);
  // Loads the chunk into which a block of a loaded chunk expands, on the next finer level: 4096
  // blocks of the block's own type. ALREADY_EXISTS where that chunk is loaded, INVALID_ARGUMENT on
  // the finest level, and for a block that an engine has made one of an unknown type.
  absl::Status expandBlock(int level, const BlockCoord& at);
  // Takes over changes that the engine has made to borrowed ids: all that it has written, also
  // where a snapshot has made the chunk read a copy meanwhile. FAILED_PRECONDITION for a chunk that
  // does not borrow. INVALID_ARGUMENT, with the block, for an id that the table does not contain;
  // until a refresh succeeds no shot hits a block with such an id.
  absl::Status refreshChunk(int level, const ChunkCoord& at);

  // Returns the type of a block of a loaded chunk; if it borrows, what the engine has written,
  // which may be an id that the table does not contain. Cost: one hash look-up.
  absl::StatusOr<BlockTypeId> block(int level, const BlockCoord& at) const;
  // Sets a block. In a chunk that is borrowed for writing (Chunk::borrowedForWriting) the engine's
  // id is written too, and it stays borrowed. FAILED_PRECONDITION for one that is borrowed to be
  // read: the engine may write to its ids and call refreshChunk, or load the chunk again, borrowed
  // for writing or as a copy.
  absl::Status setBlock(int level, const BlockCoord& at, BlockTypeId type);
  // Moves a block of a level: what is at `to` gets its type, and air is left where it was. Both
  // happen or neither. FAILED_PRECONDITION where either chunk is borrowed to be read, as for
  // setBlock, and where either block has a loaded chunk on the next finer level, which would stay
  // where it is: unload that first. INVALID_ARGUMENT, too, for a block that an engine has made one
  // of an unknown type. Moved onto itself, it stays what it is. Cost: copies of both chunks' ids.
  absl::Status moveBlock(int level, const BlockCoord& from, const BlockCoord& to);
  // Sets every block of the box [min, max] (inclusive; INVALID_ARGUMENT where min > max). All
  // chunks of the box must be loaded and not borrowed to be read, as for setBlock: all of it is
  // changed or nothing. Chunks that the box covers become uniform, where they do not borrow.
  absl::Status fillBox(int level, const BlockCoord& min, const BlockCoord& max, BlockTypeId type);

  // Returns the world as it is now, for good: any number of threads may query it while one keeps
  // changing this world, and any of them may drop it. It needs neither this world nor the engine's
  // memory.
  //
  // It shares all of its parts with this world. From then on an edit copies what it changes and is
  // shared: the look-up tables of the level, once a snapshot, and the region of 4 x 4 x 4 chunks,
  // once each. Ids that are borrowed and have been loaded or refreshed since the last snapshot are
  // copied, 8 KiB a chunk, and this world reads the copy, too: until its next refreshChunk() such a
  // chunk is as of the last one, whatever the engine writes. The table of block types is copied
  // where it has grown.
  //
  // Requires: nothing has been written to the borrowed ids that it copies since they were loaded or
  // refreshed. Cost: that of the copies, and a count up for each level. Called by the thread that
  // edits.
  std::shared_ptr<const World> snapshot();

  // Returns a number of the content, for answers to name what they were computed on: it grows
  // with every successful change. Equal numbers of one world and of its snapshots mean equal
  // content; those of different worlds say nothing of each other, and unequal ones do not mean that
  // any block differs. Block types and channels that were added do not count, since no block is any
  // different for it.
  std::uint64_t version() const;

  // Returns the content, for the library's own modules.
  const internal::WorldContent& content() const { return *content_; }
  // The chunks that a move of the frame drops: their number, loaded and proto, and the memory of
  // levels that are dropped whole, freed with its last owner, on any thread.
  struct Dropped {
    std::size_t chunks = 0;
    std::shared_ptr<const void> content;
  };
  // Moves the frame, for Window, which moves the entities too. If memory runs out, throws
  // std::bad_alloc and has changed nothing. Requires: move.frame() == frame().
  Dropped moveFrame(const FrameMove& move);

 private:
  // The change of the parent's chunk when one of its children comes or goes.
  struct ParentEdit;
  // The change of one chunk of a box that is filled.
  struct Fill;

  // Makes a snapshot.
  World(const World& live, std::shared_ptr<BlockTypeTable> types);

  absl::Status checkPlace(int level, const ChunkCoord& at) const;
  absl::Status checkType(BlockTypeId type) const;
  absl::Status checkLoaded(int level, const ChunkCoord& at) const;
  // Checks that the chunk is loaded and its blocks may be set.
  absl::Status checkEditable(int level, const ChunkCoord& at) const;
  // Checks that a block is there, may be set and is not made of a finer chunk.
  absl::Status checkMovable(int level, const BlockCoord& at) const;
  // Returns the level, to be changed.
  internal::Level& levelAt(int level);

  // An edit first does what may throw, reserving the log among it. Then it changes everything, and
  // calls one of these, which count a version and log what has changed: all blocks of a box, or of
  // a chunk.
  void noteBlocks(int level, const BlockCoord& min, const BlockCoord& max);
  void noteChunk(int level, const ChunkCoord& at);
  // Puts a chunk and collects which of its blocks have a loaded child.
  void put(int level, const ChunkCoord& at, Chunk chunk);
  void collectChildren(int level, const ChunkCoord& at, Chunk& chunk) const;
  ParentEdit prepareParent(int level, const ChunkCoord& at, bool loaded);
  Fill prepareFill(int level, const ChunkCoord& at, const BlockCoord& min, const BlockCoord& max,
                   BlockTypeId type);
  void finish(int level, Fill& fill, BlockTypeId type) noexcept;

  Frame frame_;
  std::shared_ptr<BlockTypeTable> block_types_;
  std::unique_ptr<internal::WorldContent> content_;
};

}  // namespace fractalray
