// SPDX-License-Identifier: Apache-2.0
#include "entity_search.h"

#include <algorithm>
#include <utility>

#include "../core/internal/access.h"
#include "../core/internal/tree64/cube.h"
#include "../core/units.h"
#include "internal/search/nearest_search.h"
#include "internal/search/query_checks.h"
#include "internal/search/search_checks.h"

namespace fractalray {
namespace {

using internal::Cube;
using internal::EntityTree;
using internal::RoundedBox;
using internal::SearchScope;

// Finds the entities of one index level within a reach.
class ReachSearch {
 public:
  ReachSearch(const SearchScope& scope, int index_level, const RoundedBox& reach,
              std::vector<FoundEntity>& found, SearchStats& stats)
      : scope_(scope),
        cubes_(scope.store.grid(index_level), scope.store.frame().chunkShift(index_level)),
        reach_(reach),
        waiting_(scope.store),
        found_(found),
        stats_(stats),
        first_(chunkAt(reach.firstCell(cubes_.chunkShift()))),
        last_(chunkAt(reach.lastCell(cubes_.chunkShift()))) {}

  void run() {
    internal::forEachCubeAround(first_, last_, [&](const Cube& cube) { visit(cube); });
    testWaiting();
  }

 private:
  static ChunkCoord chunkAt(const Vec3i& at) { return {at[0], at[1], at[2]}; }

  // Without a radius the box of chunks decides.
  bool isWithin(const Cube& cube) const { return reach_.radius == 0 || reach_.meets(cubes_, cube); }

  void visit(const Cube& cube) {
    ++stats_.cubes;
    if (!isWithin(cube)) return;
    if (cube.scale == 1) return visitRegion(cube);
    const std::uint64_t slots = cubes_.parts(cube) & internal::slotsBetween(cube, first_, last_);
    internal::forEachSlot(slots, [&](int slot) { visit(cube.part(slot)); });
  }

  void visitRegion(const Cube& cube) {
    const internal::EntityGrid::Region* const region = cubes_.region(cube);
    if (region == nullptr) return;
    const internal::PagePool& pool = cubes_.grid().pool();
    std::uint64_t chunks = 0;
    internal::forEachSlot(region->occupied() & internal::slotsBetween(cube, first_, last_),
                          [&](int slot) {
                            if (!isWithin(cube.part(slot))) return;
                            chunks |= std::uint64_t{1} << slot;
                            pool.prefetch(pool.entryOf(region->chunk(slot), 0));
                          });
    internal::forEachSlot(chunks, [&](int slot) {
      const ChunkCoord chunk = cube.part(slot).chunk();
      ++stats_.index_cells;
      stats_.pages += region->chunk(slot).pages();
      internal::forEachNear(pool, region->chunk(slot), chunk, cubes_.chunkShift(), reach_,
                            [&](std::uint32_t entity) {
                              if (waiting_.isFull()) testWaiting();
                              waiting_.add(entity, chunk);
                            });
    });
  }

  void testWaiting() {
    waiting_.meetAll([&](const Entity& entity, EntityHandle handle, const ChunkCoord& chunk) {
      if (scope_.matches(entity, stats_)) test(entity, handle, chunk);
    });
  }

  void test(const Entity& entity, EntityHandle handle, const ChunkCoord& chunk) {
    ++stats_.entities_tested;
    const internal::ShapeDistance distance = reach_.distanceTo(entity);
    if (!distance.isWithin(reach_.radius)) return;
    if (!isReportingChunk(chunk, entity, reach_, cubes_.chunkShift())) return;
    if (!scope_.accepts(entity, handle)) return;
    found_.push_back({.entity = handle,
                      .id = entity.id,
                      .distance = distance.toDouble() / static_cast<double>(kUnitsPerBlock),
                      .position = toBlocks(entity.position)});
  }

  const SearchScope& scope_;
  EntityTree cubes_;
  const RoundedBox& reach_;
  internal::PrefetchQueue waiting_;
  std::vector<FoundEntity>& found_;
  SearchStats& stats_;
  ChunkCoord first_;  // the box of chunks around the reach
  ChunkCoord last_;
};

// The counters of a search: the caller's, or unused ones.
class Counters {
 public:
  explicit Counters(SearchStats* stats) : stats_(stats != nullptr ? *stats : own_) { stats_ = {}; }
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  SearchStats& stats() { return stats_; }

