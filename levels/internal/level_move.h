// SPDX-License-Identifier: Apache-2.0
// Gives the chunks of a level other indices, for a move of the frame: builds a second level, so
// that the move may still fail, which then replaces the first.
//
// Chunks keep their content and, if possible, their memory; only the tables above them are built
// again:
//
//   offset                         built                            kept
//   multiples of 16 chunks         the tables of areas              areas, regions, chunks
//   (whole areas): all levels
//   but one
//   any other: one level           the tables, areas and regions    content of chunks (ids, sets)
//
// The one level is the coarsest that stays active (FrameMove::chunkOffset). Parts that a snapshot
// holds too stay as they are; if they have to change, they are copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../core/cow_ptr.h"
#include "../../core/frame.h"
#include "../../core/vec.h"
#include "level.h"

namespace fractalray::internal {

// The change of a level and its chunks.
struct LevelChange {
  Vec3i offset{};                 // added to their indices
  int level = 0;                  // the number of the level after the move
  bool forgets_children = false;  // true if the next finer level is dropped
};

// Not thread-safe. Usable once.
class LevelMove {
 public:
  // Builds a level with the chunks of `from`, except those that leave the frame. Does not change
  // `from`; throws std::bad_alloc if memory runs out. Cost: O(areas), or O(chunks) for an offset
  // that is not a multiple of 16 chunks. Requires: `from` is not changed until finish().
  LevelMove(const CowPtr<Level>& from, const Frame& frame, const LevelChange& change);

  // Returns the number of chunks that leave the frame, loaded and proto.
  std::size_t dropped() const { return dropped_; }
  // Moves the chunks to the new level and returns it. Requires: `from` is the level that was passed
  // to the constructor.
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
  // Returns an area without its children: a copy if it is shared and has children, else the area
  // itself, for forgetChildren().
  CowPtr<Area> withoutChildren(const CowPtr<Area>& area) const;
  // Count all chunks of an area, or one chunk, as dropped.
  void dropArea(const Vec3i& at, const Area& area);
  void dropChunk(const ChunkCoord& chunk, bool is_loaded);
  // Sets the masks of the areas from those of their regions.
  void setAreaMasks() noexcept;
  // Counts the regions that are not empty.
  void countOccupied() noexcept;
  void forgetChildren() noexcept;
  // Sets the bounds to `bounds`, shifted, without the chunks that were dropped.
  void takeBounds(ChunkBounds bounds) noexcept;

  Frame frame_;
  LevelChange change_;
  bool is_own_;  // true if no snapshot holds the level too
  CowPtr<Level> level_ = CowPtr<Level>::make();
  std::vector<Transfer> transfers_;
  std::vector<ChunkCoord> dropped_loaded_;  // by their old indices
  std::size_t dropped_ = 0;
};

}  // namespace fractalray::internal
