// SPDX-License-Identifier: Apache-2.0
// The entities of one index level by chunk, in the tree that shots descend: pages in chunks in
// regions in areas. Regions and areas have a 64-bit word of the parts that hold anything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "../../core/cow_ptr.h"
#include "../../core/internal/tree64/area_map.h"
#include "../../core/internal/tree64/cell_bounds.h"
#include "../../core/parallel_for.h"
#include "page_pool.h"

namespace fractalray::internal {

class EntitySlots;

// Identifies entities by slot, and their entries in pages by EntitySlot. Not thread-safe while it
// changes; const use is safe from any thread, also while a grid that shares its parts changes.
//
// All or nothing: an enter() or leave() that throws std::bad_alloc has changed nothing, and those
// that have succeeded can be undone without throwing, by a leave() and an enter(), in reverse order
// and before dropEmptyAreas() is called. The caller of either function calls dropEmptyAreas() in
// the end.
class EntityGrid {
 public:
  // An aligned group of 4 x 4 x 4 chunks; slots are numbered as by slotInRegion().
  class Region : public RefCounted {
   public:
    std::uint64_t occupied() const { return occupied_; }
    const PageList& chunk(int slot) const { return chunks_[static_cast<std::size_t>(slot)]; }

   private:
    friend class EntityGrid;

    std::uint64_t occupied_ = 0;
    std::array<PageList, 64> chunks_;
  };

  // An aligned group of 4 x 4 x 4 regions; slots are numbered as by slotInArea().
  class Area : public RefCounted {
   public:
    std::uint64_t occupied() const { return occupied_; }
    // Returns the region in a slot, null if it holds nothing.
    const Region* region(int slot) const { return regions_[static_cast<std::size_t>(slot)].get(); }

   private:
    friend class EntityGrid;

    std::uint64_t occupied_ = 0;
    bool is_listed_ = false;  // in perhaps_empty_
    std::array<CowPtr<Region>, 64> regions_;
  };

  // Returns a grid that has the same areas and pages until they are changed, only to be read.
  EntityGrid share();

  // Sets the most pages, as PagePool::limitPages().
  void limitPages(std::uint32_t most) { pool_.limitPages(most); }

  // Puts an entity into a chunk and returns its entry there. Allocates only if more is occupied
  // than ever before.
  EntitySlot enter(const ChunkCoord& chunk, std::uint32_t slot, const PageSphere& sphere);
  // Takes the entity with that entry out of its chunk. Returns another entity that has the entry
  // from now on, if any. Keeps the memory for later entities.
  std::optional<PagePool::Moved> leave(const ChunkCoord& chunk, EntitySlot entry);
  // Follows an entity that moves within its chunk; does not allocate after prepareMove().
  void moveCenter(const ChunkCoord& chunk, EntitySlot entry,
                  const std::array<std::int16_t, 3>& center) {
    loosen(chunk, entry);
    pool_.moveCenter(entry, center);
  }
  // The same for an entity whose size changes too. Requires: prepareMove() was called.
  void setSphere(EntitySlot entry, const PageSphere& sphere) { pool_.setSphere(entry, sphere); }
  void prepareMove(const ChunkCoord& chunk, EntitySlot entry) {
    loosen(chunk, entry);
    pool_.prepareMove(entry);
  }
  // Prefetch what enter() and leave() read of a chunk: first its area, then, some moves later, its
  // region. Cost: a look-up each.
  void prefetchArea(const ChunkCoord& chunk) const {
    const Area* const area = areas_.find(chunk);
    if (area == nullptr) return;
    __builtin_prefetch(&area->occupied_, 1);
    __builtin_prefetch(&area->regions_[static_cast<std::size_t>(slotInArea(chunk))], 1);
  }
  void prefetchRegion(const ChunkCoord& chunk) const {
    const Area* const area = areas_.find(chunk);
    const Region* const region = area == nullptr ? nullptr : area->region(slotInArea(chunk));
    if (region == nullptr) return;
    __builtin_prefetch(&region->occupied_, 1);
    __builtin_prefetch(&region->chunk(slotInRegion(chunk)), 1);
  }
  // Erases the areas that hold nothing. Cost: O(log areas) for each.
  void dropEmptyAreas() noexcept {
    if (!perhaps_empty_.empty()) [[unlikely]]
      dropListed();
  }

