// SPDX-License-Identifier: Apache-2.0
// Entities that belong to blocks: a chest's lock, a torch's flame, the passengers of a lift. Such
// entities move with their block, and are removed when the block is removed or unloaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

#include "../core/frame.h"
#include "../core/frame_move.h"
#include "../core/vec.h"
#include "../entities/entity.h"
#include "../entities/entity_index.h"
#include "../levels/world.h"

namespace fractalray {

// A block by its level and index, whatever its type.
struct BlockOfLevel {
  int level = 0;
  BlockCoord block{};

  friend bool operator==(const BlockOfLevel&, const BlockOfLevel&) = default;
};

// Binds entities to blocks, and makes the edits of world and index that keep both in step. These do
// not know of bindings: an edit made through them directly changes none.
//
//   absl::Status status = bindings.bind(flame, 0, torch);
//   status = bindings.moveBlock(0, torch, torch + BlockCoord{1, 0, 0});  // and the flame with it
//
// An entity is bound to one block at most. Every call is all or nothing: refused with the reason,
// or std::bad_alloc, and nothing has changed, also in a callback and while snapshots are held. Not
// thread-safe while it changes; const use is safe from any thread while nobody changes the bindings
// or the index. Cost of a call: O(log n) bindings and the entities bound to what it names.
// docs/entities.md has a table of what each edit does.
class BlockBindings {
 public:
  // World and index must outlive this. While anything is bound, no other world or index may be
  // assigned to them. Requires: both have the same frame.
  BlockBindings(World& world, EntityIndex& entities);
  BlockBindings(const BlockBindings&) = delete;
  BlockBindings& operator=(const BlockBindings&) = delete;

  // Binds an entity to a block of a loaded chunk, instead of the block to which it was bound, if
  // any. The entity does not move. NOT_FOUND for a stale handle and if the chunk is not loaded;
  // else the errors of World::block.
  absl::Status bind(EntityHandle entity, int level, const BlockCoord& at);
  // Unbinds an entity, which stays where it is. NOT_FOUND for a stale handle, and for an entity
  // that is not bound.
  absl::Status unbind(EntityHandle entity);
  // Drops all bindings; the entities stay. Cost: O(n).
  void clear() noexcept;

  // Returns the block to which an entity is bound; nothing for an entity that is not bound and for
  // a stale handle.
  std::optional<BlockOfLevel> blockOf(EntityHandle entity) const;
  // Return the living entities that are bound to a block, in the order of their slots, or to any
  // block of a chunk, block by block (x + 16 y + 256 z). None for a block or chunk that is not in
  // the world.
  std::vector<EntityHandle> boundTo(int level, const BlockCoord& at) const;
  std::vector<EntityHandle> boundInChunk(int level, const ChunkCoord& at) const;
  // Returns the number of bindings, including those of removed entities that are yet to be dropped.
  std::size_t size() const { return by_slot_.size(); }

  // Moves a block as World::moveBlock does, and its entities by as many widths of the level: the
  // entities keep their exact offsets from the block, and stay bound to it. Errors are those of
  // World::moveBlock; OUT_OF_RANGE for an entity that would reach beyond the frame; and
  // FAILED_PRECONDITION if entities are bound to the block at `to`: unbind them, or call
  // removeBlock(), first.
  absl::Status moveBlock(int level, const BlockCoord& from, const BlockCoord& to);
  // Sets a block to air and removes the entities that are bound to it. If the block is expanded,
  // its finer chunk stays loaded. Errors are those of World::setBlock.
  absl::Status removeBlock(int level, const BlockCoord& at);
  // Removes a chunk as World::unloadChunk does, and the entities that are bound to its blocks.
  // Chunks of finer levels, and the entities bound there, stay. Errors are those of
  // World::unloadChunk.
  absl::Status unloadChunk(int level, const ChunkCoord& at);
  // Applies a move of the frame that a Window has made: what is bound to a block stays bound to the
  // same block, by its level and index after the move. Drops the bindings of evicted entities and
  // those to blocks of dropped chunks; returns the entities of the latter, which stay where they
  // are. Call it after each move, before the bindings are used again. Cost: O(n log n).
  std::vector<EntityHandle> follow(const FrameMove& move);
  // Removes the entities that are bound to blocks whose chunks are no longer loaded; returns their
  // number. Cost: a look-up for each chunk with bindings, plus the entities removed.
  std::size_t removeUnloaded();

 private:
  // Ordered by level, chunk and block, so that the bindings of a block are adjacent, as are those
  // of a chunk.
  struct Binding {
    int level = 0;
    ChunkCoord chunk{};
    int index = 0;  // of the block in its chunk
    EntityHandle entity{};

    friend bool operator<(const Binding& x, const Binding& y) {
      return std::tie(x.level, x.chunk, x.index, x.entity.slot) <
             std::tie(y.level, y.chunk, y.index, y.entity.slot);
    }
  };
  using Bindings = std::set<Binding>;
  // Adjacent bindings.
  struct Range {
    Bindings::const_iterator begin;
    Bindings::const_iterator end;
  };

  using BySlot = std::map<std::uint32_t, Bindings::const_iterator>;

  static Binding bindingTo(EntityHandle entity, int level, const BlockCoord& at) {
    return {level, chunkOf(at), indexInChunk(at), entity};
  }
  Range ofBlock(int level, const BlockCoord& at) const;
  Range ofChunk(int level, const ChunkCoord& at) const;
  // Returns the living entities of a range.
  std::vector<EntityHandle> living(const Range& range) const;
  // Drops the bindings of a range.
  void drop(const Range& range) noexcept;
  // Replaces the binding that a slot has. Never allocates.
  void replace(BySlot::iterator slot, const Binding& binding) noexcept;
  // Removes the living entities of a range from the index, makes the `edit` of the world in the
  // same step, and drops the range; does none of that if `edit` fails.
  absl::Status removeWith(const Range& range, absl::FunctionRef<absl::Status()> edit);

  World& world_;
  EntityIndex& entities_;
  Bindings bindings_;
  BySlot by_slot_;  // of the entity
};

}  // namespace fractalray
