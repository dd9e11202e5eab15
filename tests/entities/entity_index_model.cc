// SPDX-License-Identifier: Apache-2.0
#include "entity_index_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "../../core/internal/access.h"
#include "../../entities/internal/entity_store.h"
#include "../../entities/internal/index_inspection.h"
#include "../oracle/shape_oracle.h"

namespace fractalray {
namespace {

// The centre and the radius of an entity on a page.
using Sphere16 = std::pair<std::array<std::int16_t, 3>, std::int16_t>;
// The tree that queries descend: the entities in each chunk of each index level.
using Contents = std::map<std::pair<int, ChunkCoord>, std::map<EntityId, Sphere16>>;

Contents contents(const EntityIndex& index) {
  Contents contents;
  for (int level = 0; level < index.frame().levels(); ++level) {
    const internal::EntityGrid& grid = internal::Access::store(index).grid(level);
    grid.areas().forEach([&](const Vec3i& at, const internal::EntityGrid::Area& area) {
      for (int i = 0; i < 64 * 64; ++i) {
        if ((area.occupied() >> (i / 64) & 1) == 0) continue;
        const internal::EntityGrid::Region& region = *area.region(i / 64);
        if ((region.occupied() >> (i % 64) & 1) == 0) continue;
        auto& chunk = contents[{level, internal::chunkAt(at, i / 64, i % 64)}];
        const internal::PageList& pages = region.chunk(i % 64);
        for (std::uint32_t number = 0; number < pages.count; ++number) {
          const internal::EntitySlot entry = grid.pool().entryOf(pages, number);
          const internal::PageSphere sphere =
              grid.pool().page(entry / 8).get(entry % internal::EntityPage::kLanes);
          const EntityHandle handle =
              internal::Access::store(index).handle(grid.pool().slot(entry));
          chunk[index.find(handle)->id] = {sphere.center, sphere.radius};
        }
      }
    });
  }
  return contents;
}

}  // namespace

void EntityIndexModel::add(const EntitySpec& spec, EntityHandle handle) {
  for (const EntityHandle& other : dead_)
    ASSERT_NE(other, handle) << "a handle came back";
  Entity entity;
  entity.id = spec.id;
  entity.categories = spec.categories;
  entity.position = toUnits(spec.position, "").value();
  entity.shape = toUnits(spec.shape).value();
  entity.entity_class = spec.entity_class;
  entity.level = static_cast<std::int8_t>(spec.level);
  entity.index_level = static_cast<std::int8_t>(oracle::indexLevelOf(frame_, entity.shape).value());
  living_[spec.id] = {handle, entity};
  enter(living_[spec.id]);
}

void EntityIndexModel::move(EntityId id, const Vec3d& position) {
  Living& one = living_.at(id);
  leave(one);
  one.entity.position = toUnits(position, "").value();
  enter(one);
}

void EntityIndexModel::update(EntityId id, const EntityUpdate& update) {
  Living& one = living_.at(id);
  Entity& entity = one.entity;
  leave(one);
  if (update.level) entity.level = static_cast<std::int8_t>(*update.level);
  if (update.entity_class) entity.entity_class = *update.entity_class;
  if (update.shape) entity.shape = toUnits(*update.shape).value();
  if (update.position) entity.position = toUnits(*update.position, "").value();
  if (update.categories) entity.categories = *update.categories;
  entity.index_level = static_cast<std::int8_t>(oracle::indexLevelOf(frame_, entity.shape).value());
  enter(one);
}

void EntityIndexModel::remove(EntityId id) {
  const Living& one = living_.at(id);
  leave(one);
  dead_.push_back(one.handle);
  if (dead_.size() > 50) dead_.erase(dead_.begin());
  living_.erase(id);
}

void EntityIndexModel::expectEntityEqual(const EntityIndex& index, const Living& one) const {
  const Entity* const entity = index.find(one.handle);
  ASSERT_NE(entity, nullptr);
  ASSERT_EQ(entity->id, one.entity.id);
  ASSERT_EQ(entity->categories, one.entity.categories);
  ASSERT_EQ(entity->position, one.entity.position);
  ASSERT_EQ(entity->shape, one.entity.shape);
  ASSERT_EQ(entity->entity_class, one.entity.entity_class);
  ASSERT_EQ(entity->level, one.entity.level);
  ASSERT_EQ(entity->index_level, one.entity.index_level);
  ASSERT_EQ(index.findId(one.entity.id), one.handle);
  const auto chunks = index.chunks(one.handle);
  ASSERT_EQ(std::vector<ChunkCoord>(chunks.begin(), chunks.end()), chunksOf(one.entity));
}

void EntityIndexModel::expectChunkEqual(const EntityIndex& index, int level,
                                        const ChunkCoord& at) const {
  const std::vector<EntityHandle> occupants = internal::inChunk(index, level, at);
  const std::set<EntityHandle> actual(occupants.begin(), occupants.end());
  ASSERT_EQ(actual.size(), occupants.size()) << "an entity is in a chunk twice";
  const auto expected = occupants_.find({level, at});
  ASSERT_EQ(actual, expected == occupants_.end() ? std::set<EntityHandle>{} : expected->second);
  const std::optional<int> empty = internal::emptyCubeLog2(index, level, at);
  ASSERT_EQ(empty.has_value(), occupants.empty());
  if (!empty.has_value()) return;
  for (const auto& [key, entities] : occupants_) {
    if (key.first != level) continue;
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      inside = inside && key.second[axis] >= cubeMin(at[axis], *empty) &&
               key.second[axis] <= cubeMax(at[axis], *empty);
    }
    ASSERT_FALSE(inside) << "an entity in a cube that was reported as empty";
  }
}

