// SPDX-License-Identifier: Apache-2.0
// The entity index: which entities are in which chunks, kept while they move.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/frame.h"
#include "../core/internal/containers/paged_vector.h"
#include "../core/internal/containers/version_counter.h"
#include "../core/internal/edit_log.h"
#include "../core/level_mask.h"
#include "entity.h"
#include "entity_chunks.h"
#include "internal/entity_grid.h"
#include "internal/entity_slots.h"
#include "internal/entity_transfer.h"
#include "internal/id_table.h"

namespace fractalray {

// Entities of all levels. Each is kept on its index level, the finest active level with
// radius < C(level), in exactly those chunks of it whose closed cube meets its closed shape (never
// more than 27), whether or not these chunks are loaded; its own level only says who may hit it.
//
// Chunks are by index level, not by anything that is loaded: the index knows no world. Memory of
// entities that have gone is kept for those to come. Can be moved, not copied; one that was moved
// from may only be assigned to or destroyed. Not thread-safe while it changes; const use is safe
// from any thread. For readers beside a writer there is snapshot().
//
// Every edit is all or nothing. One that is refused returns the reason; one for which there is not
// enough memory throws std::bad_alloc. Either leaves the entities, their handles and version() as
// they were, also where it edits many, is called by an effect of a shot, or while snapshots are
// held. So does a snapshot() for which there is not enough memory.
class EntityIndex {
 public:
  explicit EntityIndex(const Frame& frame) : EntityIndex(frame, {}) {}

  const Frame& frame() const { return frame_; }

  // Adds an entity. ALREADY_EXISTS for an id that lives; INVALID_ARGUMENT for an inactive level, a
  // non-finite position, a negative or non-finite size or a radius that is not below C(0);
  // OUT_OF_RANGE for a position, or a shape that reaches, beyond the frame.
  absl::StatusOr<EntityHandle> add(const EntitySpec& spec);
  // Moves an entity to another position, in finest-block widths. NOT_FOUND for a stale handle,
  // INVALID_ARGUMENT and OUT_OF_RANGE as above. Cost: no table is touched where the chunks stay the
  // same; nothing is allocated unless a chunk, or the whole, holds more than ever before.
  absl::Status move(EntityHandle entity, const Vec3d& position);
  // Removes an entity; its handle is stale from then on. NOT_FOUND for a stale handle.
  absl::Status remove(EntityHandle entity);

  // The same for many, in order: all of it or, with the error of the first that is refused and its
  // number, nothing. An entity moved twice is where the later move says; one removed twice is an
  // error. Cost: less than one by one, and least for entities in the order in which they were
  // added, since what is needed next is fetched ahead.
  absl::StatusOr<std::vector<EntityHandle>> addAll(std::span<const EntitySpec> specs);
  absl::Status moveAll(std::span<const EntityMove> moves);
  absl::Status removeAll(std::span<const EntityHandle> entities);

  // The index as it is now, and stays: any number of threads may query it while this one goes on
  // changing, is assigned to or destroyed. Handles of this index mean the same entities in it; one
  // of an entity that was added later is told as stale. Services and searches take it like any
  // index. It may be dropped on any thread, but is taken by the one who may change the index.
  // Cost: a count up for every 64 entities and every 32 pages, and copies of the tables of areas.
  // What is changed from then on is copied first, once a snapshot, in blocks of some kilobytes,
  // unless no snapshot is held any more. docs/entities.md has figures.
  std::shared_ptr<const EntityIndex> snapshot();

  // The entity, null for a stale handle. Valid until the index changes.
  const Entity* find(EntityHandle entity) const {
    return isAlive(entity) ? &entities_[entity.slot] : nullptr;
  }
  // The living entity of that id. Cost: a look-up; on a snapshot, which has no table of ids, a look
  // at each slot.
  std::optional<EntityHandle> findId(EntityId id) const;
  std::size_t size() const { return size_; }
  // The number of slots; every handle's slot is below it.
  std::size_t slots() const { return living_.size(); }
  // The handle of the living entity in a slot. Requires: there is one.
  EntityHandle handle(std::uint32_t slot) const { return {slot, living_[slot]}; }
  // Asks for the entity in a slot to be brought near, before it is needed.
  void prefetch(std::uint32_t slot) const {
    const Entity& entity = entities_[slot];
    __builtin_prefetch(&entity);
    __builtin_prefetch(&entity.index_level);
  }
  // Every living entity, in the order of slots.
  std::vector<EntityHandle> all() const;

