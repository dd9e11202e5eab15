// SPDX-License-Identifier: Apache-2.0
// The content of an EntityIndex: its entities by slot, and their entries in the grid of a level: of
// their index level, except after a descent of the frame (entity_frame_move.h).
//
// An entity's shape lies in the chunks [first, last] of its grid's level, never more than 3 on an
// axis, and in each of them it has an entry on a page of eight, with its bounding sphere reduced to
// 16 bits there. So a move is one of these, the cheapest first:
//
//   chunks before       chunks after        what is written
//   one, or two         the same            the reduced centres on the pages: moveWithin()
//   any                 others, or > 2      entries that are left, entered and kept: EntityTransfer
//   any, another shape  any                 all chunks are left, then others entered:
//   or another grid                         changeChunks()
//
//        +-------+-------+        +-------+-------+          +-------+-------+
//        |       |       |        |       |       |          |       |       |
//        |  o ---|--> no |        |      (o) same |          |     (o --> o) |
//        |       |       |        |       | two   |          |       |  left  entered
//        +-------+-------+        +-------+-------+          +-------+-------+
//
// Two chunks side by side need no test of which of them the shape overlaps: a shape that reaches
// both along an axis overlaps both. With four or more a sphere may miss the corner ones, so the
// transfer finds them out exactly (overlappedChunks).
//
// All or nothing: every edit first makes the memory that it may need (prepareSlot(),
// ensureCapacity(), reserve(), and what a transfer prepares), and only then changes anything. An
// edit of many entities that runs out of memory half-way undoes what it has done, in reverse order:
// an undo never allocates, since the entries that were left are still free and areas that became
// empty are kept until dropEmptyAreas() at the end.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../core/check.h"
#include "../../core/frame.h"
#include "../../core/frame_move.h"
#include "../../core/internal/containers/page_use.h"
#include "../../core/internal/containers/paged_vector.h"
#include "../../core/internal/edit_log.h"
#include "../../core/level_mask.h"
#include "../../core/owned_content.h"
#include "../entity.h"
#include "../entity_limits.h"
#include "entity_chunks.h"
#include "entity_grid.h"
#include "entity_slots.h"
#include "entity_transfer.h"
#include "free_slots.h"
#include "id_table.h"

namespace fractalray::internal {

// Methods that EntityIndex has too do what is said there. Thread safety as there.
class EntityStore {
 public:
  // A slot is occupied up to that generation, and the grid of a level has so many pages; tests
  // choose lower limits. Grids that a later move of the frame makes have kMaxPages.
  explicit EntityStore(const Frame& frame, std::uint32_t last_generation = kMaxEntityGeneration,
                       std::uint32_t most_pages = PagePool::kMaxPages)
      : frame_(frame), free_slots_(last_generation) {
    for (LevelGrid& level : level_grids_)
      level.grid.limitPages(most_pages);
  }

  const Frame& frame() const { return frame_; }

  absl::StatusOr<EntityHandle> add(const EntitySpec& spec);
  absl::Status move(EntityHandle entity, const Vec3d& position);
  absl::Status update(EntityHandle entity, const EntityUpdate& update);
  absl::Status remove(EntityHandle entity);
  absl::StatusOr<std::vector<EntityHandle>> addAll(std::span<const EntitySpec> specs);
  absl::Status moveAll(std::span<const EntityMove> moves);
  absl::Status updateAll(std::span<const EntityChange> changes);
  absl::Status removeAll(std::span<const EntityHandle> entities);

  // An edit of something else that becomes one with an edit of the index. It is called once, when
  // nothing of the index's own edit can fail any more. If it fails or throws, that edit is undone
  // and its error returned. Requires: it is all or nothing itself, and does not use the index.
  using Commit = absl::FunctionRef<absl::Status()>;
  // Moves entities by an offset in units, exactly wherever they are. Errors as for moveAll(), and
  // those of `commit`.
  absl::Status shiftAll(std::span<const EntityHandle> entities, const Vec3i& offset, Commit commit);
  absl::Status removeAll(std::span<const EntityHandle> entities, Commit commit);

  // The entities that a move of the frame evicts: their ids, ascending, and the memory of grids
  // that were replaced, freed with its last owner, on any thread.
  struct Evicted {
    std::vector<EntityId> ids;
    std::shared_ptr<const void> content;
  };
  // Moves the frame. Returns the error of `commit`, if any; throws std::bad_alloc if memory runs
  // out. Either changes nothing. Requires: move.frame() == frame().
  absl::StatusOr<Evicted> moveFrame(const FrameMove& move, Commit commit);

