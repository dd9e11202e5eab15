// SPDX-License-Identifier: Apache-2.0
// Moves the frame of an index: prepares everything that may fail, then changes the index at once.
//
// Records (level, shape, position, index level) are written in place. The grids, in which queries
// find entities by chunk, are kept where possible: the grid of level l becomes that of the level
// that l becomes, its areas are re-linked to other indices, its pages and entries stay.
//
//   recenter   All grids are kept.
//   descend    All grids but that of level 0 are kept. Shapes are 16 times as large in units, as
//   are
//              the chunks in which they are, so small shapes stay in the chunks of a coarser level
//              than their index level (Entity::grid_level) until they leave them: queries along a
//              line find as many entities in a chunk as before. Entering 10^5 of them into finer
//              chunks would take longer than a tick, and each into chunks of its own.
//   climb      The grid of the finest level is dropped: its entities enter a new grid, together
//   with
//              those of the next one. Rounding may change the reduced spheres of a few entities,
//              which are written to their pages; or, rarely, take a shape across the face of a
//              chunk, or its centre to another octant of a crowded one: then the grid is replaced by a new one, too.
//
// Evicted entities leave a grid that is kept. If more are evicted than stay, those that stay enter
// a new grid instead.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../../core/frame_move.h"
#include "entity_store.h"

namespace fractalray::internal {

// Not thread-safe. Usable once; after that it may be destroyed on any thread.
class EntityFrameMove {
 public:
  // Requires: both outlive finish() or undo().
  EntityFrameMove(EntityStore& store, const FrameMove& move) : store_(store), move_(move) {}

  // Prepares everything that may fail. Queries have the same answers as before. If memory runs out,
  // throws std::bad_alloc; the caller then calls undo().
  void prepare();
  // Undoes prepare(), also if that has thrown.
  void undo() noexcept;
  // Makes the move, and keeps the grids that were replaced. Requires: prepare() has returned, and
  // the store has not changed since.
  void finish() noexcept;
  // Returns the ids of the evicted entities, ascending.
  std::vector<EntityId> takeEvicted() { return std::move(evicted_); }

 private:
  static constexpr std::int8_t kFree = -2;     // the slot is free
  static constexpr std::int8_t kEvicted = -1;  // its entity is evicted
  static constexpr std::size_t kLevels = kMaxLevels;

  // The grid of a level before the move.
  struct OldGrid {
    std::size_t evicted = 0;  // number of entities
    std::size_t others = 0;
    bool keeps_chunks = true;  // true if all others stay in the grid, with the same entries
    bool is_kept = false;
  };
  // The grid of a level after the move.
  struct NextGrid {
    EntityStore::LevelGrid level;  // with a new grid, unless `source` is a level
    std::uint32_t sources = 0;     // the grids that its entities come from, as bits
    int source = -1;               // the level whose grid it keeps, by its old number; or -1
    EntityGrid::ShiftedAreas areas;
  };

  // Finds the grid of each entity after the move, and the evicted ones.
  void sortOut();
  // Return true if an entity keeps its entries when the areas of its grid are re-linked; and, if
  // so, its reduced spheres.
  bool keepsChunks(std::uint32_t slot, const Entity& before, const Entity& after) const;
  bool keepsSpheres(const Entity& before, const Entity& after) const;
  // Returns true if neither can change by rounding.
  bool isExact(const Entity& before) const;
  void chooseGrids();
  void leaveEvicted();
  void shiftAreas();
  // Fills the new grids; sets the entries of all entities.
  void fillGrids();
  void enter(std::uint32_t slot, const Entity& entity);
  // Copies the pages that finish() writes and a snapshot holds.
  void prepareWrites();
  void prepareSpheres();
  void writeRecords() noexcept;
  void writeSpheres() noexcept;
  void vacate(std::uint32_t slot) noexcept;

  OldGrid& oldGridOf(const Entity& before) {
    return old_[static_cast<std::size_t>(int{before.grid_level})];
  }
  NextGrid& nextGrid(int level) { return next_[static_cast<std::size_t>(level)]; }

  EntityStore& store_;
  const FrameMove& move_;
  std::vector<std::int8_t> grid_levels_;  // by slot: the next grid level, kFree or kEvicted
  std::array<OldGrid, kLevels> old_;
  std::array<NextGrid, kLevels> next_;
  std::vector<std::uint32_t> rounded_;  // slots of entities that keep their chunks, not the spheres
  std::vector<std::uint32_t> left_;     // the slots of entities that have left their grid
  bool has_new_grids_ = false;
  bool has_coarser_grids_ = false;
  EntitySlots entries_;  // of all entities, if has_new_grids_
  std::vector<EntityId> evicted_;
};

}  // namespace fractalray::internal
