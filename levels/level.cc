// SPDX-License-Identifier: Apache-2.0
#include "fractalray/levels/level.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace fractalray {
namespace {

constexpr std::uint64_t bitOf(int slot) {
  return std::uint64_t{1} << slot;
}

void setBit(std::uint64_t& mask, int slot, bool value) {
  mask = value ? mask | bitOf(slot) : mask & ~bitOf(slot);
}

}  // namespace

const Area* Level::findArea(const Vec3i& area) const {
  const auto found = areas_.find(area);
  return found == areas_.end() ? nullptr : found->second.get();
}

const Region* Level::region(const ChunkCoord& chunk) const {
  const Area* const area = this->area(chunk);
  return area == nullptr ? nullptr : area->region(Area::slotOf(chunk));
}

ChunkState Level::state(const ChunkCoord& chunk) const {
  const Region* const region = this->region(chunk);
  if (region == nullptr) return ChunkState::kAbsent;
  const std::uint64_t bit = bitOf(Region::slotOf(chunk));
  if ((region->loaded() & bit) != 0) return ChunkState::kLoaded;
  return (region->proto() & bit) != 0 ? ChunkState::kProto : ChunkState::kAbsent;
}

std::optional<int> Level::emptyCubeLog2(const ChunkCoord& chunk) const {
  const Area* const area = this->area(chunk);
  if (area == nullptr || area->loaded() == 0) {
    return 4 + loaded_areas_.emptyCubeLog2(areaOf(chunk)).value_or(0);
  }
  if ((area->loaded() & bitOf(Area::slotOf(chunk))) == 0) return 2;
  const Region& region = *area->region(Area::slotOf(chunk));
  if ((region.loaded() & bitOf(Region::slotOf(chunk))) == 0) return 0;
  return std::nullopt;
}

void Level::forEachLoaded(absl::FunctionRef<void(const ChunkCoord&, const Chunk&)> visit) const {
  std::vector<std::pair<ChunkCoord, const Chunk*>> chunks;
  chunks.reserve(loaded_count_);
  for (const auto& [at, area] : areas_) {
    for (std::uint64_t regions = area->loaded(); regions != 0; regions &= regions - 1) {
      const int place = std::countr_zero(regions);
      const Region& region = *area->region(place);
      for (std::uint64_t slots = region.loaded(); slots != 0; slots &= slots - 1) {
        const int slot = std::countr_zero(slots);
        chunks.emplace_back(ChunkCoord{at[0] * 16 + (((place & 3) << 2) | (slot & 3)),
                                       at[1] * 16 + ((place & 12) | ((slot >> 2) & 3)),
                                       at[2] * 16 + (((place >> 4) << 2) | (slot >> 4))},
                            region.chunk(slot));
      }
    }
  }
  std::sort(chunks.begin(), chunks.end());
  for (const auto& [at, chunk] : chunks)
    visit(at, *chunk);
}

Region* Level::findRegion(const ChunkCoord& chunk) {
  const auto found = areas_.find(areaOf(chunk));
  if (found == areas_.end()) return nullptr;
  return found->second->regions_[static_cast<std::size_t>(Area::slotOf(chunk))].get();
}

Region& Level::makeRegion(const ChunkCoord& chunk) {
  std::unique_ptr<Area>& area = areas_[areaOf(chunk)];
  if (area == nullptr) {
    area = std::make_unique<Area>();
    rebuildGrid();
  }
  std::unique_ptr<Region>& region = area->regions_[static_cast<std::size_t>(Area::slotOf(chunk))];
  if (region == nullptr) region = std::make_unique<Region>();
  return *region;
}

Chunk* Level::findMutable(const ChunkCoord& chunk) {
  Region* const region = findRegion(chunk);
  if (region == nullptr) return nullptr;
  const int slot = Region::slotOf(chunk);
  if ((region->loaded_ & bitOf(slot)) == 0) return nullptr;
  return &region->chunks_[static_cast<std::size_t>(slot)];
}

void Level::put(const ChunkCoord& chunk, Chunk content) {
  Region& region = makeRegion(chunk);
  const int slot = Region::slotOf(chunk);
  if ((region.proto_ & bitOf(slot)) != 0) {
    setBit(region.proto_, slot, false);
    --proto_count_;
  }
  if ((region.loaded_ & bitOf(slot)) == 0) {
    ++loaded_count_;
    bounds_.insert(chunk);
  }
  region.chunks_[static_cast<std::size_t>(slot)] = std::move(content);
  setBit(region.loaded_, slot, true);
  refreshMasks(chunk);
}

void Level::putProto(const ChunkCoord& chunk) {
  Region& region = makeRegion(chunk);
  const int slot = Region::slotOf(chunk);
  if ((region.proto_ & bitOf(slot)) != 0) return;
  setBit(region.proto_, slot, true);
  ++proto_count_;
}

void Level::remove(const ChunkCoord& chunk) {
  Region* const region = findRegion(chunk);
  if (region == nullptr) return;
  const int slot = Region::slotOf(chunk);
  if ((region->proto_ & bitOf(slot)) != 0) {
    setBit(region->proto_, slot, false);
    --proto_count_;
  }
  if ((region->loaded_ & bitOf(slot)) != 0) {
    region->chunks_[static_cast<std::size_t>(slot)] = Chunk();
    setBit(region->loaded_, slot, false);
    --loaded_count_;
    bounds_.erase(chunk);
    refreshMasks(chunk);
  }
  if ((region->loaded_ | region->proto_) != 0) return;
  const auto area = areas_.find(areaOf(chunk));
  auto& regions = area->second->regions_;
  regions[static_cast<std::size_t>(Area::slotOf(chunk))].reset();
  if (std::all_of(regions.begin(), regions.end(),
                  [](const auto& left) { return left == nullptr; })) {
    areas_.erase(area);
    rebuildGrid();
  }
}

void Level::rebuildGrid() {
  area_grid_.rebuild(areas_, [](const std::unique_ptr<Area>& area) { return area.get(); });
}

void Level::refreshMasks(const ChunkCoord& chunk) {
  Area& area = *areas_.find(areaOf(chunk))->second;
  const int place = Area::slotOf(chunk);
  Region& region = *area.regions_[static_cast<std::size_t>(place)];
  const int slot = Region::slotOf(chunk);
  setBit(region.occupied_, slot, !region.chunks_[static_cast<std::size_t>(slot)].isEmpty());
  const bool was_loaded = area.loaded_ != 0;
  setBit(area.loaded_, place, region.loaded_ != 0);
  setBit(area.complete_, place, region.loaded_ == ~std::uint64_t{0});
  setBit(area.occupied_, place, region.occupied_ != 0);
  if (was_loaded == (area.loaded_ != 0)) return;
  if (was_loaded) {
    loaded_areas_.erase(areaOf(chunk));
  } else {
    loaded_areas_.insert(areaOf(chunk));
  }
}

}  // namespace fractalray
