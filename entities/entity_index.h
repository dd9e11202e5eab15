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

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "boost/container/small_vector.hpp"
#include "fractalray/core/edit_log.h"
#include "fractalray/core/frame.h"
#include "fractalray/core/level_mask.h"
#include "fractalray/core/paged_vector.h"
#include "fractalray/core/version_count.h"
#include "fractalray/entities/entity.h"
#include "fractalray/entities/entity_chunks.h"
#include "fractalray/entities/entity_grid.h"

namespace fractalray {

// Entities of all levels. Each is kept on its index level, the finest active level with
// radius < C(level), in exactly those chunks of it whose closed cube meets its closed shape (never
// more than 27), whether or not these chunks are loaded; its own level only says who may hit it.
//
// Chunks are by index level, not by anything that is loaded: the index knows no world. Memory of
// entities that have gone is kept for those to come. Can be moved, not copied; one that was moved
// from may only be assigned to or destroyed. Not thread-safe while it changes; const use is safe
// from any thread. For readers beside a writer there is snapshot().
class EntityIndex {
 public:
  explicit EntityIndex(const Frame& frame) : EntityIndex(frame, {}) {}

  const Frame& frame() const { return frame_; }

  // Adds an entity. ALREADY_EXISTS for an id that lives; INVALID_ARGUMENT for an inactive level, a
  // non-finite position, a negative or non-finite size or a radius that is not below C(0);
  // OUT_OF_RANGE for a position, or a shape that reaches, beyond the frame. Then nothing has
  // changed.
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
    return isAlive(entity) ? &record(entity.slot).entity : nullptr;
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
    const Record& record = this->record(slot);
    __builtin_prefetch(&record);
    __builtin_prefetch(&record.place);
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
  using EntityPlace = internal::EntityPlace;

  struct Record {
    Entity entity;
    std::uint32_t generation = 1;  // of the present tenant, or of the next
    // Where the entity is, in the pages of its index level; with kSpread, the number in spreads_ of
    // all the places where it is.
    EntityPlace place = 0;
  };
  static constexpr EntityPlace kSpread = EntityPlace{1} << 31;
  // Places in the order of the chunks. Each has room for one of these numbers of them, from the
  // beginning: so what a spread needs is at hand wherever as many as large were in use before.
  static constexpr std::array<std::size_t, 3> kSpreadSizes = {4, 8, kMaxEntityChunks};
  using Spread = boost::container::small_vector<EntityPlace, kSpreadSizes[0]>;
  using Records = PagedVector<Record, 6>;

  // Slots by their entities' ids, which are read from the records.
  enum class Slot : std::uint32_t {};
  struct IdHash {
    using is_transparent = void;
    std::size_t operator()(EntityId id) const { return absl::Hash<EntityId>()(id); }
    std::size_t operator()(Slot slot) const {
      return (*this)((*records)[static_cast<std::size_t>(slot)].entity.id);
    }
    const Records* records;
  };
  struct IdEqual {
    using is_transparent = void;
    bool operator()(Slot a, Slot b) const { return a == b; }
    bool operator()(Slot slot, EntityId id) const {
      return (*records)[static_cast<std::size_t>(slot)].entity.id == id;
    }
    bool operator()(EntityId id, Slot slot) const { return (*this)(slot, id); }
    const Records* records;
  };

  struct IndexLevel {
    internal::EntityGrid grid;
    std::array<std::size_t, kMaxLevels> count_by_own_level{};
  };

  EntityIndex(const Frame& frame, internal::VersionCount version);

  bool isAlive(EntityHandle entity) const {
    return entity.slot < living_.size() && living_[entity.slot] == entity.generation &&
           entity.generation != 0;
  }
  const Record& record(std::uint32_t slot) const { return (*records_)[slot]; }
  Record& editRecord(std::uint32_t slot) { return records_->edit(slot); }
  IndexLevel& indexLevelOf(const Entity& entity) {
    return index_levels_[static_cast<std::size_t>(int{entity.index_level})];
  }
  absl::Status stale(EntityHandle entity) const;
  // Whether an entity may move there.
  absl::Status checkMove(EntityHandle entity, const Vec3d& position) const;

  // Tells the log of an entity that comes to, or goes from, a position.
  void note(const Entity& entity, const Vec3i& position) {
    if (!edits_.isWatched()) return;
    edits_.note({.level = entity.level,
                 .min = position - entity.shape.half_extents,
                 .max = position + entity.shape.half_extents});
  }

  std::uint32_t takeSlot();
  // What add() and remove() do but for the version. Requires: the slot is taken.
  absl::StatusOr<EntityHandle> addOne(const EntitySpec& spec);
  void removeOne(std::uint32_t slot);
  // What is left of a removal once the handle is stale.
  void vacate(std::uint32_t slot);
  // Moves an entity, without a look at any table where its chunks stay the same.
  void moveTo(std::uint32_t slot, const Vec3i& position);
  // The same where the chunks may change.
  void moveAcross(Record& record, std::uint32_t slot, const Vec3i& position);

  std::span<EntityPlace> placesOf(Record& record);
  std::span<const EntityPlace> placesOf(const Record& record) const;
  void setPlaces(Record& record, std::span<const EntityPlace> places);
  void freePlaces(Record& record);
  // Where in kSpreadSizes the room for so many places is.
  static std::size_t spreadSize(std::size_t places) {
    return places <= kSpreadSizes[0] ? 0 : places <= kSpreadSizes[1] ? 1 : 2;
  }
  // Follows an entity to its other place.
  void relocate(const std::optional<internal::PagePool::Moved>& moved);

  Frame frame_;
  std::unique_ptr<Records> records_;       // by slot; in one place, for by_id_
  PagedVector<std::uint32_t, 10> living_;  // by slot: the generation of who lives there, or 0
  std::size_t size_ = 0;
  std::array<IndexLevel, kMaxLevels> index_levels_;
  internal::VersionCount version_;
  internal::EditLog edits_;

  // What only edits need: nothing of it is in a snapshot.
  bool is_snapshot_ = false;
  std::vector<std::uint32_t> free_slots_;
  absl::flat_hash_set<Slot, IdHash, IdEqual> by_id_;
  std::vector<Spread> spreads_;
  std::array<std::vector<std::uint32_t>, kSpreadSizes.size()> free_spreads_;  // by their room
};

}  // namespace fractalray
