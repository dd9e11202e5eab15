// SPDX-License-Identifier: Apache-2.0
// Entities that belong to blocks: a chest's lock, a torch's flame, what stands on a lift. They move
// with their block, and go when it is removed or unloaded.
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

// Which entities are bound to which blocks, and the edits of world and index that keep both in
// step. The world and the index know nothing of it: what is edited through them directly changes no
// binding.
//
//   BlockBindings bindings(world, entities);
//   absl::Status status = bindings.bind(flame, 0, torch);
//   status = bindings.moveBlock(0, torch, torch + BlockCoord{1, 0, 0});  // and the flame with it
//   status = bindings.unloadChunk(0, chunkOf(torch));  // and the flame is removed
//
// An entity is bound to one block at most, and a block has any number of entities, of any level and
// wherever they are. A block is its level and its index: it keeps what is bound to it when its type
// changes (World::setBlock, fillBox), when its chunk is loaded again, and when it is expanded,
// since what a block expands into is still that block. Entities that are removed in the index are
// bound to nothing from then on; their bindings are dropped when their block or chunk is edited
// here, or their slot is used again, so there are never more bindings than slots. A chunk that is
// unloaded in the world directly leaves its entities where they are until removeUnloaded().
//
// Every call is all or nothing: one that is refused returns the reason, and one for which there is
// not enough memory throws std::bad_alloc. Either leaves the blocks, the entities, the versions of
// both and the bindings as they were, also in a callback of a shot, and while snapshots are held.
// Callbacks see these edits as they see the edits of World and EntityIndex that they are made of.
//
// Not thread-safe while it changes; const use is safe from any thread while nobody changes the
// bindings or the index. Cost of each call, but for what says otherwise: O(log n) in the number of
// bindings, and what is bound to the block or in the chunk that it names; not what is bound
// elsewhere.
class BlockBindings {
 public:
  // Both must outlive it, and must not be assigned another content while anything is bound.
  // Requires: both have the same frame.
  BlockBindings(World& world, EntityIndex& entities);
  BlockBindings(const BlockBindings&) = delete;
  BlockBindings& operator=(const BlockBindings&) = delete;

  // Binds an entity to a block of a loaded chunk, instead of the block that it was bound to, if
  // any. It does not move. NOT_FOUND for a stale handle and where no chunk is loaded; else the
  // errors of World::block.
  absl::Status bind(EntityHandle entity, int level, const BlockCoord& at);
  // Unbinds an entity, which stays where it is. NOT_FOUND for a stale handle, and for an entity
  // that is not bound.
  absl::Status unbind(EntityHandle entity);
  // Drops all bindings; the entities stay. Cost: O(n).
  void clear() noexcept;

  // Returns the block that an entity is bound to, nothing for a stale handle.
  std::optional<BlockOfLevel> blockOf(EntityHandle entity) const;
  // Returns the living entities that are bound to a block, in the order of their slots; or to any
  // block of a chunk, block by block (x + 16 y + 256 z). None for what is not in the world.
  std::vector<EntityHandle> boundTo(int level, const BlockCoord& at) const;
  std::vector<EntityHandle> boundInChunk(int level, const ChunkCoord& at) const;
  // Returns the number of bindings, those counted that are yet to be dropped.
  std::size_t size() const { return by_slot_.size(); }

  // Moves a block as World::moveBlock does, and what is bound to it by as many widths of the level:
  // the entities keep their offsets from it, exactly, and stay bound to it. Errors are those of
  // World::moveBlock; OUT_OF_RANGE for an entity that would reach beyond the frame; and
  // FAILED_PRECONDITION where something is bound to the block at `to`, which is to be unbound, or
  // removed by removeBlock(), first.
  absl::Status moveBlock(int level, const BlockCoord& from, const BlockCoord& to);
  // Sets a block to air and removes the entities that are bound to it. A chunk that it is expanded
  // into stays loaded. Errors are those of World::setBlock.
  absl::Status removeBlock(int level, const BlockCoord& at);
  // Removes a chunk as World::unloadChunk does, and the entities that are bound to its blocks.
  // Chunks of finer levels, and what is bound there, stay. Errors are those of World::unloadChunk.
  absl::Status unloadChunk(int level, const ChunkCoord& at);
  // Takes the bindings along with a move of the frame that a Window has made: what is bound to a
  // block is bound to the same block, by its level and index afterwards. The bindings of evicted
  // entities, and those to blocks of dropped chunks, are dropped; returns the entities of the
  // latter, which stay where they are. To be called after each move, before the bindings are used
  // again. Cost: O(n log n).
  std::vector<EntityHandle> follow(const FrameMove& move);
  // Removes the entities that are bound to blocks whose chunks are not loaded any more; returns how
  // many. Cost: a look-up for each chunk in which anything is bound, and what is removed.
  std::size_t removeUnloaded();

 private:
  // Ordered by level, chunk and block, so that what is bound to a block is side by side, as is what
  // is bound in a chunk.
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
  // Bindings that are side by side.
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
  // Removes the living entities of a range in the index, makes `edit` of the world with it, and
  // drops the range; nothing of all that if `edit` fails.
  absl::Status removeWith(const Range& range, absl::FunctionRef<absl::Status()> edit);

  World& world_;
  EntityIndex& entities_;
  Bindings bindings_;
  BySlot by_slot_;  // of the entity
};

}  // namespace fractalray
