// SPDX-License-Identifier: Apache-2.0
#include "fractalray/entities/entity_index.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "fractalray/core/check.h"

namespace fractalray {
namespace {

Vec3i asCell(const ChunkCoord& chunk) {
  return {chunk[0], chunk[1], chunk[2]};
}

// The finest level whose chunks are wider than `radius`, or -1.
int indexLevelFor(const Frame& frame, std::int64_t radius) {
  int level = frame.levels() - 1;
  while (level >= 0 && radius >= frame.chunkWidth(level))
    --level;
  return level;
}

// OUT_OF_RANGE where the shape around a position leaves the frame.
absl::Status checkPlace(const Vec3i& position, const UnitShape& shape) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t distance = position[axis] < 0 ? -position[axis] : position[axis];
    if (distance > kMaxCoordinate - shape.half_extents[axis]) {
      return absl::OutOfRangeError(
          absl::StrCat("the entity's shape around ", std::string(1, "xyz"[axis]), " = ",
                       blocksFromUnits(position[axis]), " reaches beyond the frame, which ends at ",
                       kMaxCoordinate / kUnitsPerBlock, " finest-block widths (2^45)"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<EntityHandle> EntityIndex::add(const EntitySpec& spec) {
  if (by_id_.contains(spec.id)) {
    return absl::AlreadyExistsError(absl::StrCat("entity ", spec.id, " is in the index already"));
  }
  if (!frame_.isActive(spec.level)) {
    return absl::InvalidArgumentError(absl::StrCat("entity ", spec.id, " is of level ", spec.level,
                                                   ", which is not active; levels are 0 to ",
                                                   frame_.levels() - 1));
  }
  const absl::StatusOr<UnitShape> shape = toUnits(spec.shape);
  if (!shape.ok() && !absl::IsOutOfRange(shape.status())) return shape.status();
  const int index_level = shape.ok() ? indexLevelFor(frame_, shape->radius()) : -1;
  if (index_level < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "entity ", spec.id, " is too large: its radius must be below a level-0 chunk, ",
        blocksFromUnits(frame_.chunkWidth(0)), " finest-block widths"));
  }
  const absl::StatusOr<Vec3i> position = unitsFromBlocks(spec.position, "the entity's position");
  if (!position.ok()) return position.status();
  absl::Status status = checkPlace(*position, *shape);
  if (!status.ok()) return status;

  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint32_t number = free_slots_.back();
  free_slots_.pop_back();
  Slot& slot = slots_[number];
  slot.entity = {.id = spec.id,
                 .categories = spec.categories,
                 .position = *position,
                 .shape = *shape,
                 .entity_class = spec.entity_class,
                 .level = spec.level,
                 .index_level = index_level};
  slot.alive = true;
  slot.chunks = chunksOf(slot.entity);
  const EntityHandle handle{number, slot.generation};
  for (const ChunkCoord& chunk : slot.chunks)
    enter(index_level, chunk, handle);
  ++indexLevel(index_level).count_by_own_level[static_cast<std::size_t>(spec.level)];
  by_id_.emplace(spec.id, handle);
  return handle;
}

absl::Status EntityIndex::move(EntityHandle entity, const Vec3d& position) {
  if (find(entity) == nullptr) return stale(entity);
  Slot& slot = slots_[entity.slot];
  const absl::StatusOr<Vec3i> units = unitsFromBlocks(position, "the entity's position");
  if (!units.ok()) return units.status();
  absl::Status status = checkPlace(*units, slot.entity.shape);
  if (!status.ok()) return status;
  slot.entity.position = *units;
  const ChunkSet chunks = chunksOf(slot.entity);
  if (chunks == slot.chunks) return status;
  // Both sets are sorted.
  const int index_level = slot.entity.index_level;
  for (const ChunkCoord& chunk : slot.chunks) {
    if (!std::binary_search(chunks.begin(), chunks.end(), chunk)) leave(index_level, chunk, entity);
  }
  for (const ChunkCoord& chunk : chunks) {
    if (!std::binary_search(slot.chunks.begin(), slot.chunks.end(), chunk)) {
      enter(index_level, chunk, entity);
    }
  }
  slot.chunks = chunks;
  return status;
}

absl::Status EntityIndex::remove(EntityHandle entity) {
  if (find(entity) == nullptr) return stale(entity);
  Slot& slot = slots_[entity.slot];
  const int index_level = slot.entity.index_level;
  for (const ChunkCoord& chunk : slot.chunks)
    leave(index_level, chunk, entity);
  --indexLevel(index_level).count_by_own_level[static_cast<std::size_t>(slot.entity.level)];
  by_id_.erase(slot.entity.id);
  slot.chunks.clear();
  slot.alive = false;
  // A slot whose generations are used up is never let again, so that no stale handle can come true.
  if (++slot.generation != 0) free_slots_.push_back(entity.slot);
  return absl::OkStatus();
}

const Entity* EntityIndex::find(EntityHandle entity) const {
  if (entity.slot >= slots_.size()) return nullptr;
  const Slot& slot = slots_[entity.slot];
  return slot.alive && slot.generation == entity.generation ? &slot.entity : nullptr;
}

std::optional<EntityHandle> EntityIndex::findId(EntityId id) const {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return std::nullopt;
  return found->second;
}

std::vector<EntityHandle> EntityIndex::all() const {
  std::vector<EntityHandle> handles;
  handles.reserve(size());
  for (std::uint32_t number = 0; number < slots_.size(); ++number) {
    if (slots_[number].alive) handles.push_back({number, slots_[number].generation});
  }
  return handles;
}

std::span<const ChunkCoord> EntityIndex::chunks(EntityHandle entity) const {
  if (find(entity) == nullptr) return {};
  const ChunkSet& chunks = slots_[entity.slot].chunks;
  return {chunks.data(), chunks.size()};
}

std::span<const EntityHandle> EntityIndex::inChunk(int index_level, const ChunkCoord& chunk) const {
  if (!frame_.isActive(index_level)) return {};
  const auto& chunks = indexLevel(index_level).chunks;
  const auto found = chunks.find(chunk);
  if (found == chunks.end()) return {};
  return {found->second.data(), found->second.size()};
}

std::optional<int> EntityIndex::emptyCubeLog2(int index_level, const ChunkCoord& chunk) const {
  return indexLevel(index_level).occupied.emptyCubeLog2(asCell(chunk));
}

LevelMask EntityIndex::indexLevels(LevelMask own_levels) const {
  LevelMask mask;
  for (int level = 0; level < frame_.levels(); ++level) {
    for (int own = 0; own < frame_.levels(); ++own) {
      const std::size_t count = indexLevel(level).count_by_own_level[static_cast<std::size_t>(own)];
      if (own_levels.contains(own) && count > 0) mask.add(level);
    }
  }
  return mask;
}

EntityIndex::ChunkSet EntityIndex::chunksOf(const Entity& entity) const {
  const std::int64_t width = frame_.chunkWidth(entity.index_level);
  ChunkCoord first;
  ChunkCoord last;
  for (int axis = 0; axis < 3; ++axis) {
    // A closed cube [k, k + 1] * width that ends where the shape begins, or begins where it ends,
    // meets it.
    first[axis] = ceilDiv(entity.position[axis] - entity.shape.half_extents[axis], width) - 1;
    last[axis] = floorDiv(entity.position[axis] + entity.shape.half_extents[axis], width);
  }
  ChunkSet chunks;
  for (std::int64_t x = first[0]; x <= last[0]; ++x) {
    for (std::int64_t y = first[1]; y <= last[1]; ++y) {
      for (std::int64_t z = first[2]; z <= last[2]; ++z) {
        const Vec3i min = Vec3i{x, y, z} * width;
        const Vec3i max = min + Vec3i{width, width, width};
        if (meetsBox(entity.shape, entity.position, min, max)) chunks.push_back({x, y, z});
      }
    }
  }
  return chunks;
}

void EntityIndex::enter(int index_level, const ChunkCoord& chunk, EntityHandle entity) {
  IndexLevel& level = indexLevel(index_level);
  Tenants& tenants = level.chunks[chunk];
  if (tenants.empty()) level.occupied.insert(asCell(chunk));
  tenants.push_back(entity);
}

void EntityIndex::leave(int index_level, const ChunkCoord& chunk, EntityHandle entity) {
  IndexLevel& level = indexLevel(index_level);
  const auto found = level.chunks.find(chunk);
  FRACTALRAY_DCHECK(found != level.chunks.end());
  Tenants& tenants = found->second;
  const auto tenant = std::find(tenants.begin(), tenants.end(), entity);
  FRACTALRAY_DCHECK(tenant != tenants.end());
  *tenant = tenants.back();
  tenants.pop_back();
  if (!tenants.empty()) return;
  level.chunks.erase(found);
  level.occupied.erase(asCell(chunk));
}

absl::Status EntityIndex::stale(EntityHandle entity) const {
  return absl::NotFoundError(absl::StrCat("entity handle ", entity.slot, "/", entity.generation,
                                          entity.slot < slots_.size()
                                              ? " is stale: that entity has been removed"
                                              : " was never given by this index"));
}

}  // namespace fractalray
