// SPDX-License-Identifier: Apache-2.0
// Moves the frame of an index: prepares new grids, so that the move may still fail, which then
// replace the old ones.
//
// Records (level, shape, position, index level) are written in place. The grid of an index level,
// in which queries find entities by chunk, is one of these:
//
//   all entities of one level, which keep their chunks:     the same grid, areas re-linked; pages
//   all levels of recenter(), most of descend()             and entries stay (shiftedAreas())
//   any other: entities come from several levels, some      a new grid, which the entities enter
//   are evicted, or some change their chunks
//
// A descent makes shapes 16 times as large: those that are small enough stay on the finest index
// level, in other chunks, so its grid is a new one. A climb merges the two finest index levels, and
// rounds, which may move a shape across the face of a chunk; then its grid is a new one, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../core/frame_move.h"
#include "entity_store.h"

namespace fractalray::internal {

// Not thread-safe. Usable once; after that it may be destroyed on any thread.
class EntityFrameMove {
 public:
  // Requires: both outlive finish().
  EntityFrameMove(EntityStore& store, const FrameMove& move) : store_(store), move_(move) {}

  // Prepares everything that may fail. Changes nothing; throws std::bad_alloc if memory runs out.
  void prepare();
  // Makes the move, and keeps the grids that were replaced. Requires: prepare() has returned, and
  // the store has not changed since.
  void finish() noexcept;
  // Returns the ids of the evicted entities, ascending.
  std::vector<EntityId> takeEvicted() { return std::move(evicted_); }

 private:
  static constexpr std::int8_t kFree = -2;     // the slot is free
  static constexpr std::int8_t kEvicted = -1;  // its entity is evicted
  static constexpr std::size_t kLevels = kMaxLevels;

  // An index level after the move.
  struct NextLevel {
    EntityStore::IndexLevel level;  // with a new grid, unless `source` is a level
    std::uint32_t sources = 0;      // the levels that its entities had before, as bits
    int source = -1;                // the level whose grid it keeps, by its old number; or -1
    EntityGrid::ShiftedAreas areas;
  };

  // Finds the index level of each entity after the move, and the evicted ones.
  void sortOut();
  // Returns true if an entity keeps its pages when the areas of its level are re-linked.
  bool keepsPages(const Entity& before, const Entity& after) const;
  // Decides which grids are kept, and shifts their areas.
  void linkLevels();
  // Fills the new grids; sets the entries of all entities.
  void fillLevels();
  void enter(std::uint32_t slot, const Entity& entity);
  // Copies the pages of records that finish() writes and a snapshot holds.
  void prepareWrites();
  void writeRecords() noexcept;
  void vacate(std::uint32_t slot) noexcept;

  EntityStore& store_;
  const FrameMove& move_;
  std::vector<std::int8_t> index_levels_;  // by slot: the next index level, kFree or kEvicted
  std::array<NextLevel, kLevels> next_;
  std::array<bool, kLevels> keeps_pages_{};  // by old number: true if all entities of a level do
  bool has_new_grids_ = false;
  EntitySlots entries_;  // of all entities, if has_new_grids_
  std::vector<EntityId> evicted_;
};

}  // namespace fractalray::internal
