// SPDX-License-Identifier: Apache-2.0
// The entity index: which entities are in which chunks, updated as they move.
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
#include "../core/owned_content.h"
#include "../core/parallel_for.h"
#include "entity.h"

namespace fractalray {

namespace internal {
class Access;
class EntityStore;
}  // namespace internal

// Entities of all levels. Each is stored on its index level, the finest active level whose chunks
// are wider than the entity's radius, in exactly those chunks whose closed cube touches its closed
// shape (never more than 27). Its own level only decides which queries may hit it. The index knows
// no world.
//
// Every edit is all or nothing: refused with the reason, or std::bad_alloc, and the entities, their
// handles and version() are unchanged, also in an effect of a shot and while snapshots are held.
// The same holds for snapshot().
//
// Can be moved, not copied; one that was moved from may only be assigned to or destroyed. Not
// thread-safe while it changes; const use is safe from any thread. To read while another thread
// changes the index, read a snapshot(). docs/entities.md.
class EntityIndex {
 public:
  explicit EntityIndex(const Frame& frame);
  ~EntityIndex();
  EntityIndex(EntityIndex&& other) noexcept;
  EntityIndex& operator=(EntityIndex&& other) noexcept;

  const Frame& frame() const;

  // Adds an entity. ALREADY_EXISTS for the id of a living entity; INVALID_ARGUMENT for an inactive
  // level, a non-finite position, a negative or non-finite size, or a radius that is not below the
  // width of a level-0 chunk; OUT_OF_RANGE for a shape that is not wholly within the frame;
  // RESOURCE_EXHAUSTED past 2^26 entities, or if an index level may get more than 2^28 pages (32
  // GiB; each is for up to eight entities of a chunk): then add(), and a move() or update() into
  // other chunks, are refused until entities are removed.
  absl::StatusOr<EntityHandle> add(const EntitySpec& spec);
  // Moves an entity to another position, in finest-block widths. NOT_FOUND for a stale handle,
  // INVALID_ARGUMENT and OUT_OF_RANGE as above. Cost: touches no table if the chunks stay the same;
  // allocates only if a chunk, or the index, holds more than ever before. O(log areas) if the first
  // entity enters an area (16 chunks wide) or the last one leaves it, as for all edits.
  absl::Status move(EntityHandle entity, const Vec3d& position);
  // Gives an entity another level, class, shape, position or categories, or several of them; it
  // keeps its id and its handle. NOT_FOUND for a stale handle, INVALID_ARGUMENT and
  // OUT_OF_RANGE as for add(). An update that changes nothing leaves version() unchanged. A
  // running shot that has gathered the entity keeps the hit it had, as for move(). Cost of another
  // level, class or categories: a write to the record; of another position: a move; of another
  // shape: the entity leaves its chunks and enters those of the new shape, with memory as for
  // move().
  absl::Status update(EntityHandle entity, const EntityUpdate& update);
  // Removes an entity; its handle is stale from then on. NOT_FOUND for a stale handle.
  absl::Status remove(EntityHandle entity);

  // Makes many edits, in order, all or none; the error is that of the first edit that is refused,
  // with its number. The later of two moves of an entity wins; two updates are both applied; two
  // removals are an error. None at all leave version() unchanged. Cost: less than one by one, and
  // least for entities in the order in which they were added, because of prefetching. moveAll() of
  // more than 4,096 entities takes 24 bytes for each, and keeps them for later calls.
  absl::StatusOr<std::vector<EntityHandle>> addAll(std::span<const EntitySpec> specs);
  absl::Status moveAll(std::span<const EntityMove> moves);
  absl::Status updateAll(std::span<const EntityChange> changes);
  absl::Status removeAll(std::span<const EntityHandle> entities);

  // Moves up to `most` entities that a descent of the frame (Window) has left in chunks of a
  // coarser level into those of their index level; returns true if none are left. Changes no answer
  // and no version: queries then test fewer entities in a chunk, which matters where many stand
  // still. Call it in the ticks after a descent, with as many as a tick has time for: some 0.3 to 1
  // us each. Looks at no more than 64 * (most + 1) entities that need no move, and then returns
  // false, too.
  bool refine(std::size_t most);

  // Puts the entities of crowded chunks, those of more than 16, in order by position, so that
  // queries along a line read only those near the line. Changes no answer and no version, and no
  // snapshot: call it once a tick, after the moves and before many queries. An entity that changes
  // later is found as without it. Returns the number of chunks that were put in order: those that
  // are crowded and have changed since the last call. Cost: some tens of ns for each entity in
  // them, on the threads of `parallel_for`, and the first time O(chunks); later moves of these
  // entities take a few ns more. If memory runs out, std::bad_alloc passes through, as does an
  // exception of `parallel_for`: then some chunks are in order, and nothing else has changed.
  std::size_t optimize(ParallelFor parallel_for = runSerially);

  // Returns an immutable view of the index at this moment: any thread may query it while this index
  // is changed, assigned to or destroyed. Handles of this index mean the same entities in the view;
  // the handle of an entity added later is stale there. Services and searches take it like any
  // index. Requires: called on the thread that may change the index; the view may be dropped on any
  // thread. Cost: a reference count for every 64 entities and every 32 pages, and copies of the
  // tables of areas. Removed entities cost no more than 8 bytes, set to zero, for each 64 slots
  // before the last living one, and for each 32 pages. Parts that change from then on are first
  // copied, once per snapshot, in blocks of some kilobytes, unless no snapshot is held any more.
  // docs/entities.md has figures.
  std::shared_ptr<const EntityIndex> snapshot();

  // Returns the entity, null for a stale handle. Valid until the index changes.
  const Entity* find(EntityHandle entity) const;
  // Returns the living entity with an id. Cost: a hash look-up; on a snapshot, which has no table
  // of ids, O(slots).
  std::optional<EntityHandle> findId(EntityId id) const;
  std::size_t size() const;
  // Returns every living entity, in the order of slots.
  std::vector<EntityHandle> all() const;

  // Returns the chunks of an entity, sorted by x, then y, then z; empty for a stale handle.
  std::vector<ChunkCoord> chunks(EntityHandle entity) const;

  // Returns the version of the content, which identifies the index that an answer was computed on.
  // It grows by one with every successful call that changes the index, and with an assignment or
  // std::swap; a move to the present position counts too. Equal versions of one index mean equal
  // content. A snapshot has the version of the index when it was taken.
  std::uint64_t version() const;

 private:
  friend class internal::Access;

  explicit EntityIndex(std::unique_ptr<internal::EntityStore> store);

  internal::OwnedContent<internal::EntityStore> store_;
};

}  // namespace fractalray
