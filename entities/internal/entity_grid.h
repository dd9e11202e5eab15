// SPDX-License-Identifier: Apache-2.0
// The entities of one index level by chunk, in the tree that shots descend: pages in chunks in
// regions in areas, each of which knows by a 64-bit word which of its parts hold anything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../core/cow_ptr.h"
#include "../../core/internal/tree64/area_map.h"
#include "page_pool.h"

namespace fractalray::internal {

// Knows entities by their slot, and where they are by their place. Not thread-safe while it
// changes; const use is safe from any thread, also while one that it was shared with changes.
//
// All or nothing: an enter() or leave() that throws std::bad_alloc has changed nothing, and those
// that have succeeded can be undone without throwing, by a leave() and an enter(), in reverse order
// and before dropEmptyAreas() is called. Whoever has called any of them calls that in the end.
class EntityGrid {
 public:
  // The 4 x 4 x 4 chunks around one place; slots as slotInRegion counts them.
  class Region : public RefCounted {
   public:
    std::uint64_t occupied() const { return occupied_; }
    const PageList& chunk(int slot) const { return chunks_[static_cast<std::size_t>(slot)]; }

   private:
    friend class EntityGrid;

    std::uint64_t occupied_ = 0;
    std::array<PageList, 64> chunks_;
  };

  // The 4 x 4 x 4 regions around one place; slots as slotInArea counts them.
  class Area : public RefCounted {
   public:
    std::uint64_t occupied() const { return occupied_; }
    // Null where the region holds nothing.
    const Region* region(int slot) const { return regions_[static_cast<std::size_t>(slot)].get(); }

   private:
    friend class EntityGrid;

    std::uint64_t occupied_ = 0;
    bool is_listed_ = false;  // in perhaps_empty_
    std::array<CowPtr<Region>, 64> regions_;
  };

  // Another that has the same areas and pages until they are changed, only to be read.
  EntityGrid share();

  // Puts an entity into a chunk; its place there. Allocates only where more is occupied than ever
  // before.
  EntitySlot enter(const ChunkCoord& chunk, std::uint32_t slot, const PageSphere& sphere);
  // Takes the entity at that place out of its chunk; another one that has its place from now on.
  // Keeps memory for those to come.
  std::optional<PagePool::Moved> leave(const ChunkCoord& chunk, EntitySlot place);
  // Follows an entity that moves within its chunk; does not allocate after prepareMove().
  void moveCenter(EntitySlot place, const std::array<std::int16_t, 3>& center) {
    pool_.moveCenter(place, center);
  }
  void prepareMove(EntitySlot place) { pool_.prepareMove(place); }
  // Erases the areas in which nothing is left.
  void dropEmptyAreas() noexcept {
    if (!perhaps_empty_.empty()) [[unlikely]]
      dropListed();
  }

  // Begin and end the filling of a new grid with many entities. Between the two only enter() may be
  // called; a grid for which one of these throws is of no use any more.
  void beginFilling() noexcept {
    is_filling_ = true;
    areas_.beginBulk();
  }
  void endFilling() noexcept;

  // The areas of a grid whose chunks have other indices.
  struct ShiftedAreas {
    AreaMap<Area> areas;
    std::optional<std::size_t> regions;  // how many there are, if they are new
  };
  // Returns the areas with each chunk `offset` chunks further; its pages are the same. Changes
  // nothing but what room there is. Cost: O(areas) for an offset of whole areas, 16 chunks each,
  // else O(occupied chunks). Requires, for both: dropEmptyAreas() has been called.
  ShiftedAreas shiftedAreas(const Vec3i& offset);
  // Puts them in place of its own.
  void adopt(ShiftedAreas shifted) noexcept;

  // The area that a chunk lies in, null where it holds nothing.
  const Area* area(const ChunkCoord& chunk) const { return areas_.find(chunk); }
  // Null where the chunk holds nothing.
  const PageList* chunk(const ChunkCoord& chunk) const;
  const PagePool& pool() const { return pool_; }
  const AreaMap<Area>& areas() const { return areas_; }
  // log2 of the width, in chunks, of an aligned cube around `chunk` that holds no entity; nothing
  // where that chunk holds one.
  std::optional<int> emptyCubeLog2(const ChunkCoord& chunk) const;

 private:
  // The area of a chunk, made where there is none.
  Area& areaFor(const ChunkCoord& chunk);
  void list(Area& area, const ChunkCoord& chunk) noexcept;
  void prepareRegion();
  void dropListed() noexcept;
  void shiftRegion(const Region& region, const Vec3i& area, int slot_in_area, const Vec3i& offset,
                   ShiftedAreas& shifted) const;

  AreaMap<Area> areas_;
  PagePool pool_;
  std::vector<CowPtr<Region>> spare_regions_;  // as good as new; has room for all regions
  std::size_t regions_made_ = 0;
  // A chunk of each area that was made or emptied since dropEmptyAreas(); has room for all areas.
  std::vector<ChunkCoord> perhaps_empty_;
  bool is_filling_ = false;  // true if areas are not listed there
};

}  // namespace fractalray::internal
