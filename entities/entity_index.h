// SPDX-License-Identifier: Apache-2.0
// The entity index: which entities are in which chunks, kept while they move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/frame.h"
#include "../core/level_mask.h"
#include "entity.h"

namespace fractalray {

namespace internal {
class EntityStore;
}

// Entities of all levels. Each is kept on its index level, the finest active level with
// radius < C(level), in exactly the chunks of it whose closed cube touches its closed shape (never
// more than 27), whether or not these chunks are loaded; its own level only says who may hit it.
// (After a descent of the frame, entities stay where they are until they leave these chunks, which
// are of a coarser level then, or refine() is called: no answer depends on it.)
//
// Chunks are by index level, not by anything that is loaded: the index knows no world. Memory of
// entities that have gone is kept for those to come. Can be moved, not copied; one that was moved
// from may only be assigned to or destroyed. Not thread-safe while it changes; const use is safe
// from any thread. For readers next to a writer there is snapshot().
//
// Every edit is all or nothing. A refused one returns the reason; one for which there is not
// enough memory throws std::bad_alloc. Either leaves the entities, their handles and version() as
// they were, also where it edits many, is called by an effect of a shot, or while snapshots are
// held. So does a snapshot() for which there is not enough memory.
class EntityIndex {
 public:
  explicit EntityIndex(const Frame& frame);
  ~EntityIndex();
  EntityIndex(EntityIndex&& other) noexcept;
  EntityIndex& operator=(EntityIndex&& other) noexcept;

  const Frame& frame() const;

  // Adds an entity. ALREADY_EXISTS for an id that lives; INVALID_ARGUMENT for an inactive level, a
  // non-finite position, a negative or non-finite size or a radius that is not below C(0);
  // OUT_OF_RANGE for a position, or a shape that reaches, beyond the frame.
  absl::StatusOr<EntityHandle> add(const EntitySpec& spec);
  // Moves an entity to another position, in finest-block widths. NOT_FOUND for a stale handle,
  // INVALID_ARGUMENT and OUT_OF_RANGE as above. Cost: no table is touched where the chunks stay the
  // same; nothing is allocated unless a chunk, or the whole, holds more than ever before.
  absl::Status move(EntityHandle entity, const Vec3d& position);
  // Gives an entity another level, class, shape, position or categories, or several of them; it
  // keeps its id and its handle. NOT_FOUND for a stale handle, INVALID_ARGUMENT and
  // OUT_OF_RANGE as for add(). An update that changes nothing is no change: version() stays. A
  // running shot that has gathered the entity keeps the hit it had, as for move(). Cost: of level,
  // class and categories, a write to its record; of a position, a move; of a shape, it leaves its
  // chunks and enters those of the new shape, with memory as for move().
  absl::Status update(EntityHandle entity, const EntityUpdate& update);
  // Removes an entity; its handle is stale from then on. NOT_FOUND for a stale handle.
  absl::Status remove(EntityHandle entity);

  // Makes many edits, in order: all of them or, with the error of the first that is refused and its
  // number, nothing. An entity moved twice is where the later move says; one removed twice is an
  // error; one updated twice is as both updates make it. Cost: less than one by one, and least for
  // entities in the order in which they were added, since what is needed next is fetched ahead.
  absl::StatusOr<std::vector<EntityHandle>> addAll(std::span<const EntitySpec> specs);
  absl::Status moveAll(std::span<const EntityMove> moves);
  absl::Status updateAll(std::span<const EntityChange> changes);
  absl::Status removeAll(std::span<const EntityHandle> entities);

  // Moves up to `most` entities that a descent of the frame (Window) has left in chunks of a
  // coarser level into those of their index level; returns true if none are left. Changes no answer
  // and no version: queries then test fewer entities in a chunk, which matters where many stand
  // still. Call it in the ticks after a descent, with as many as a tick has time for: some 0.3 to 1
  // us each.
  bool refine(std::size_t most);

  // Returns the index as it is now, for good: any thread may query it while this one keeps
  // changing, is assigned to or destroyed. Handles of this index mean the same entities in it; one
  // of an entity that was added later is detected as stale. Services and searches take it like any
  // index. It may be dropped on any thread, but is taken by the one who may change the index.
  // Cost: a count up for every 64 entities and every 32 pages, and copies of the tables of areas.
  // Parts that change from then on are copied first, once a snapshot, in blocks of some kilobytes,
  // unless no snapshot is held any more. docs/entities.md has figures.
  std::shared_ptr<const EntityIndex> snapshot();

  // Returns the entity, null for a stale handle. Valid until the index changes.
  const Entity* find(EntityHandle entity) const;
  // Returns the living entity of an id. Cost: a look-up; on a snapshot, which has no such table,
  // one at each slot.
  std::optional<EntityHandle> findId(EntityId id) const;
  std::size_t size() const;
  // Returns every living entity, in the order of slots.
  std::vector<EntityHandle> all() const;

  // Returns the chunks of an entity, sorted by x, then y, then z; empty for a stale handle.
  std::vector<ChunkCoord> chunks(EntityHandle entity) const;
  // Returns the entities of an index level in one of its chunks, in no order. Allocates: for tools
  // and tests.
  std::vector<EntityHandle> inChunk(int index_level, const ChunkCoord& chunk) const;
  // Returns log2 of the width, in chunks, of an aligned cube around `chunk` with no entity of that
  // index level; nothing if the chunk holds one. Requires: an active level.
  std::optional<int> emptyCubeLog2(int index_level, const ChunkCoord& chunk) const;
  // Returns the index levels of the entities whose own level is in the mask. Cost: O(1), or
  // O(entities) after a descent of the frame.
  LevelMask indexLevels(LevelMask own_levels) const;

  // Returns a number of the present content, for answers to name what they were computed on: it
  // grows with every successful change, by one a call; a move to where the entity is counts too.
  // Equal numbers of one index mean equal content. A snapshot has that of the index when it was
  // taken.
  std::uint64_t version() const;

  // Returns the content, for the library's own modules.
  const internal::EntityStore& store() const { return *store_; }
  internal::EntityStore& editStore() { return *store_; }

 private:
  explicit EntityIndex(std::unique_ptr<internal::EntityStore> store);

  // Returns the coarsest level in whose grid entities of an index level may be.
  int coarsestGrid(int index_level) const;
  // Returns true if an entity touches a chunk of its index level.
  bool touches(const Entity& entity, const ChunkCoord& chunk) const;

  std::unique_ptr<internal::EntityStore> store_;
};

}  // namespace fractalray
