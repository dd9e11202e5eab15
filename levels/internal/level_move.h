// SPDX-License-Identifier: Apache-2.0
// A level whose chunks get other indices, as a move of the frame asks: made beside the old one, so
// that the move may still fail, then put in its stead.
//
// Chunks stay what and, if they can, where they are; only what finds them is made anew:
//
//   offset                         what is made                     what is kept
//   whole areas (multiples of 16   the tables of areas              areas, regions, chunks
//   chunks): all levels but one
//   any other: one level           the tables, areas and regions    what chunks hold (ids, sets)
//
// The one level is the coarsest that stays (FrameMove::chunkOffset). Where a snapshot holds the
// same parts, these stay as they are, and what changes is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../core/cow_ptr.h"
#include "../../core/frame.h"
#include "../../core/vec.h"
#include "level.h"

namespace fractalray::internal {

// What becomes of the chunks of a level.
struct LevelChange {
  Vec3i offset{};                 // added to their indices
  int level = 0;                  // the number of the level afterwards
  bool forgets_children = false;  // true if the next finer level is dropped
};

// Not thread-safe. Usable once.
class LevelMove {
 public:
  // Makes a level with the chunks of `from`, but for those that leave the frame. Changes nothing;
  // throws std::bad_alloc where memory runs out. `from` is not changed until finish().
  // Cost: O(areas), or, for an offset that is not one of whole areas, O(chunks).
  LevelMove(const CowPtr<Level>& from, const Frame& frame, const LevelChange& change);

  // The number of chunks that leave the frame, loaded and proto.
  std::size_t dropped() const { return dropped_; }
  // Moves the chunks over and returns the level. `from` is that of the constructor; it is left to
  // those who hold it too.
  CowPtr<Level> finish(CowPtr<Level> from) noexcept;

 private:
  // A chunk that changes its region.
  struct Transfer {
    Chunk* from;
    Chunk* to;
  };

  void shiftAreas(const Level& from);
  void shiftChunks(const Level& from);
  void shiftRegion(const Region& region, const Vec3i& area, int slot_in_area, bool is_own);
  // Returns an area as it is afterwards: a copy if it is shared and its chunks change.
  CowPtr<Area> withoutChildren(const CowPtr<Area>& area) const;
  // Drops all chunks of an area; one chunk.
  void dropArea(const Vec3i& at, const Area& area);
  void dropChunk(const ChunkCoord& chunk, bool is_loaded);
  // Makes the masks of the areas those of their regions.
  void setAreaMasks() noexcept;
  void forgetChildren() noexcept;
  // Makes the bounds those of `from`, without the chunks that were dropped.
  void takeBounds(ChunkBounds bounds) noexcept;

  Frame frame_;
  LevelChange change_;
  bool is_own_;  // true if nobody else holds the level
  CowPtr<Level> level_ = CowPtr<Level>::make();
  std::vector<Transfer> transfers_;
  std::vector<ChunkCoord> dropped_loaded_;  // by their old indices
  std::size_t dropped_ = 0;
};

}  // namespace fractalray::internal