 private:
  SearchStats own_;
  SearchStats& stats_;
};

absl::StatusOr<std::vector<FoundEntity>> ownVector(absl::Status status,
                                                   std::vector<FoundEntity> found) {
  if (!status.ok()) return status;
  return found;
}

}  // namespace

namespace internal {

void collectWithin(const SearchScope& scope, const RoundedBox& reach,
                   std::vector<FoundEntity>& found, SearchStats& stats) {
  const LevelMask used = scope.gridLevels();
  for (int level = 0; level < scope.store.frame().levels(); ++level) {
    if (used.contains(level)) ReachSearch(scope, level, reach, found, stats).run();
  }
  stats.ordered += found.size();  // by the caller
}

}  // namespace internal

absl::Status entitiesInSphere(const EntityIndex& index, const Vec3d& center, double radius,
                              LevelMask levels, const QueryFilter& filter,
                              std::vector<FoundEntity>& found, SearchStats* stats) {
  found.clear();
  Counters counters(stats);
  absl::Status status = internal::checkLevels(levels, index.frame());
  if (!status.ok()) return status;
  const absl::StatusOr<Vec3i> point = toUnits(center, "the sphere's centre");
  const absl::StatusOr<std::int64_t> reach =
      internal::unitsFromLength(radius, "the sphere's radius");
  if (!point.ok() || !reach.ok()) return errorToReport({point.status(), reach.status()});
  internal::collectWithin({internal::Access::store(index), levels, filter},
                          {.min = *point, .max = *point, .radius = *reach}, found,
                          counters.stats());
  std::sort(found.begin(), found.end(), internal::Closer(internal::Access::store(index), *point));
  return absl::OkStatus();
}

absl::Status entitiesInBox(const EntityIndex& index, const Vec3d& min, const Vec3d& max,
                           LevelMask levels, const QueryFilter& filter,
                           std::vector<FoundEntity>& found, SearchStats* stats) {
  found.clear();
  Counters counters(stats);
  absl::Status status = internal::checkLevels(levels, index.frame());
  if (!status.ok()) return status;
  const absl::StatusOr<Vec3i> low = toUnits(min, "the box's min");
  const absl::StatusOr<Vec3i> high = toUnits(max, "the box's max");
  status = errorToReport({low.status(), high.status(), internal::checkSearchBox(min, max)});
  if (!status.ok()) return status;
  internal::collectWithin({internal::Access::store(index), levels, filter},
                          {.min = *low, .max = *high}, found, counters.stats());
  std::sort(found.begin(), found.end(),
            [](const FoundEntity& x, const FoundEntity& y) { return x.id < y.id; });
  return absl::OkStatus();
}

absl::Status nearestEntities(const EntityIndex& index, const Vec3d& point, std::size_t count,
                             double max_distance, LevelMask levels, const QueryFilter& filter,
                             std::vector<FoundEntity>& found, SearchStats* stats) {
  found.clear();
  Counters counters(stats);
  absl::Status status = internal::checkLevels(levels, index.frame());
  if (!status.ok()) return status;
  const absl::StatusOr<Vec3i> from = toUnits(point, "the point");
  const absl::StatusOr<std::int64_t> limit =
      internal::unitsFromLength(max_distance, "the largest distance");
  if (!from.ok() || !limit.ok()) return errorToReport({from.status(), limit.status()});
  if (count > 0) {
    internal::collectNearest({internal::Access::store(index), levels, filter}, *from, count, *limit,
                             found, counters.stats());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<FoundEntity>> entitiesInSphere(const EntityIndex& index,
                                                          const Vec3d& center, double radius,
                                                          LevelMask levels,
                                                          const QueryFilter& filter) {
  std::vector<FoundEntity> found;
  absl::Status status = entitiesInSphere(index, center, radius, levels, filter, found);
  return ownVector(std::move(status), std::move(found));
}

absl::StatusOr<std::vector<FoundEntity>> entitiesInBox(const EntityIndex& index, const Vec3d& min,
                                                       const Vec3d& max, LevelMask levels,
                                                       const QueryFilter& filter) {
  std::vector<FoundEntity> found;
  absl::Status status = entitiesInBox(index, min, max, levels, filter, found);
  return ownVector(std::move(status), std::move(found));
}

absl::StatusOr<std::vector<FoundEntity>> nearestEntities(const EntityIndex& index,
                                                         const Vec3d& point, std::size_t count,
                                                         double max_distance, LevelMask levels,
                                                         const QueryFilter& filter) {
  std::vector<FoundEntity> found;
  absl::Status status = nearestEntities(index, point, count, max_distance, levels, filter, found);
  return ownVector(std::move(status), std::move(found));
}

}  // namespace fractalray
