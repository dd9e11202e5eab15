// SPDX-License-Identifier: Apache-2.0
// What an EntityIndex holds: its entities by slot, and where each of them is in the grid of its
// index level.
//
// An entity's shape lies in the chunks [first, last] of its index level, never more than 3 on an
// axis, and in each of them it has a place on a page of eight, with its bounding sphere reduced to
// 16 bits there. So a move is one of these, the cheapest first:
//
//   chunks before       chunks after        what is written
//   one, or two         the same            the reduced centres on the pages: moveWithin()
//   any                 others, or > 2      places that are left, entered and kept: EntityTransfer
//   any, another shape  any                 all chunks are left, then others entered: changeShape()
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
// All or nothing: every edit first makes the memory that it may need (prepareSlot(), makeRoom(),
// reserve(), and what a transfer prepares), and only then changes anything. An edit of many
// entities that runs out of memory half-way undoes what it has done, in reverse order: an undo
// never allocates, because the places that were left are still free and areas that became empty are
// kept until dropEmptyAreas() at the end.
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
#include "../../core/internal/containers/paged_vector.h"
#include "../../core/internal/containers/version_counter.h"
#include "../../core/internal/edit_log.h"
#include "../../core/level_mask.h"
#include "../entity.h"
#include "entity_chunks.h"
#include "entity_grid.h"
#include "entity_slots.h"
#include "entity_transfer.h"
#include "id_table.h"

namespace fractalray::internal {

// Methods that EntityIndex has too do what is said there. Thread safety as there.
class EntityStore {
 public:
  explicit EntityStore(const Frame& frame) : frame_(frame) {}

  const Frame& frame() const { return frame_; }

  absl::StatusOr<EntityHandle> add(const EntitySpec& spec);
  absl::Status move(EntityHandle entity, const Vec3d& position);
  absl::Status update(EntityHandle entity, const EntityUpdate& update);
  absl::Status remove(EntityHandle entity);
  absl::StatusOr<std::vector<EntityHandle>> addAll(std::span<const EntitySpec> specs);
  absl::Status moveAll(std::span<const EntityMove> moves);
  absl::Status removeAll(std::span<const EntityHandle> entities);

  // What makes an edit of the index one with an edit of something else. It is called once, when
  // nothing of the index's own edit can fail any more. If it fails or throws, that edit is undone
  // and its error returned. Requires: it is all or nothing itself, and does not use the index.
  using Commit = absl::FunctionRef<absl::Status()>;
  // Moves entities by an offset in units, exactly wherever they are. Errors as for moveAll(), and
  // those of `commit`.
  absl::Status shiftAll(std::span<const EntityHandle> entities, const Vec3i& offset, Commit commit);
  absl::Status removeAll(std::span<const EntityHandle> entities, Commit commit);

  // What a move of the frame leaves out: the ids of the entities that were evicted, ascending, and
  // what has become free, given back with its last owner, on any thread.
  struct Evicted {
    std::vector<EntityId> ids;
    std::shared_ptr<const void> content;
  };
  // Moves the frame. Of the errors there are only those of `commit`. Requires: the move is one of
  // this frame.
  absl::StatusOr<Evicted> moveFrame(const FrameMove& move, Commit commit);

  // Returns a store with the content of this one, for a snapshot.
  std::unique_ptr<EntityStore> share();

  const Entity* find(EntityHandle entity) const {
    return isAlive(entity) ? &entities_[entity.slot] : nullptr;
  }
  std::optional<EntityHandle> findId(EntityId id) const;
  std::size_t size() const { return size_; }
  // The number of slots; every handle's slot is below it.
  std::size_t slots() const { return living_.size(); }
  // Returns true if a living entity occupies the slot. Requires: slot < slots().
  bool isOccupied(std::uint32_t slot) const {
    FRACTALRAY_DCHECK(slot < slots(), slot, slots());
    return living_[slot] != 0;
  }
  // The handle of the living entity in a slot. Requires: there is one.
  EntityHandle handle(std::uint32_t slot) const {
    FRACTALRAY_DCHECK(isOccupied(slot), slot);
    return {slot, living_[slot]};
  }
  // Prefetches the entity in a slot. Requires: slot < slots().
  void prefetch(std::uint32_t slot) const {
    const Entity& entity = entities_[slot];
    __builtin_prefetch(&entity);
    __builtin_prefetch(&entity.index_level);
  }