  // Puts the crowded chunks in order that have changed since the last call, or all of them if this
  // is the first: gives entities other entries in their chunk, which `entries` follow, and boxes to
  // pages. Returns the number of these chunks. If memory runs out it throws std::bad_alloc, and
  // some chunks are in order. Requires: dropEmptyAreas() has been called. Cost: O(n log n) of the
  // entities in these chunks, and O(occupied chunks) in the first call.
  std::size_t order(EntitySlots& entries, ParallelFor parallel_for);

  // Begin and end filling a new grid with many entities. Between the two only enter() may be
  // called. If one of these throws, the grid must not be used again.
  void beginFilling() noexcept {
    is_filling_ = true;
    areas_.beginBulk();
  }
  void endFilling() noexcept;

  // A box of areas by index, both ends included; min is above max if it holds none.
  struct AreaBox {
    static constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

    Vec3i min{kEnd, kEnd, kEnd};
    Vec3i max{-kEnd, -kEnd, -kEnd};
  };

  // The areas of a grid whose chunks have other indices.
  struct ShiftedAreas {
    // Returns the area of a chunk, to be filled; makes it if there is none.
    Area& areaFor(const ChunkCoord& chunk);

    AreaMap<Area> areas;
    Vec3i chunks{};                        // the offset in chunks
    Vec3i offset{};                        // in areas, unless they are new
    CellBounds<Vec3i> bounds{};            // of the areas, if they are new
    std::optional<std::size_t> regions{};  // their number, if they are new
  };
  // Returns the areas that hold anything with each chunk `offset` chunks farther; its pages are the
  // same. Changes nothing but reserved memory. Cost: O(areas) for an offset of whole areas, 16
  // chunks each, else O(occupied chunks). Requires: nothing was entered since dropEmptyAreas() was
  // called.
  ShiftedAreas shiftedAreas(const Vec3i& offset);
  // Swaps its own areas and the shifted ones. Requires: the grid has not changed since
  // shiftedAreas().
  void adopt(ShiftedAreas& shifted) noexcept;

  // Returns the area that a chunk lies in, null if it holds nothing.
  const Area* area(const ChunkCoord& chunk) const { return areas_.find(chunk); }
  // Returns the pages of a chunk, null if it holds nothing.
  const PageList* chunk(const ChunkCoord& chunk) const;
  const PagePool& pool() const { return pool_; }
  const AreaMap<Area>& areas() const { return areas_; }
  // Returns the smallest box of all areas.
  const AreaBox& areaBox() const { return box_; }
  // Returns log2 of the width, in chunks, of an aligned cube around `chunk` that holds no entity;
  // nothing if that chunk holds one.
  std::optional<int> emptyCubeLog2(const ChunkCoord& chunk) const;

 private:
  // Returns the area of a chunk; makes it if there is none.
  Area& areaFor(const ChunkCoord& chunk);
  void list(Area& area, const ChunkCoord& chunk) noexcept;
  void loosen(const ChunkCoord& chunk, EntitySlot entry) {
    if (pool_.isTight(entry)) [[unlikely]]
      loosenTight(chunk, entry);
  }
  void loosenTight(const ChunkCoord& chunk, EntitySlot entry);
  // Notes the chunk of a list that has come out of order since the pool had so many disorders().
  void noteDisorder(const ChunkCoord& chunk, std::uint64_t before) noexcept {
    if (pool_.disorders() != before && knows_disorder_) [[unlikely]]
      addDisordered(chunk);
  }
  void addDisordered(const ChunkCoord& chunk) noexcept;
  // Finds the chunks that are to be put in order, sorted.
  void findDisordered();
  void prepareRegion();
  void dropListed() noexcept;
  // Sets the box after areas were made or erased.
  void setBox() noexcept;
  static void shiftRegion(const Region& region, const Vec3i& area, int slot_in_area,
                          const Vec3i& offset, ShiftedAreas& shifted);

  AreaMap<Area> areas_;
  CellBounds<Vec3i> bounds_;  // of areas_; not in a snapshot
  AreaBox box_;               // that of bounds_
  PagePool pool_;
  std::vector<CowPtr<Region>> spare_regions_;  // reset; its capacity is enough for all regions
  std::size_t regions_made_ = 0;
  // A chunk of each area that was made or emptied since dropEmptyAreas(); its capacity is enough
  // for all areas.
  std::vector<ChunkCoord> perhaps_empty_;
  bool is_filling_ = false;  // true if areas are not listed there
  // The chunks that are out of order, and perhaps others: all of them, as long as it is known. Not
  // in a snapshot.
  std::vector<ChunkCoord> disordered_;
  bool knows_disorder_ = false;
};

}  // namespace fractalray::internal