void EntityIndexModel::expectEqualToOneFromScratch(const EntityIndex& index) const {
  EntityIndex scratch(frame_);
  for (const auto& [id, one] : living_) {
    ASSERT_TRUE(scratch
                    .add({.id = id,
                          .level = one.entity.level,
                          .shape = toBlocks(one.entity.shape),
                          .position = toBlocks(one.entity.position)})
                    .ok());
  }
  const Contents expected = contents(scratch);
  std::map<std::pair<int, ChunkCoord>, std::size_t> sizes;
  for (const auto& [key, entities] : occupants_)
    sizes[key] = entities.size();
  ASSERT_EQ(expected.size(), sizes.size());
  for (const auto& [key, entities] : expected)
    ASSERT_EQ(entities.size(), sizes.at(key));
  ASSERT_TRUE(contents(index) == expected);
}

void EntityIndexModel::expectEqual(const EntityIndex& index) const {
  ASSERT_NO_FATAL_FAILURE(expectEqualToOneFromScratch(index));
  ASSERT_EQ(index.size(), living_.size());
  std::set<EntityHandle> handles;
  for (const auto& [id, one] : living_) {
    handles.insert(one.handle);
    ASSERT_NO_FATAL_FAILURE(expectEntityEqual(index, one));
    ASSERT_LT(one.handle.slot, internal::Access::store(index).slots());
  }
  const std::vector<EntityHandle> all = index.all();
  ASSERT_TRUE(std::is_sorted(all.begin(), all.end()));
  ASSERT_EQ(std::set<EntityHandle>(all.begin(), all.end()), handles);
  for (const auto& [key, entities] : occupants_) {
    ASSERT_NO_FATAL_FAILURE(expectChunkEqual(index, key.first, key.second));
  }
  for (int own = 0; own < frame_.levels(); ++own) {
    LevelMask expected;
    for (const auto& [id, one] : living_) {
      if (one.entity.level == own) expected.add(one.entity.index_level);
    }
    ASSERT_EQ(internal::indexLevels(index, LevelMask{own}), expected);
  }
}

std::vector<ChunkCoord> EntityIndexModel::chunksOf(const Entity& entity) const {
  return oracle::overlappedChunks(frame_, entity.index_level, entity.shape, entity.position);
}

void EntityIndexModel::enter(const Living& one) {
  for (const ChunkCoord& at : chunksOf(one.entity)) {
    occupants_[{one.entity.index_level, at}].insert(one.handle);
  }
}

void EntityIndexModel::leave(const Living& one) {
  for (const ChunkCoord& at : chunksOf(one.entity)) {
    const auto found = occupants_.find({one.entity.index_level, at});
    found->second.erase(one.handle);
    if (found->second.empty()) occupants_.erase(found);
  }
}

}  // namespace fractalray
