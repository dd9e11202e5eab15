// SPDX-License-Identifier: Apache-2.0
#include "search_oracle.h"

#include <algorithm>
#include <utility>

namespace fractalray::oracle {
namespace {

bool accepts(const QueryFilter& filter, const Entity& entity) {
  for (const EntityId ignored : filter.ignore) {
    if (entity.id == ignored) return false;
  }
  Hit hit;
  hit.id = entity.id;
  return (entity.categories & filter.categories) != 0 &&
         (!filter.entity_filter || filter.entity_filter(hit));
}

}  // namespace

Distance::Distance(const FixedShape& shape, const Vec3i& center, const Vec3i& min,
                   const Vec3i& max) {
  const bool is_sphere = shape.kind == FixedShape::Kind::kSphere;
  radius = is_sphere ? shape.half_extents[0] : 0;
  for (int axis = 0; axis < 3; ++axis) {
    const Integer half = is_sphere ? 0 : shape.half_extents[axis];
    const Integer below = Integer(min[axis]) - (Integer(center[axis]) + half);
    const Integer above = (Integer(center[axis]) - half) - Integer(max[axis]);
    const Integer gap = std::max({Integer(0), below, above});
    square += gap * gap;
  }
}

double Distance::inBlocks() const {
  if (isZero()) return 0;
  return -toDouble(ExactTime{Rational(radius), Rational(square)}) / 65536;
}

std::strong_ordering operator<=>(const Distance& a, const Distance& b) {
  if (a.isZero() || b.isZero()) return b.isZero() <=> a.isZero();
  // r - sqrt(q) is the larger the nearer.
  return ExactTime{Rational(b.radius), Rational(b.square)} <=>
         ExactTime{Rational(a.radius), Rational(a.square)};
}

std::vector<FoundEntity> nearestTo(const EntityIndex& index, const Vec3i& min, const Vec3i& max,
                                   std::optional<std::int64_t> reach, LevelMask levels,
                                   const QueryFilter& filter, std::size_t count) {
  std::vector<std::pair<Distance, FoundEntity>> all;
  for (const EntityHandle handle : index.all()) {
    const Entity& entity = *index.find(handle);
    const Distance distance(entity.shape, entity.position, min, max);
    if (reach.has_value() && !distance.isWithin(*reach)) continue;
    if (!levels.contains(entity.level) || !accepts(filter, entity)) continue;
    all.emplace_back(
        distance, FoundEntity{handle, entity.id, distance.inBlocks(), toBlocks(entity.position)});
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    const std::strong_ordering order = a.first <=> b.first;
    return order != 0 ? order < 0 : a.second.id < b.second.id;
  });
  if (all.size() > count) all.resize(count, all.front());
  std::vector<FoundEntity> found;
  for (const auto& [distance, entity] : all)
    found.push_back(entity);
  return found;
}

}  // namespace fractalray::oracle
