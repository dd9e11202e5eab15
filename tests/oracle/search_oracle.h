// SPDX-License-Identifier: Apache-2.0
// Finds what is around a point, the obvious way: every entity of an index, its distance as an exact
// root, sorted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "../../core/vec.h"
#include "../../query/entity_search.h"
#include "exact.h"

namespace fractalray::oracle {

// The distance max(0, sqrt(square) - radius), in units, of a closed shape from a closed box.
struct Distance {
  Integer square;
  Integer radius;

  Distance(const FixedShape& shape, const Vec3i& center, const Vec3i& min, const Vec3i& max);

  bool isZero() const { return square <= radius * radius; }
  bool isWithin(const Integer& units) const {
    return square <= (units + radius) * (units + radius);
  }
  double inBlocks() const;
  friend std::strong_ordering operator<=>(const Distance& a, const Distance& b);
  friend bool operator==(const Distance& a, const Distance& b) { return (a <=> b) == 0; }
};

// Returns the entities of the index that the filter accepts, at most `reach` units from the box
// (all without it): by distance, then by id; at most `count`.
std::vector<FoundEntity> nearestTo(const EntityIndex& index, const Vec3i& min, const Vec3i& max,
                                   std::optional<std::int64_t> reach, LevelMask levels,
                                   const QueryFilter& filter,
                                   std::size_t count = std::numeric_limits<std::size_t>::max());

}  // namespace fractalray::oracle