  bool refine(std::size_t most);
  std::size_t optimize(ParallelFor parallel_for);

  // Returns a store with the content of this one, for a snapshot: with no slots after those that
  // living entities occupy, and no records but theirs.
  std::unique_ptr<EntityStore> share();

  const Entity* find(EntityHandle entity) const {
    return isAlive(entity) ? &entities_[entity.slot] : nullptr;
  }
  std::optional<EntityHandle> findId(EntityId id) const;
  std::size_t size() const { return size_; }
  // Returns the number of slots; every handle's slot is below it.
  std::size_t slots() const { return living_.size(); }
  // Returns true if a living entity occupies the slot. Requires: slot < slots().
  bool isOccupied(std::uint32_t slot) const {
    FRACTALRAY_DCHECK(slot < slots(), slot, slots());
    return living_[slot] != 0;
  }
  // Returns the handle of the living entity in a slot. Requires: there is one.
  EntityHandle handle(std::uint32_t slot) const {
    FRACTALRAY_DCHECK(isOccupied(slot), slot);
    return {slot, living_[slot]};
  }
  // Prefetches the entity in a slot. Requires: slot < slots().
  void prefetch(std::uint32_t slot) const {
    FRACTALRAY_DCHECK(slot < slots(), slot, slots());
    const Entity& entity = entities_[slot];
    __builtin_prefetch(&entity);
    __builtin_prefetch(&entity.index_level);
  }
  // Prefetches all that handle() and find() read. Requires: slot < slots().
  void prefetchOccupant(std::uint32_t slot) const {
    __builtin_prefetch(&living_[slot]);
    prefetch(slot);
  }

  // Returns the grid of a level, which queries descend: the entities by slot whose grid_level it
  // is. Requires: an active level.
  const EntityGrid& grid(int level) const {
    FRACTALRAY_DCHECK(frame_.isActive(level), level, frame_.levels());
    return level_grids_[static_cast<std::size_t>(level)].grid;
  }
  // Returns the levels of the grids with entities whose own level is in the mask.
  LevelMask gridLevels(LevelMask own_levels) const;
  // Returns true if some entities may be in the grid of a coarser level than their index level.
  bool hasCoarserGrids() const { return has_coarser_grids_; }
  // Returns the number of entities that refine() has moved to other grids, which is no change of
  // version.
  std::uint64_t refinements() const { return refinements_; }

  std::uint64_t version() const { return version_.number(); }
  const EditLog& edits() const { return edits_; }
  const LastMove& lastMove() const { return last_move_; }
  ContentNumbers numbers() const {
    return {.version = version_, .last_move = last_move_, .edits = edits_.count()};
  }
  // Becomes the content of an index after another one with these numbers.
  void follow(const ContentNumbers& before) noexcept {
    version_.follow(before.version);
    last_move_ = before.last_move;
    edits_.forget(before.edits);
  }

 private:
  friend class EntityFrameMove;

  struct LevelGrid {
    EntityGrid grid;
    std::array<std::size_t, kMaxLevels> count_by_own_level{};
  };

  EntityStore(const Frame& frame, VersionCounter version, LastMove last_move);

  bool isAlive(EntityHandle entity) const {
    return entity.slot < living_.size() && living_[entity.slot] == entity.generation &&
           entity.generation != 0;
  }
  LevelGrid& levelGridOf(const Entity& entity) {
    return level_grids_[static_cast<std::size_t>(int{entity.grid_level})];
  }
  std::size_t& countOf(const Entity& entity) {
    const auto own_level = static_cast<std::size_t>(int{entity.level});
    return levelGridOf(entity).count_by_own_level[own_level];
  }
  absl::Status stale(EntityHandle entity) const;
  // Returns RESOURCE_EXHAUSTED if a grid may have too few pages for an entity in as many chunks as
  // any may have. Cost: O(1).
  absl::Status checkPages(int level) const;
  // Does the same for an update, if the entity may enter chunks by it.
  absl::Status checkPages(const Entity& before, const Entity& after) const;
  // Checks that an entity may move there.
  absl::Status checkMove(EntityHandle entity, const Vec3d& position) const;

