// SPDX-License-Identifier: Apache-2.0
#include "entity_grid.h"

#include <algorithm>
#include <utility>

#include "absl/cleanup/cleanup.h"

#include "../../core/check.h"
#include "../../core/internal/containers/vector_capacity.h"

namespace fractalray::internal {

EntityGrid EntityGrid::share() {
  EntityGrid shared;
  shared.areas_ = areas_;
  shared.box_ = box_;
  shared.pool_ = pool_.share();
  return shared;
}

EntitySlot EntityGrid::enter(const ChunkCoord& chunk, std::uint32_t slot,
                             const PageSphere& sphere) {
  const absl::Cleanup note = [&, before = pool_.disorders()] { noteDisorder(chunk, before); };
  Area& area = areaFor(chunk);
  const int region_slot = slotInArea(chunk);
  CowPtr<Region>& held = area.regions_[static_cast<std::size_t>(region_slot)];
  if (!held) prepareRegion();
  Region& region = held ? held.edit() : spare_regions_.back().edit();
  const int chunk_slot = slotInRegion(chunk);
  const EntitySlot entry =
      pool_.add(region.chunks_[static_cast<std::size_t>(chunk_slot)], slot, sphere);
  // Nothing throws from here on.
  if (!held) {
    held = std::move(spare_regions_.back());
    spare_regions_.pop_back();
  }
  setBit(area.occupied_, region_slot, true);
  setBit(region.occupied_, chunk_slot, true);
  return entry;
}

std::optional<PagePool::Moved> EntityGrid::leave(const ChunkCoord& chunk, EntitySlot entry) {
  const absl::Cleanup note = [&, before = pool_.disorders()] { noteDisorder(chunk, before); };
  Area* const area = areas_.edit(chunk);
  FRACTALRAY_DCHECK(area != nullptr);
  const int region_slot = slotInArea(chunk);
  CowPtr<Region>& held = area->regions_[static_cast<std::size_t>(region_slot)];
  Region& region = held.edit();
  const int chunk_slot = slotInRegion(chunk);
  PageList& pages = region.chunks_[static_cast<std::size_t>(chunk_slot)];
  const std::optional<PagePool::Moved> moved = pool_.remove(pages, entry);
  // Nothing throws from here on.
  if (pages.count > 0) return moved;
  setBit(region.occupied_, chunk_slot, false);
  if (region.occupied_ != 0) return moved;
  spare_regions_.push_back(std::move(held));
  setBit(area->occupied_, region_slot, false);
  if (area->occupied_ == 0) list(*area, chunk);
  return moved;
}

EntityGrid::Area& EntityGrid::areaFor(const ChunkCoord& chunk) {
  if (Area* const area = areas_.edit(chunk); area != nullptr) return *area;
  ensureCapacity(perhaps_empty_, areas_.size() + 1);
  CellBounds<Vec3i>::Reservation reservation = bounds_.reserve(areaOf(chunk));
  Area& area = areas_.findOrMake(chunk);
  // Nothing throws from here on.
  bounds_.insert(areaOf(chunk), std::move(reservation));
  setBox();
  list(area, chunk);
  return area;
}

void EntityGrid::list(Area& area, const ChunkCoord& chunk) noexcept {
  if (is_filling_ || std::exchange(area.is_listed_, true)) return;
  perhaps_empty_.push_back(chunk);
}

void EntityGrid::prepareRegion() {
  if (!spare_regions_.empty()) return;
  ensureCapacity(spare_regions_, regions_made_ + 1);
  spare_regions_.push_back(CowPtr<Region>::make());
  ++regions_made_;
}

void EntityGrid::dropListed() noexcept {
  for (const ChunkCoord& chunk : perhaps_empty_) {
    Area& area = *areas_.edit(chunk);  // not shared: it was changed since
    area.is_listed_ = false;
    if (area.occupied_ != 0) continue;
    areas_.erase(chunk);
    bounds_.erase(areaOf(chunk));
  }
  perhaps_empty_.clear();
  setBox();
}

void EntityGrid::setBox() noexcept {
  box_ = bounds_.empty() ? AreaBox() : AreaBox{bounds_.min(), bounds_.max()};
}

void EntityGrid::endFilling() noexcept {
  is_filling_ = false;
  areas_.endBulk();
}

EntityGrid::ShiftedAreas EntityGrid::shiftedAreas(const Vec3i& offset) {
  constexpr std::int64_t kChunksInArea = 16;
  ShiftedAreas shifted;
  shifted.chunks = offset;
  if (((offset[0] | offset[1] | offset[2]) & (kChunksInArea - 1)) == 0) {
    shifted.offset = offset / kChunksInArea;
    shifted.areas = areas_.shifted(shifted.offset, [](const Vec3i&, const CowPtr<Area>& area) {
      return area->occupied() != 0 ? area : CowPtr<Area>();
    });
    return shifted;
  }
  shifted.regions = 0;
  shifted.areas.beginBulk();
  areas_.forEach([&](const Vec3i& at, const Area& area) {
    forEachSlot(area.occupied_,
                [&](int slot) { shiftRegion(*area.region(slot), at, slot, offset, shifted); });
  });
  shifted.areas.endBulk();
  ensureCapacity(perhaps_empty_, shifted.areas.size());
  ensureCapacity(spare_regions_, spare_regions_.size() + *shifted.regions);
  return shifted;
}

EntityGrid::Area& EntityGrid::ShiftedAreas::areaFor(const ChunkCoord& chunk) {
  const std::size_t before = areas.size();
  Area& area = areas.findOrMake(chunk);
  if (areas.size() > before) bounds.insert(areaOf(chunk), bounds.reserve(areaOf(chunk)));
  return area;
}

void EntityGrid::shiftRegion(const Region& region, const Vec3i& area, int slot_in_area,
                             const Vec3i& offset, ShiftedAreas& shifted) {
  forEachSlot(region.occupied_, [&](int slot) {
    const ChunkCoord before = chunkAt(area, slot_in_area, slot);
    const ChunkCoord at{before[0] + offset[0], before[1] + offset[1], before[2] + offset[2]};
    const int to_region = slotInArea(at);
    const int to_chunk = slotInRegion(at);
    Area& to_area = shifted.areaFor(at);
    CowPtr<Region>& to = to_area.regions_[static_cast<std::size_t>(to_region)];
    if (!to) {
      to = CowPtr<Region>::make();
      ++*shifted.regions;
    }
    Region& own = to.edit();
    setBit(to_area.occupied_, to_region, true);
    setBit(own.occupied_, to_chunk, true);
    own.chunks_[static_cast<std::size_t>(to_chunk)] =
        region.chunks_[static_cast<std::size_t>(slot)];
  });
}

void EntityGrid::adopt(ShiftedAreas& shifted) noexcept {
  if (shifted.regions.has_value()) {
    std::swap(bounds_, shifted.bounds);
    regions_made_ = spare_regions_.size() + *shifted.regions;
  } else {
    for (const ChunkCoord& chunk : perhaps_empty_) {
      if (areas_.find(chunk)->occupied() == 0) bounds_.erase(areaOf(chunk));
    }
    bounds_.shift(shifted.offset);
  }
  std::swap(areas_, shifted.areas);
  setBox();
  perhaps_empty_.clear();
  for (ChunkCoord& chunk : disordered_) {
    for (int axis = 0; axis < 3; ++axis)
      chunk[axis] += shifted.chunks[axis];
  }
}

const PageList* EntityGrid::chunk(const ChunkCoord& chunk) const {
  const Area* const area = areas_.find(chunk);
  if (area == nullptr) return nullptr;
  const Region* const region = area->region(slotInArea(chunk));
  if (region == nullptr) return nullptr;
  const PageList& pages = region->chunk(slotInRegion(chunk));
  return pages.count > 0 ? &pages : nullptr;
}

std::optional<int> EntityGrid::emptyCubeLog2(const ChunkCoord& chunk) const {
  const Area* const area = areas_.find(chunk);
  if (area == nullptr) return areas_.emptyCubeLog2(chunk);
  const Region* const region = area->region(slotInArea(chunk));
  if (region == nullptr) return 2;
  if (!hasBit(region->occupied(), slotInRegion(chunk))) return 0;
  return std::nullopt;
}

}  // namespace fractalray::internal
