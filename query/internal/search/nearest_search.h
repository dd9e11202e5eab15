// SPDX-License-Identifier: Apache-2.0
// Shared by the searches for entities: scope, order, and the search for the nearest.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "../../../entities/internal/rounded_box.h"
#include "../../entity_search.h"
#include "exclusions.h"

namespace fractalray::internal {

// The entities that a search looks for: those of an index's store whose level is in the mask and
// which the filter accepts.
struct SearchScope {
  const EntityStore& store;
  LevelMask levels;
  const QueryFilter& filter;

  // Returns the levels of the grids to search.
  LevelMask gridLevels() const { return filter.entities ? store.gridLevels(levels) : LevelMask(); }
  // Returns true if the search accepts level, categories and id: the tests that cost less than that
  // of a shape. Counts the entries of a long ignore list.
  bool matches(const Entity& entity, SearchStats& stats) const {
    if (!levels.contains(entity.level) || !filter.acceptsCategories(entity.categories))
      return false;
    if (filter.ignore.size() > kShortList) stats.listed += filter.ignore.size();
    return std::find(filter.ignore.begin(), filter.ignore.end(), entity.id) == filter.ignore.end();
  }
  // Returns true if the filter's function, if any, accepts the entity. Run last.
  bool accepts(const Entity& entity, EntityHandle handle) const;
};

// Orders entities found around a point: by the exact distance, then by id.
class Closer {
 public:
  Closer(const EntityStore& store, const Vec3i& point) : store_(&store), point_(point) {}

  bool operator()(const FoundEntity& x, const FoundEntity& y) const {
    // Both distances are accurate to 2^-50, so a difference of 2^-47 is real.
    const double apart = x.distance - y.distance;
    const double doubt = (x.distance + y.distance) * 0x1p-47;
    if (std::abs(apart) > doubt) return apart < 0;
    const std::strong_ordering order = distanceOf(x) <=> distanceOf(y);
    return order != 0 ? order < 0 : x.id < y.id;
  }

 private:
  ShapeDistance distanceOf(const FoundEntity& found) const {
    const Entity& entity = *store_->find(found.entity);
    return {entity.shape, entity.position, point_, point_};
  }

  const EntityStore* store_;
  Vec3i point_;
};

// Appends the entities that touch the points within a reach to `found`, in no particular order, and
// counts the work.
void collectWithin(const SearchScope& scope, const RoundedBox& reach,
                   std::vector<FoundEntity>& found, SearchStats& stats);

// Appends the `count` nearest entities to `found`, which is empty, in their order, and counts the
// work. Requires: the mask has an active level; count > 0; the distance is at least 0, in units.
void collectNearest(const SearchScope& scope, const Vec3i& point, std::size_t count,
                    std::int64_t max_distance, std::vector<FoundEntity>& found, SearchStats& stats);

}  // namespace fractalray::internal
