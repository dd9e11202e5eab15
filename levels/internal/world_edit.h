// SPDX-License-Identifier: Apache-2.0
// One edit of a world: first all that may run out of memory, then the change, which cannot fail.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <vector>

#include "../../core/cow_ptr.h"
#include "../../core/frame.h"
#include "../../core/vec.h"
#include "../block_type.h"
#include "../chunk.h"
#include "chunk_bounds.h"
#include "level.h"
#include "world_content.h"

namespace fractalray::internal {

// A box of blocks of one level, inclusive.
struct BlockBox {
  BlockCoord min{};
  BlockCoord max{};
};
// Returns the box of the blocks of a chunk.
BlockBox blocksOf(const ChunkCoord& at);

// Prepares an edit of one level, and commits it. An edit that ends without a commit, by an error or
// by std::bad_alloc, has changed nothing. Usable once; not thread-safe.
class WorldEdit {
 public:
  // Announces the edit to the queries in progress on this thread, and makes the level the world's
  // own. May throw std::bad_alloc. Requires: the level is active.
  WorldEdit(WorldContent& content, const Frame& frame, int level);
  ~WorldEdit();
  WorldEdit(const WorldEdit&) = delete;
  WorldEdit& operator=(const WorldEdit&) = delete;

  // Preparation. All of these throw std::bad_alloc if memory runs out.

  // Makes a loaded chunk, and the parts that lead to it, the world's own: what snapshots hold too
  // is copied. Requires of a chunk that was found before: none has been owned since.
  OwnChunk own(const ChunkCoord& at) { return own(changed_.at(at)); }
  OwnChunk own(const ChunkAt& found) { return changed_.own(found); }
  // Lets the commit replace the content of a chunk.
  void prepare(const OwnChunk& chunk, Chunk content);
  // Lets it set a box of blocks to a type, which is also written to the engine's ids. If the same
  // chunk was prepared just before, builds on that.
  void prepareFill(const OwnChunk& chunk, const Chunk::Box& box, BlockTypeId type,
                   const BlockTypeTable& types);
  // Let it load a chunk, or unload one that is loaded or proto: each at another index, and those
  // that are unloaded last.
  void prepareLoad(const ChunkCoord& at, Chunk chunk);
  void prepareUnload(const ChunkCoord& at);
  // Puts a placeholder, with nothing left to be prepared. Requires: the chunk is not loaded.
  void putProto(const ChunkCoord& at) { changed_.putProto(at); }
  // Lists a chunk whose ids the next snapshot is to copy; one that is listed in vain leaves it
  // nothing to copy.
  void listBorrowed(const ChunkCoord& at) { content_.borrowed.insert({level_, at}); }

  // Makes the change, of all that was prepared; counts a version for each box of blocks that has
  // changed, or for each chunk that is loaded or unloaded, and logs it.
  void commit(std::initializer_list<BlockBox> boxes) noexcept;
  void commitLoads() noexcept;
  // Does the same for a chunk that is its own and has been changed already.
  void commit(const OwnChunk& changed, const BlockBox& box) noexcept;

 private:
  // The new content of a chunk.
  struct Replacement {
    OwnChunk chunk;
    Chunk content;
    std::optional<Chunk::Box> filled{};  // the blocks whose type the engine's ids get
    BlockTypeId type = kAir;
  };
  // A chunk to be loaded, or unloaded if it has no content.
  struct Load {
    OwnChunk slot;
    std::optional<Chunk> content{};
    ChunkBounds::Reservation bounds{};
  };
  // A chunk of the next coarser level, some of whose blocks get a loaded child or lose it.
  struct ParentEdit {
    Chunk* chunk = nullptr;
    CowPtr<Chunk::Children> children;
  };

  void collectChildren(const ChunkCoord& at, Chunk& chunk) const;
  void prepareParent(const ChunkCoord& child, bool loaded);
  void note(const BlockBox& box) noexcept;

  WorldContent& content_;
  const Frame& frame_;
  int level_;
  Level& changed_;
  std::vector<Replacement> replacements_;
  std::vector<Load> loads_;
  std::map<ChunkCoord, ParentEdit> parents_;
};

// Gives a chunk the content back that it had before its blocks were edited. Does not allocate.
// Requires: `before` is a copy of the chunk; since it was made, World::setBlock() or loadChunk()
// has changed the chunk, and no other call has changed the level.
void restoreChunk(WorldContent& content, const Frame& frame, int level, const ChunkCoord& at,
                  Chunk before) noexcept;

}  // namespace fractalray::internal
