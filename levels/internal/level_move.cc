// SPDX-License-Identifier: Apache-2.0
#include "level_move.h"

#include <bit>
#include <utility>

#include "../../core/check.h"
#include "../../core/tree64.h"

namespace fractalray::internal {
namespace {

constexpr std::int64_t kChunksInArea = 16;

bool isWholeAreas(const Vec3i& offset) {
  return ((offset[0] | offset[1] | offset[2]) & (kChunksInArea - 1)) == 0;
}

ChunkCoord firstChunkOf(const Vec3i& area) {
  return {area[0] * kChunksInArea, area[1] * kChunksInArea, area[2] * kChunksInArea};
}

bool hasChildren(const Region& region) {
  bool has_any = false;
  forEachSlot(region.loaded(),
              [&](int slot) { has_any = has_any || region.chunk(slot)->children() != nullptr; });
  return has_any;
}

}  // namespace

LevelMove::LevelMove(const CowPtr<Level>& from, const Frame& frame, const LevelChange& change)
    : frame_(frame), change_(change), is_own_(!from->isShared()) {
  level_.edit().proto_count_ = from->proto_count_;
  if (isWholeAreas(change.offset)) {
    shiftAreas(*from);
  } else {
    shiftChunks(*from);
  }
  if (!is_own_) takeBounds(from->bounds_);
}

CowPtr<Level> LevelMove::finish(CowPtr<Level> from) noexcept {
  if (is_own_) takeBounds(std::move(from.edit().bounds_));
  for (const Transfer& transfer : transfers_)
    *transfer.to = std::move(*transfer.from);
  from = {};
  if (change_.forgets_children) forgetChildren();
  countOccupied();
  return std::move(level_);
}

void LevelMove::shiftAreas(const Level& from) {
  const Vec3i offset = change_.offset / kChunksInArea;
  level_.edit().areas_ =
      from.areas_.shifted(offset, [&](const Vec3i& at, const CowPtr<Area>& area) {
        // The border of the frame is also one of areas.
        if (!frame_.contains(change_.level, firstChunkOf(at))) {
          dropArea(at - offset, *area);
          return CowPtr<Area>();
        }
        return change_.forgets_children ? withoutChildren(area) : area;
      });
}

CowPtr<Area> LevelMove::withoutChildren(const CowPtr<Area>& area) const {
  CowPtr<Area> copy;
  for (std::size_t slot = 0; slot < area->regions_.size(); ++slot) {
    const CowPtr<Region>& region = area->regions_[slot];
    if (!region) continue;
    const bool is_own = is_own_ && !area->isShared() && !region->isShared();
    if (is_own || !hasChildren(*region)) continue;
    if (!copy) copy = CowPtr<Area>::make(*area);
    copy.edit().regions_[slot] = CowPtr<Region>::make(*region);
  }
  return copy ? copy : area;
}

void LevelMove::shiftChunks(const Level& from) {
  AreaMap<Area>& areas = level_.edit().areas_;
  areas.beginBulk();
  from.areas_.forEach([&](const Vec3i& at, const Area& area) {
    for (int slot = 0; slot < 64; ++slot) {
      const CowPtr<Region>& region = area.regions_[static_cast<std::size_t>(slot)];
      if (!region) continue;
      shiftRegion(*region, at, slot, is_own_ && !area.isShared() && !region->isShared());
    }
  });
  setAreaMasks();
  areas.endBulk();
}

void LevelMove::shiftRegion(const Region& region, const Vec3i& area, int slot_in_area,
                            bool is_own) {
  forEachSlot(region.loaded_ | region.proto_, [&](int slot) {
    const ChunkCoord before = chunkAt(area, slot_in_area, slot);
    const ChunkCoord at{before[0] + change_.offset[0], before[1] + change_.offset[1],
                        before[2] + change_.offset[2]};
    const bool is_loaded = hasBit(region.loaded_, slot);
    if (!frame_.contains(change_.level, at)) return dropChunk(before, is_loaded);
    Region& to = *level_.edit().ownSlot(at).region;
    const int to_slot = slotInRegion(at);
    setBit(is_loaded ? to.loaded_ : to.proto_, to_slot, true);
    setBit(to.occupied_, to_slot, hasBit(region.occupied_, slot));
    if (!is_loaded) return;
    const Chunk& content = region.chunks_[static_cast<std::size_t>(slot)];
    Chunk& moved = to.chunks_[static_cast<std::size_t>(to_slot)];
    if (is_own) {
      transfers_.push_back({const_cast<Chunk*>(&content), &moved});
    } else {
      moved = Chunk(content);
    }
  });
}

void LevelMove::dropArea(const Vec3i& at, const Area& area) {
  for (int slot_in_area = 0; slot_in_area < 64; ++slot_in_area) {
    const Region* const region = area.region(slot_in_area);
    if (region == nullptr) continue;
    forEachSlot(region->loaded() | region->proto(), [&](int slot) {
      dropChunk(chunkAt(at, slot_in_area, slot), hasBit(region->loaded(), slot));
    });
  }
}

void LevelMove::dropChunk(const ChunkCoord& chunk, bool is_loaded) {
  ++dropped_;
  if (is_loaded) {
    dropped_loaded_.push_back(chunk);
  } else {
    --level_.edit().proto_count_;
  }
}

void LevelMove::setAreaMasks() noexcept {
  level_.edit().areas_.forEachOwn([](Area& area) {
    for (int slot = 0; slot < 64; ++slot) {
      const Region* const region = area.region(slot);
      if (region == nullptr) continue;
      setBit(area.loaded_, slot, region->loaded_ != 0);
      setBit(area.complete_, slot, region->loaded_ == ~std::uint64_t{0});
      setBit(area.occupied_, slot, region->occupied_ != 0);
    }
  });
}

void LevelMove::countOccupied() noexcept {
  Level& level = level_.edit();
  level.occupied_regions_ = 0;
  level.areas_.forEach([&](const Vec3i& /*at*/, const Area& area) {
    level.occupied_regions_ += static_cast<std::size_t>(std::popcount(area.occupied_));
  });
}

void LevelMove::forgetChildren() noexcept {
  level_.edit().areas_.forEachOwn([](Area& area) {
    for (CowPtr<Region>& region : area.regions_) {
      // A region that is shared has no children: withoutChildren() has copied the others.
      if (!region || region->isShared()) continue;
      Region& own = region.edit();
      forEachSlot(own.loaded_,
                  [&](int slot) { own.chunks_[static_cast<std::size_t>(slot)].children_ = {}; });
    }
  });
}

void LevelMove::takeBounds(ChunkBounds bounds) noexcept {
  ChunkBounds& own = level_.edit().bounds_;
  own = std::move(bounds);
  for (const ChunkCoord& chunk : dropped_loaded_)
    own.erase(chunk);
  own.shift(change_.offset);
}

}  // namespace fractalray::internal