  // The chunks that an entity is indexed in, sorted by x, then y, then z; empty for a stale handle.
  EntityChunks chunks(EntityHandle entity) const;
  // The entities in a chunk of an index level, in no particular order. Allocates: for tools and
  // tests; queries descend grid().
  std::vector<EntityHandle> inChunk(int index_level, const ChunkCoord& chunk) const;
  // log2 of the width, in chunks, of an aligned cube around `chunk` that holds no entity; nothing
  // where that chunk holds one. Requires: an active level.
  std::optional<int> emptyCubeLog2(int index_level, const ChunkCoord& chunk) const {
    return grid(index_level).emptyCubeLog2(chunk);
  }
  // The index levels on which any entity is kept whose own level is in the mask.
  LevelMask indexLevels(LevelMask own_levels) const;

  // What queries descend: entities by slot. Requires: an active level.
  const internal::EntityGrid& grid(int index_level) const {
    return index_levels_[static_cast<std::size_t>(index_level)].grid;
  }

  // The number of the index's present content, for answers to name what they were computed on: it
  // grows with every successful change, by one a call. Equal numbers of one index mean equal
  // content. A snapshot has that of the index when it was taken.
  std::uint64_t version() const { return version_.number(); }

  // What batches of queries are told of edits; on a snapshot, of none.
  const internal::EditLog& edits() const { return edits_; }

 private:
  using ChunkedPosition = internal::ChunkedPosition;

  struct IndexLevel {
    internal::EntityGrid grid;
    std::array<std::size_t, kMaxLevels> count_by_own_level{};
  };

  EntityIndex(const Frame& frame, internal::VersionCounter version);

  bool isAlive(EntityHandle entity) const {
    return entity.slot < living_.size() && living_[entity.slot] == entity.generation &&
           entity.generation != 0;
  }
  IndexLevel& indexLevelOf(const Entity& entity) {
    return index_levels_[static_cast<std::size_t>(int{entity.index_level})];
  }
  std::size_t& countOf(const Entity& entity) {
    const auto own_level = static_cast<std::size_t>(int{entity.level});
    return indexLevelOf(entity).count_by_own_level[own_level];
  }
  absl::Status stale(EntityHandle entity) const;
  // Whether an entity may move there.
  absl::Status checkMove(EntityHandle entity, const Vec3d& position) const;

  // Notes in the log that an entity comes to, or goes from, a position. Does not throw after
  // edits_.reserve().
  void note(const Entity& entity, const Vec3i& position) noexcept;
  void noteMove(const Entity& entity, const Vec3i& from, const Vec3i& to) noexcept;

  // What add() does but for version and log.
  absl::StatusOr<EntityHandle> addOne(const EntitySpec& spec);
  // The entity to be added, or why it may not.
  absl::StatusOr<Entity> entityFrom(const EntitySpec& spec) const;
  // Puts an entity that may be added into the slot on top of free_slots_.
  void occupy(std::uint32_t slot, const Entity& entity);
  void undoAdd(std::uint32_t slot) noexcept;
  // Makes sure that there is a slot on top of free_slots_.
  void prepareSlot();

  // Moves an entity without a look at any table; false, and nothing is done, where its chunks may
  // not stay the same, or are more than two.
  bool moveWithin(std::uint32_t slot, Entity& entity, const Vec3i& position);
  // Moves it to other chunks.
  void moveAcross(std::uint32_t slot, Entity& entity, const Vec3i& position);
  // Moves it back to where it was before its last move that has not been undone.
  void undoMove(std::uint32_t slot, const Vec3i& position) noexcept;
  void fetchAhead(std::span<const EntityMove> moves, std::size_t next);

  // What remove() does, in two steps: the entity leaves its chunks, then its slot.
  void leaveChunks(std::uint32_t slot);
  void undoLeaveChunks(std::uint32_t slot) noexcept;
  void vacate(std::uint32_t slot) noexcept;

  // The chunks of an entity, if it were at that position.
  ChunkedPosition chunkedAt(const Entity& entity, const Vec3i& position) const;
  internal::EntityTransfer transfer(std::uint32_t slot, const ChunkedPosition& from,
                                    const ChunkedPosition& to);
  void dropEmptyAreas() noexcept;

  Frame frame_;
  PagedVector<Entity, 6> entities_;        // by slot
  PagedVector<std::uint32_t, 10> living_;  // by slot: the generation of who lives there, or 0
  std::size_t size_ = 0;
  std::array<IndexLevel, kMaxLevels> index_levels_;
  internal::VersionCounter version_;
  internal::EditLog edits_;

  // What only edits need: nothing of it is in a snapshot.
  bool is_snapshot_ = false;
  internal::IdTable ids_;
  internal::EntitySlots places_;
  std::vector<std::uint32_t> generations_;  // by slot: of who lives there, or will
  std::vector<std::uint32_t> free_slots_;   // has room for all slots
  // Working memory of moveAll(), only its room is used: by move, where the entity was.
  PagedVector<Vec3i, 10> old_positions_;
};

}  // namespace fractalray