  // The grid that queries descend: entities by slot. Requires: an active level.
  const EntityGrid& grid(int index_level) const {
    FRACTALRAY_DCHECK(frame_.isActive(index_level), index_level, frame_.levels());
    return index_levels_[static_cast<std::size_t>(index_level)].grid;
  }
  LevelMask indexLevels(LevelMask own_levels) const;

  std::uint64_t version() const { return version_.number(); }
  const EditLog& edits() const { return edits_; }
  const LastMove& lastMove() const { return last_move_; }

 private:
  friend class EntityFrameMove;

  struct IndexLevel {
    EntityGrid grid;
    std::array<std::size_t, kMaxLevels> count_by_own_level{};
  };

  EntityStore(const Frame& frame, VersionCounter version, LastMove last_move);

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
  // edits_.beginEdit().
  void note(const Entity& entity, const Vec3i& position) noexcept;
  void noteMove(const Entity& entity, const Vec3i& from, const Vec3i& to) noexcept;

  // What add() does but for version and log.
  absl::StatusOr<EntityHandle> addOne(const EntitySpec& spec);
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
  // What moveAll() and shiftAll() do once the moves have been checked: entity `slot_of(i)` moves to
  // `position_of(i)`, which is called when all moves before it have been made.
  template <class SlotOf, class PositionOf>
  absl::Status moveEach(std::size_t count, const SlotOf& slot_of, const PositionOf& position_of,
                        Commit commit);
  template <class SlotOf>
  void fetchAhead(std::size_t count, const SlotOf& slot_of, std::size_t next);
  // Returns why entities may not move by an offset, if so.
  absl::Status checkShift(std::span<const EntityHandle> entities, const Vec3i& offset) const;

  // Has an entity leave its chunks and enter those that it has with another record, which is yet to
  // be written.
  void changeShape(std::uint32_t slot, const Entity& changed);

  // What remove() does, in two steps: the entity leaves its chunks, then its slot.
  void leaveChunks(std::uint32_t slot);
  void undoLeaveChunks(std::uint32_t slot) noexcept;
  void vacate(std::uint32_t slot) noexcept;

  // The chunks of an entity, if it were at that position.
  ChunkedPosition chunkedAt(const Entity& entity, const Vec3i& position) const;
  // A transfer of the entity in a slot, whose shape and index level are those of `entity`.
  EntityTransfer transfer(std::uint32_t slot, const Entity& entity, const ChunkedPosition& from,
                          const ChunkedPosition& to);
  EntityTransfer transfer(std::uint32_t slot, const ChunkedPosition& from,
                          const ChunkedPosition& to) {
    return transfer(slot, entities_[slot], from, to);
  }
  void dropEmptyAreas() noexcept;

  Frame frame_;
  PagedVector<Entity, 6> entities_;        // by slot
  PagedVector<std::uint32_t, 10> living_;  // by slot: the generation of who lives there, or 0
  std::size_t size_ = 0;
  std::array<IndexLevel, kMaxLevels> index_levels_;
  VersionCounter version_;
  LastMove last_move_;
  EditLog edits_;

  // What only edits need: nothing of it is in a snapshot.
  bool is_snapshot_ = false;
  IdTable ids_;
  EntitySlots places_;
  std::vector<std::uint32_t> generations_;  // by slot: of who lives there, or will
  std::vector<std::uint32_t> free_slots_;   // has room for all slots
  // Working memory of moveAll(), only its room is used: by move, where the entity was.
  PagedVector<Vec3i, 10> old_positions_;
};

}  // namespace fractalray::internal
