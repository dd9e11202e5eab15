// SPDX-License-Identifier: Apache-2.0
// A map of space by areas of 16 x 16 x 16 chunks: found by one look-up, kept for reuse after they
// empty, skipped in big steps if absent, and shared by copies until one changes them.
#pragma once

#include <cstdint>
#include <utility>

#include "../../check.h"
#include "../../cow_ptr.h"
#include "../../tree64.h"
#include "../../vec.h"
#include "../containers/cell_table.h"
#include "../containers/dense_grid.h"
#include "../containers/free_list.h"
#include "sparse_cell_set.h"

namespace fractalray::internal {

// Areas by index. Area is copyable, default-constructible, derived from RefCounted, and reset when
// it is erased. Copies of a map share its areas; a copy costs the look-up tables. Exceptions:
// edit(), findOrMake() and copies allocate; if memory runs out they throw std::bad_alloc and have
// changed nothing. No other function throws. Not thread-safe while it changes; const use is safe
// from any thread, also while another copy changes.
template <class Area>
class AreaMap {
 public:
  // Returns the area that a chunk lies in, or null. Cost: a load if areas lie close together, else
  // a look-up by hash.
  const Area* find(const ChunkCoord& chunk) const { return findMutable(chunk); }

  // Returns the area that a chunk lies in, to be changed, or null. Replaces an area that another
  // map holds too by a copy, its only allocation.
  Area* edit(const ChunkCoord& chunk) {
    Area* const area = findMutable(chunk);
    if (area == nullptr || !area->isShared()) return area;
    const Vec3i at = areaOf(chunk);
    Area& own = areas_.find(at)->edit();
    grid_.set(at, &own);
    return &own;
  }

  // Returns the area that a chunk lies in, to be changed; makes it if there is none.
  Area& findOrMake(const ChunkCoord& chunk) {
    if (Area* const area = edit(chunk); area != nullptr) return *area;
    const Vec3i at = areaOf(chunk);
    areas_.reserve();
    present_.reserve(at);
    return insert(at, spare_.take()).edit();
  }

  // Begin and end the creation of many areas: between the two calls each look-up is one by hash;
  // the dense table is built once, at the end.
  void beginBulk() noexcept {
    is_bulk_ = true;
    grid_.drop();
  }
  void endBulk() noexcept {
    is_bulk_ = false;
    rebuildGrid();
  }

  // Returns a map with the same areas, each index larger by `offset`. `held(at, area)` returns the
  // CowPtr to put at the new index `at` of an area: the same area, another, or none, which leaves
  // it out. Cost: a counter and table entries for each area.
  template <class Held>
  AreaMap shifted(const Vec3i& offset, const Held& held) const {
    AreaMap moved;
    moved.beginBulk();
    moved.areas_.reserve(areas_.size());
    for (const auto& [from, area] : areas_) {
      const Vec3i at = from + offset;
      CowPtr<Area> kept = held(at, area);
      if (!kept) continue;
      moved.present_.reserve(at);
      moved.insert(at, std::move(kept));
    }
    moved.endBulk();
    return moved;
  }

  // Erases the area that a chunk lies in. Requires: there is one, reset through edit().
  void erase(const ChunkCoord& chunk) noexcept {
    const Vec3i at = areaOf(chunk);
    FRACTALRAY_DCHECK(areas_.find(at) != nullptr, at[0], at[1], at[2]);
    CowPtr<Area> area = *areas_.find(at);
    areas_.erase(at);
    areas_.shrink();
    spare_.keep(std::move(area));
    present_.erase(at);
    if (!grid_.set(at, nullptr)) rebuildGrid();
  }

  bool empty() const { return areas_.empty(); }
  std::size_t size() const { return areas_.size(); }

  // Returns log2 of the width, in chunks, of an aligned cube around `chunk` that has no area.
  // Requires: the chunk has no area.
  int emptyCubeLog2(const ChunkCoord& chunk) const {
    FRACTALRAY_DCHECK(find(chunk) == nullptr, chunk[0], chunk[1], chunk[2]);
    return 4 + present_.emptyCubeLog2(areaOf(chunk)).value_or(0);
  }

  // Returns the indices of the areas.
  const SparseCellSet& present() const { return present_; }

  // Calls `visit(index, area)` for each area, in no particular order.
  template <class Visit>
  void forEach(const Visit& visit) const {
    for (const auto& [at, area] : areas_)
      visit(at, *area);
  }
  // Calls `visit(area)` for each area that no other map holds. The area may be changed, but not
  // emptied.
  template <class Visit>
  void forEachOwn(const Visit& visit) {
    for (const auto& [at, area] : areas_) {
      if (!area->isShared()) visit(*changeable(area));
    }
  }

 private:
  Area* findMutable(const ChunkCoord& chunk) const {
    const Vec3i at = areaOf(chunk);
    if (grid_.isComplete()) return grid_.find(at);
    const CowPtr<Area>* const found = areas_.find(at);
    return found == nullptr ? nullptr : changeable(*found);
  }
  // Requires: areas_ and present_ have reserved space for it.
  CowPtr<Area>& insert(const Vec3i& at, CowPtr<Area> area) noexcept {
    CowPtr<Area>& held = areas_.insert(at, std::move(area));
    present_.insert(at);
    if (!grid_.set(at, changeable(held))) rebuildGrid();
    return held;
  }
  void rebuildGrid() {
    if (!is_bulk_) grid_.rebuild(areas_, changeable);
  }
  // Only those that are found not to be shared are changed by that pointer.
  static Area* changeable(const CowPtr<Area>& area) { return const_cast<Area*>(area.get()); }

  CellTable<CowPtr<Area>> areas_;
  DenseGrid<Area*> grid_;  // the same areas, if they lie close together
  SparseCellSet present_;
  FreeList<Area> spare_;
  bool is_bulk_ = false;
};

}  // namespace fractalray::internal
