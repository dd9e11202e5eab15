// SPDX-License-Identifier: Apache-2.0
#include "entity_fingerprint.h"

#include "../core/internal/stable_hash.h"

namespace fractalray {
namespace {

std::uint64_t hashOf(const Entity& entity) {
  internal::StableHash hash;
  hash.add(entity.id);
  hash.add(std::int64_t{entity.level});
  hash.add(static_cast<std::uint64_t>(entity.entity_class));
  hash.add(entity.categories);
  hash.add(static_cast<std::uint64_t>(entity.shape.kind));
  hash.add(entity.shape.half_extents);
  hash.add(entity.position);
  return hash.value();
}

// Returns a sum, since the order of slots depends on the history.
template <class Counts>
std::uint64_t sumOf(const EntityIndex& entities, const Counts& counts) {
  std::uint64_t sum = 0;
  for (const EntityHandle handle : entities.all()) {
    const Entity& entity = *entities.find(handle);
    if (counts(entity)) sum += hashOf(entity);
  }
  return sum;
}

}  // namespace

std::uint64_t entitiesFingerprint(const EntityIndex& entities) {
  return sumOf(entities, [](const Entity& /*entity*/) { return true; });
}

std::uint64_t entitiesFingerprint(const EntityIndex& entities, int level, const ChunkCoord& min,
                                  const ChunkCoord& max) {
  return sumOf(entities, [&](const Entity& entity) {
    if (entity.level != level) return false;
    const ChunkCoord at = entities.frame().chunkAt(entity.position, level);
    for (int axis = 0; axis < 3; ++axis) {
      if (at[axis] < min[axis] || at[axis] > max[axis]) return false;
    }
    return true;
  });
}

}  // namespace fractalray
