// SPDX-License-Identifier: Apache-2.0
#include "world_parts.h"

#include <cstddef>
#include <limits>
#include <utility>

#include "../../core/check.h"
#include "../../core/units.h"

namespace fractalray::oracle {
namespace {

// Adds and removes a few entities, so that those added later get other slots and generations.
void useSlots(Rng& rng, EntityIndex& entities) {
  std::vector<EntityHandle> removed;
  for (int i = rng.below(5); i > 0; --i) {
    const EntityId unused = std::numeric_limits<EntityId>::max() - static_cast<EntityId>(i);
    removed.push_back(entities.add({.id = unused}).value());
  }
  for (const EntityHandle entity : removed)
    FRACTALRAY_CHECK_OK(entities.remove(entity));
}

// Adds copies of entities in any order. Positions and sizes were rounded from doubles, so they are
// the same to the unit.
void addCopies(Rng& rng, const EntityIndex& from, std::vector<EntityHandle> handles,
               EntityIndex& to) {
  useSlots(rng, to);
  for (std::size_t left = handles.size(); left > 0; --left) {
    const auto next = static_cast<std::size_t>(rng.below(static_cast<int>(left)));
    const Entity& entity = *from.find(handles[next]);
    FRACTALRAY_CHECK_OK(to.add({.id = entity.id,
                                .level = entity.level,
                                .entity_class = entity.entity_class,
                                .shape = toBlocks(entity.shape),
                                .position = toBlocks(entity.position),
                                .categories = entity.categories}));
    std::swap(handles[next], handles[left - 1]);
  }
}

}  // namespace

std::unique_ptr<RandomScene> reordered(Rng& rng, const World& world, const EntityIndex& entities) {
  std::vector<std::unique_ptr<RandomScene>> whole = partsOf(rng, world, entities, 1);
  return std::move(whole.front());
}

std::vector<std::unique_ptr<RandomScene>> partsOf(Rng& rng, const World& world,
                                                  const EntityIndex& entities, int count) {
  const int levels = world.frame().levels();
  const auto size = static_cast<std::size_t>(count);
  const auto owner = [&] { return static_cast<std::size_t>(rng.below(count)); };
  std::vector<std::unique_ptr<RandomScene>> parts;
  while (parts.size() < size)
    parts.push_back(std::make_unique<RandomScene>(levels, Vec3i{}));
  for (int level = 0; level < levels; ++level) {
    const bool is_in_all = level + 1 < levels && rng.oneIn(2);
    world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& chunk) {
      const std::size_t of = owner();
      for (std::size_t i = 0; i < size; ++i) {
        const bool has_blocks = is_in_all || i == of || rng.oneIn(8);
        if (!has_blocks && levels == 1) continue;
        FRACTALRAY_CHECK_OK(parts[i]->world.loadChunk(level, at, has_blocks ? chunk : Chunk()));
      }
    });
  }
  std::vector<std::vector<EntityHandle>> of_parts(size);
  for (const EntityHandle entity : entities.all()) {
    const std::size_t of = owner();
    for (std::size_t i = 0; i < size; ++i) {
      if (i == of || rng.oneIn(3)) of_parts[i].push_back(entity);
    }
  }
  for (std::size_t i = 0; i < size; ++i)
    addCopies(rng, entities, std::move(of_parts[i]), parts[i]->entities);
  return parts;
}

}  // namespace fractalray::oracle
