// SPDX-License-Identifier: Apache-2.0
#include "level.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace fractalray::internal {

const Region* Level::region(const ChunkCoord& chunk) const {
  const Area* const area = this->area(chunk);
  return area == nullptr ? nullptr : area->region(slotInArea(chunk));
}

ChunkState Level::state(const ChunkCoord& chunk) const {
  const Region* const region = this->region(chunk);
  if (region == nullptr) return ChunkState::kAbsent;
  const int slot = slotInRegion(chunk);
  if (hasBit(region->loaded(), slot)) return ChunkState::kLoaded;
  return hasBit(region->proto(), slot) ? ChunkState::kProto : ChunkState::kAbsent;
}

std::optional<int> Level::emptyCubeLog2(const ChunkCoord& chunk) const {
  const Area* const area = this->area(chunk);
  if (area == nullptr) return areas_.emptyCubeLog2(chunk);
  if (area->loaded() == 0) return 4;  // placeholders only
  if (!hasBit(area->loaded(), slotInArea(chunk))) return 2;
  const Region& region = *area->region(slotInArea(chunk));
  if (!hasBit(region.loaded(), slotInRegion(chunk))) return 0;
  return std::nullopt;
}

void Level::forEachLoaded(absl::FunctionRef<void(const ChunkCoord&, const Chunk&)> visit) const {
  std::vector<std::pair<ChunkCoord, const Chunk*>> chunks;
  chunks.reserve(loadedChunks());
  areas_.forEach([&](const Vec3i& at, const Area& area) {
    forEachSlot(area.loaded(), [&](int slot_in_area) {
      const Region& region = *area.region(slot_in_area);
      forEachSlot(region.loaded(), [&](int slot_in_region) {
        chunks.emplace_back(chunkAt(at, slot_in_area, slot_in_region),
                            region.chunk(slot_in_region));
      });
    });
  });
  std::sort(chunks.begin(), chunks.end());
  for (const auto& [at, chunk] : chunks)
    visit(at, *chunk);
}

Chunk* Level::edit(const ChunkCoord& chunk) {
  if (find(chunk) == nullptr) return nullptr;
  return &editRegion(chunk).chunks_[static_cast<std::size_t>(slotInRegion(chunk))];
}

Region& Level::editRegion(const ChunkCoord& chunk) {
  const auto slot = static_cast<std::size_t>(slotInArea(chunk));
  if (Area* const area = areas_.edit(chunk); area != nullptr) {
    CowPtr<Region>& region = area->regions_[slot];
    if (!region) region = CowPtr<Region>::make();
    return region.edit();
  }
  // The region first, so that there is never an area without one.
  auto region = CowPtr<Region>::make();
  CowPtr<Region>& held = areas_.findOrMake(chunk).regions_[slot];
  held = std::move(region);
  return held.edit();
}

void Level::put(const ChunkCoord& chunk, Chunk content) {
  ChunkBounds::Reservation reservation = bounds_.reserve(chunk);
  editRegion(chunk);
  put(chunk, std::move(content), std::move(reservation));
}

void Level::put(const ChunkCoord& chunk, Chunk content,
                ChunkBounds::Reservation reservation) noexcept {
  Region& region = editRegion(chunk);
  const int slot = slotInRegion(chunk);
  if (hasBit(region.proto_, slot)) {
    setBit(region.proto_, slot, false);
    --proto_count_;
  }
  if (!hasBit(region.loaded_, slot)) bounds_.insert(chunk, std::move(reservation));
  region.chunks_[static_cast<std::size_t>(slot)] = std::move(content);
  setBit(region.loaded_, slot, true);
  refreshMasks(chunk);
}

void Level::putProto(const ChunkCoord& chunk) {
  Region& region = editRegion(chunk);
  const int slot = slotInRegion(chunk);
  if (hasBit(region.proto_, slot)) return;
  setBit(region.proto_, slot, true);
  ++proto_count_;
}

void Level::remove(const ChunkCoord& chunk) {
  if (state(chunk) == ChunkState::kAbsent) return;
  Region& region = editRegion(chunk);
  // Nothing throws any more.
  const int slot = slotInRegion(chunk);
  if (hasBit(region.proto_, slot)) {
    setBit(region.proto_, slot, false);
    --proto_count_;
  }
  if (hasBit(region.loaded_, slot)) {
    region.chunks_[static_cast<std::size_t>(slot)] = Chunk();
    setBit(region.loaded_, slot, false);
    bounds_.erase(chunk);
    refreshMasks(chunk);
  }
  dropEmptyRegion(chunk);
}

void Level::dropEmptyRegion(const ChunkCoord& chunk) noexcept {
  const Region* const region = this->region(chunk);
  if (region == nullptr || (region->loaded() | region->proto()) != 0) return;
  auto& regions = areas_.edit(chunk)->regions_;
  regions[static_cast<std::size_t>(slotInArea(chunk))] = {};
  if (std::none_of(regions.begin(), regions.end(), [](const auto& left) { return bool(left); })) {
    areas_.erase(chunk);
  }
}

void Level::refreshMasks(const ChunkCoord& chunk) noexcept {
  Region& region = editRegion(chunk);
  Area& area = *areas_.edit(chunk);
  const int region_slot = slotInArea(chunk);
  const int slot = slotInRegion(chunk);
  setBit(region.occupied_, slot, !region.chunks_[static_cast<std::size_t>(slot)].isEmpty());
  setBit(area.loaded_, region_slot, region.loaded_ != 0);
  setBit(area.complete_, region_slot, region.loaded_ == ~std::uint64_t{0});
  setBit(area.occupied_, region_slot, region.occupied_ != 0);
}

}  // namespace fractalray::internal