  // Notes in the log that an entity comes to, or goes from, a position. Does not throw after
  // edits_.beginEdit().
  void note(const Entity& entity, const Vec3i& position) noexcept;
  void noteMove(const Entity& entity, const Vec3i& from, const Vec3i& to) noexcept;

  // Adds an entity, without counting a version or logging the edit.
  absl::StatusOr<EntityHandle> addOne(const EntitySpec& spec);
  // Puts an entity that may be added into the slot that is next in free_slots_.
  void occupy(std::uint32_t slot, const Entity& entity);
  void undoAdd(std::uint32_t slot) noexcept;
  // Makes sure that there is a free slot.
  void prepareSlot();

  // Moves an entity without reading any table; false, and nothing is done, where its chunks may
  // not stay the same, or are more than two.
  bool moveWithin(std::uint32_t slot, Entity& entity, const Vec3i& position);
  // Moves it to other chunks: those of its index level.
  void moveAcross(std::uint32_t slot, Entity& entity, const Vec3i& position);
  // Moves it back to where it was before its last move that has not been undone. Requires: that
  // move did not change its grid.
  void undoMove(std::uint32_t slot, const Vec3i& position) noexcept;
  // Makes the moves of moveAll() and shiftAll() after their checks: entity `slot_of(i)` moves to
  // `position_of(i)`, which is called when all moves before it have been made.
  template <class SlotOf, class PositionOf>
  absl::Status moveEach(std::size_t count, const SlotOf& slot_of, const PositionOf& position_of,
                        Commit commit);
  template <class SlotOf, class PositionOf>
  void fetchAhead(std::size_t count, const SlotOf& slot_of, const PositionOf& position_of,
                  std::size_t next);
  // Calls `visit(chunk)` for the chunks that an entity may leave or enter if it moves.
  template <class Visit>
  void forEachChange(std::uint32_t slot, const Vec3i& to, const Visit& visit) const;
  // Returns why entities may not move by an offset, if so.
  absl::Status checkShift(std::span<const EntityHandle> entities, const Vec3i& offset) const;

  // Does the work of a checked update() except for version and log; and undoes the last such call
  // for that entity.
  void become(std::uint32_t slot, const Entity& after);
  void undoBecome(std::uint32_t slot, const Entity& before) noexcept;
  // Moves an entity to a position, into the chunks of its index level.
  void enterIndexLevel(std::uint32_t slot, Entity& entity, const Vec3i& position);
  // Has an entity leave its chunks and enter those that it has with another record, which is yet to
  // be written: of another shape, or another grid.
  void changeChunks(std::uint32_t slot, const Entity& changed);

  // Removes an entity in two steps: it leaves its chunks, then its slot.
  void leaveChunks(std::uint32_t slot);
  void undoLeaveChunks(std::uint32_t slot) noexcept;
  void vacate(std::uint32_t slot) noexcept;

  // Returns the chunks of an entity, if it were at that position.
  ChunkedPosition chunkedAt(const Entity& entity, const Vec3i& position) const;
  // Returns a transfer of the entity in a slot, whose shape and grid level are those of `entity`.
  EntityTransfer transfer(std::uint32_t slot, const Entity& entity, const ChunkedPosition& from,
                          const ChunkedPosition& to);
  EntityTransfer transfer(std::uint32_t slot, const ChunkedPosition& from,
                          const ChunkedPosition& to) {
    return transfer(slot, entities_[slot], from, to);
  }
  void dropEmptyAreas() noexcept;

  Frame frame_;
  static constexpr int kEntitiesLog2 = 6;
  PagedVector<Entity, kEntitiesLog2> entities_;  // by slot
  PagedVector<std::uint32_t, 10> living_;        // by slot: the generation of its occupant, or 0
  std::size_t size_ = 0;
  std::array<LevelGrid, kMaxLevels> level_grids_;
  bool has_coarser_grids_ = false;
  std::uint64_t refinements_ = 0;
  std::uint32_t refined_ = 0;  // the first slots whose entities are not in coarser grids
  VersionCounter version_;
  LastMove last_move_;
  EditLog edits_;

  // Used by edits only: none of it is in a snapshot.
  bool is_snapshot_ = false;
  PageUse<kEntitiesLog2> slots_in_use_;  // those of living entities
  IdTable ids_;
  EntitySlots entity_slots_;
  FreeSlots free_slots_;
  // Working memory of moves of many, of which only the capacity is kept: by move, the old position.
  PagedVector<Vec3i, 10> old_positions_;
};

}  // namespace fractalray::internal
