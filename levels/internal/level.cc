// SPDX-License-Identifier: Apache-2.0
#include "level.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "../../core/check.h"

namespace fractalray::internal {

const Region* Level::region(const ChunkCoord& chunk) const {
  const Area* const area = this->area(chunk);
  return area == nullptr ? nullptr : area->region(slotInArea(chunk));
}

ChunkAt Level::at(const ChunkCoord& chunk) const {
  ChunkAt found{.at = chunk, .level = this, .area = area(chunk)};
  if (found.area != nullptr) found.region = found.area->region(slotInArea(chunk));
  if (found.region != nullptr) found.chunk = found.region->chunk(slotInRegion(chunk));
  return found;
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

OwnChunk Level::own(const ChunkAt& found) {
  FRACTALRAY_DCHECK(found.chunk != nullptr, found.at[0], found.at[1], found.at[2]);
  // Shared parts, and those that another level holds since a snapshot, are found again and copied.
  if (found.level != this || found.area->isShared() || found.region->isShared()) {
    return ownSlot(found.at);
  }
  return {.at = found.at,
          .area = const_cast<Area*>(found.area),
          .region = const_cast<Region*>(found.region),
          .chunk = const_cast<Chunk*>(found.chunk)};
}

OwnChunk Level::ownSlot(const ChunkCoord& chunk) {
  const auto in_area = static_cast<std::size_t>(slotInArea(chunk));
  const auto in_region = static_cast<std::size_t>(slotInRegion(chunk));
  Area* area = areas_.edit(chunk);
  if (area == nullptr) {
    // The region first, so that there is never an area without one.
    auto made = CowPtr<Region>::make();
    area = &areas_.findOrMake(chunk);
    area->regions_[in_area] = std::move(made);
  }
  CowPtr<Region>& held = area->regions_[in_area];
  if (!held) held = CowPtr<Region>::make();
  Region& region = held.edit();
  return {.at = chunk, .area = area, .region = &region, .chunk = &region.chunks_[in_region]};
}

void Level::put(const OwnChunk& slot, Chunk content,
                ChunkBounds::Reservation reservation) noexcept {
  Region& region = *slot.region;
  const int bit = slotInRegion(slot.at);
  if (hasBit(region.proto_, bit)) {
    setBit(region.proto_, bit, false);
    --proto_count_;
  }
  if (!hasBit(region.loaded_, bit)) bounds_.insert(slot.at, std::move(reservation));
  *slot.chunk = std::move(content);
  setBit(region.loaded_, bit, true);
  refreshMasks(slot);
}

void Level::putProto(const ChunkCoord& chunk) {
  Region& region = *ownSlot(chunk).region;
  const int slot = slotInRegion(chunk);
  if (hasBit(region.proto_, slot)) return;
  setBit(region.proto_, slot, true);
  ++proto_count_;
}

void Level::remove(const OwnChunk& slot) noexcept {
  Region& region = *slot.region;
  const int bit = slotInRegion(slot.at);
  FRACTALRAY_DCHECK(hasBit(region.loaded_ | region.proto_, bit), bit);
  if (hasBit(region.proto_, bit)) {
    setBit(region.proto_, bit, false);
    --proto_count_;
  }
  if (hasBit(region.loaded_, bit)) {
    *slot.chunk = Chunk();
    setBit(region.loaded_, bit, false);
    bounds_.erase(slot.at);
    refreshMasks(slot);
  }
  dropEmptyRegion(slot.at);
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

void Level::refreshMasks(const OwnChunk& chunk) noexcept {
  Region& region = *chunk.region;
  Area& area = *chunk.area;
  const int slot = slotInArea(chunk.at);
  setBit(region.occupied_, slotInRegion(chunk.at), !chunk.chunk->isEmpty());
  setBit(area.loaded_, slot, region.loaded_ != 0);
  setBit(area.complete_, slot, region.loaded_ == ~std::uint64_t{0});
  occupied_regions_ -= hasBit(area.occupied_, slot) ? 1U : 0U;
  setBit(area.occupied_, slot, region.occupied_ != 0);
  occupied_regions_ += region.occupied_ != 0 ? 1U : 0U;
}

}  // namespace fractalray::internal
