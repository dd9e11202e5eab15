// SPDX-License-Identifier: Apache-2.0
#include "listed_occluders.h"

#include <algorithm>

#include "../../../core/internal/access.h"
#include "../../../entities/internal/entity_store.h"
#include "../search/nearest_search.h"

namespace fractalray::internal {
namespace {

void listBoxEntities(const SightScope& scope, SightMemory& memory, SightSteps& steps) {
  const EntityStore& store = Access::store(scope.state.entities);
  SearchStats stats;
  memory.entities.clear();
  collectWithin({store, scope.levels, scope.options.filter},
                {.min = scope.hull.min, .max = scope.hull.max}, memory.entities, stats);
  // The order of the index depends on its history, of which answers must not: not even of what they
  // leave open, a witness or the ends of an exposure.
  std::sort(memory.entities.begin(), memory.entities.end(),
            [](const FoundEntity& a, const FoundEntity& b) { return a.id < b.id; });
  QueryStats& lines = steps.stats().lines;
  lines.index_cells += stats.cubes + stats.index_cells + stats.pages;
  lines.entities_tested += stats.entities_tested;
  lines.listed += stats.listed;
  lines.ordered += memory.entities.size() > 1 ? memory.entities.size() : 0;
  for (const FoundEntity& found : memory.entities) {
    const Entity& entity = *store.find(found.entity);
    if (entity.shape.kind != FixedShape::Kind::kBox) continue;
    memory.listed.push_back({.min = entity.position - entity.shape.half_extents,
                             .max = entity.position + entity.shape.half_extents});
  }
}

}  // namespace

std::span<const FixedBox> listOccluders(const SightScope& scope, SightMemory& memory,
                                        SightSteps& steps) {
  const std::span<const FixedBox> given = scope.options.occluders;
  memory.listed.assign(given.begin(), given.end());
  if (scope.options.boxes_block) listBoxEntities(scope, memory, steps);
  std::erase_if(memory.listed, [&](const FixedBox& box) {
    return !hasInterior(box) || scope.isLeftOut({&box, 1});
  });
  return memory.listed;
}

}  // namespace fractalray::internal
