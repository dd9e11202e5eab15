// SPDX-License-Identifier: Apache-2.0
#include "fractalray/entities/entity_grid.h"

#include <utility>

#include "fractalray/core/check.h"

namespace fractalray::internal {
namespace {

constexpr std::uint64_t bitOf(int slot) {
  return std::uint64_t{1} << slot;
}

}  // namespace

EntityGrid EntityGrid::share() {
  EntityGrid shared;
  shared.areas_ = areas_;
  shared.pool_ = pool_.share();
  return shared;
}

EntityPlace EntityGrid::enter(const ChunkCoord& chunk, std::uint32_t slot,
                              const PageSphere& sphere) {
  Area& area = areas_.findOrMake(chunk);
  const int region_slot = slotInArea(chunk);
  SharedPart<Region>& held = area.regions_[static_cast<std::size_t>(region_slot)];
  if (!held) {
    held = spare_regions_.take();
    area.occupied_ |= bitOf(region_slot);
  }
  Region& region = held.edit();
  const int chunk_slot = slotInRegion(chunk);
  region.occupied_ |= bitOf(chunk_slot);
  return pool_.add(region.chunks_[static_cast<std::size_t>(chunk_slot)], slot, sphere);
}

std::optional<PagePool::Moved> EntityGrid::leave(const ChunkCoord& chunk, EntityPlace place) {
  Area* const area = areas_.edit(chunk);
  FRACTALRAY_DCHECK(area != nullptr);
  const int region_slot = slotInArea(chunk);
  SharedPart<Region>& held = area->regions_[static_cast<std::size_t>(region_slot)];
  Region& region = held.edit();
  const int chunk_slot = slotInRegion(chunk);
  PageList& pages = region.chunks_[static_cast<std::size_t>(chunk_slot)];
  const std::optional<PagePool::Moved> moved = pool_.remove(pages, place);
  if (pages.count > 0) return moved;
  region.occupied_ &= ~bitOf(chunk_slot);
  if (region.occupied_ != 0) return moved;
  spare_regions_.keep(std::move(held));
  area->occupied_ &= ~bitOf(region_slot);
  if (area->occupied_ == 0) areas_.erase(chunk);
  return moved;
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
  if ((region->occupied() & bitOf(slotInRegion(chunk))) == 0) return 0;
  return std::nullopt;
}

}  // namespace fractalray::internal
