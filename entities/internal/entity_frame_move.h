// SPDX-License-Identifier: Apache-2.0
// The entities of an index as a move of the frame leaves them: prepared beside what there is, so
// that the move may still fail, then put in its stead.
//
// Records (level, shape, position, index level) are written where they are. What finds an entity,
// the chunks of its index level, is one of these:
//
//   a level of which everything comes to one other level, in    the areas are re-linked, pages and
//   the same chunks: all of recenter(), most of descend()       places stay:
//   EntityGrid::shiftedAreas a level to which others come, or of which some are evicted  its
//   entities enter a new grid
//
// A descent makes shapes 16 times as large as the chunks of the finest level: what is small stays
// on it, in finer chunks, so the finest level is made anew. A climb merges the two finest levels,
// and rounds, which may take a shape over the face of a chunk; then its level is made anew, too.
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
  // Both must outlive finish().
  EntityFrameMove(EntityStore& store, const FrameMove& move) : store_(store), move_(move) {}

  // Prepares all that may fail. Changes nothing; throws std::bad_alloc where memory runs out.
  void prepare();
  // Makes the move, and keeps what the store had before. Requires: prepare() has returned, and the
  // store has not changed since.
  void finish() noexcept;
  // Returns the ids of what was evicted, ascending.
  std::vector<EntityId> takeEvicted() { return std::move(evicted_); }

 private:
  static constexpr std::int8_t kFree = -2;     // no entity lives in the slot
  static constexpr std::int8_t kEvicted = -1;  // or one that is evicted
  static constexpr std::size_t kLevels = kMaxLevels;

  // What becomes of an index level, by its number afterwards.
  struct NextLevel {
    EntityStore::IndexLevel level;  // its grid is filled, unless it is that of level `source`
    std::uint32_t sources = 0;      // the levels before that its entities come from, as bits
    int source = -1;                // the level before whose grid it takes over, or -1
    EntityGrid::ShiftedAreas areas;
  };

  // Decides where each entity goes.
  void sortOut();
  // Returns true if an entity keeps its pages when the areas of its level are re-linked.
  bool keepsPages(const Entity& before, const Entity& after) const;
  // Decides which grids are taken over.
  void linkLevels();
  // Enters the entities of the other levels; notes the places of all.
  void fillLevels();
  void enter(std::uint32_t slot, const Entity& entity);
  // Makes what finish() writes to the store's own.
  void prepareWrites();
  void writeRecords() noexcept;
  void vacate(std::uint32_t slot) noexcept;

  EntityStore& store_;
  const FrameMove& move_;
  std::vector<std::int8_t> index_levels_;  // by slot: the index level afterwards, or one of above
  std::array<NextLevel, kLevels> next_;
  std::array<bool, kLevels> keeps_pages_{};  // by level before: true if all of its entities do
  bool has_new_places_ = false;
  EntitySlots places_;
  std::vector<EntityId> evicted_;
};

}  // namespace fractalray::internal
