// SPDX-License-Identifier: Apache-2.0
// Searches for entities: those in a sphere, those in a box, and the nearest ones. They are exact,
// use the same closed shapes as segment queries, and report each entity once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/level_mask.h"
#include "../core/vec.h"
#include "../entities/entity.h"
#include "../entities/entity_index.h"
#include "query_filter.h"

namespace fractalray {

struct FoundEntity {
  EntityHandle entity;
  EntityId id = 0;
  // The distance of the closed shape, in finest-block widths, from the sphere's centre, from the
  // box (so 0), or from the point. 0 exactly if the centre or point is in the shape; else within a
  // relative 2^-50.
  double distance = 0;
  // The centre of its shape, in finest-block widths: exactly toBlocks() of that in the index.
  Vec3d position{};

  friend bool operator==(const FoundEntity&, const FoundEntity&) = default;
};

// The work that a search has done. All counters are steps; see docs/cost.md.
struct SearchStats {
  std::uint64_t cubes = 0;        // cubes examined that are 4^k index chunks wide, k > 0
  std::uint64_t index_cells = 0;  // index chunks examined
  std::uint64_t pages = 0;        // pages of up to eight entities there, each filtered at once
  // Exact tests of a shape; a shape in several chunks may be tested in each.
  std::uint64_t entities_tested = 0;
  // Entries of the filter's ignore list, for each entity that is compared with it; a list of at
  // most 8 entries is not counted.
  std::uint64_t listed = 0;
  std::uint64_t ordered = 0;  // entities put in the order of the answer

  std::uint64_t steps() const {
    return cubes + index_cells + pages + entities_tested + listed + ordered;
  }
  SearchStats& operator+=(const SearchStats& other) {
    cubes += other.cubes;
    index_cells += other.index_cells;
    pages += other.pages;
    entities_tested += other.entities_tested;
    listed += other.listed;
    ordered += other.ordered;
    return *this;
  }

  friend bool operator==(const SearchStats&, const SearchStats&) = default;
};

// Searches find entities whose own level is in `levels` (inactive bits are ignored) and that pass
// the filter. Applied in this order: `entities`, `categories`, `ignore`, the exact test of the
// shape, `entity_filter`. The hit that entity_filter gets has no geometry. entity_filter runs at
// most once per entity, and may search the index, but not change it. The filter's members for
// blocks are ignored.
//
// Each search replaces the content of `found`, and of `stats` unless that is null; after an error
// nothing is found and all counters are 0. Positions and lengths are in finest-block widths and
// rounded to units. Errors: INVALID_ARGUMENT for a mask without an active level, a position that is
// not finite, and a length that is negative or NaN; OUT_OF_RANGE for a position beyond the frame.
// Lengths may be infinite.
//
// Cost: the occupied cubes of chunks, regions and more that are within reach on the index levels
// used by entities of the mask, the entities in them, and sorting the entities found; independent
// of all other entities, and of the size of empty space within reach. Allocates only if `found`, or
// a thread's working memory, holds more than ever before. Safe to call from many threads while
// nobody changes the index.

// Finds the entities whose closed shape intersects the closed ball; touching counts. Orders them by
// the exact distance of the shape from the centre (0 for all that contain it), then by id.
absl::Status entitiesInSphere(const EntityIndex& index, const Vec3d& center, double radius,
                              LevelMask levels, const QueryFilter& filter,
                              std::vector<FoundEntity>& found, SearchStats* stats = nullptr);

// Finds the entities whose closed shape intersects the closed box from `min` to `max`; touching
// counts. Orders them by id. A box may be flat, or a point. INVALID_ARGUMENT also if min is above
// max on an axis.
absl::Status entitiesInBox(const EntityIndex& index, const Vec3d& min, const Vec3d& max,
                           LevelMask levels, const QueryFilter& filter,
                           std::vector<FoundEntity>& found, SearchStats* stats = nullptr);

// Finds the `count` nearest entities, or as many as there are, at most `max_distance` from the
// point: the first ones in the order of entitiesInSphere. Cost: the entities up to the
// distance of the last one found, plus look-ups whose number grows with that distance.
absl::Status nearestEntities(const EntityIndex& index, const Vec3d& point, std::size_t count,
                             double max_distance, LevelMask levels, const QueryFilter& filter,
                             std::vector<FoundEntity>& found, SearchStats* stats = nullptr);

// Return the same in a vector of their own.
absl::StatusOr<std::vector<FoundEntity>> entitiesInSphere(const EntityIndex& index,
                                                          const Vec3d& center, double radius,
                                                          LevelMask levels = LevelMask::all(),
                                                          const QueryFilter& filter = {});
absl::StatusOr<std::vector<FoundEntity>> entitiesInBox(const EntityIndex& index, const Vec3d& min,
                                                       const Vec3d& max,
                                                       LevelMask levels = LevelMask::all(),
                                                       const QueryFilter& filter = {});
absl::StatusOr<std::vector<FoundEntity>> nearestEntities(
    const EntityIndex& index, const Vec3d& point, std::size_t count,
    double max_distance = std::numeric_limits<double>::infinity(),
    LevelMask levels = LevelMask::all(), const QueryFilter& filter = {});

}  // namespace fractalray
