// SPDX-License-Identifier: Apache-2.0
// nearestEntities: outwards from the point, always to the nearest cube that has not been examined,
// until no cube can hold an entity nearer than those found.
#include "nearest_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "../../../core/check.h"
#include "../../../core/units.h"

namespace fractalray::internal {
namespace {

// A heap entry, the space to be searched: a cube, some of its parts, or everything outside of it.
struct HeapEntry {
  double squared = 0;  // at most the squared distance, in units, of everything in that space
  Cube cube;
  std::uint64_t slots = 0;  // some parts; 0 for the whole, and for the outside
  bool outside = false;
  std::int8_t index_level = 0;

  // Orders a heap with the nearest on top.
  friend bool operator<(const HeapEntry& x, const HeapEntry& y) { return x.squared > y.squared; }
};

// A thread's working memory, lent to one search at a time: a search within a predicate gets fresh
// memory.
class SearchHeap {
 public:
  SearchHeap() : entries_(std::exchange(spare(), {})) { entries_.clear(); }
  SearchHeap(const SearchHeap&) = delete;
  SearchHeap& operator=(const SearchHeap&) = delete;
  ~SearchHeap() {
    if (entries_.capacity() > spare().capacity()) spare() = std::move(entries_);
  }

  bool empty() const { return entries_.empty(); }
  void push(const HeapEntry& entry) {
    entries_.push_back(entry);
    std::push_heap(entries_.begin(), entries_.end());
  }
  HeapEntry popNearest() {
    std::pop_heap(entries_.begin(), entries_.end());
    const HeapEntry nearest = entries_.back();
    entries_.pop_back();
    return nearest;
  }

 private:
  static std::vector<HeapEntry>& spare() {
    thread_local std::vector<HeapEntry> memory;
    return memory;
  }

  std::vector<HeapEntry> entries_;
};

// Rounding in the sum of three squares takes less than 2^-50 of it.
constexpr double kRoundedDown = 1 - 0x1p-49;
constexpr double kRoundedUp = 1 + 0x1p-49;

// The parts of a cube in its octant x + 2 y + 4 z: the word of the first octant, and the start and
// end of any octant.
constexpr std::uint64_t kFirstOctant = 0x00330033;
constexpr int firstSlot(int octant) {
  return 2 * (octant & 1) + 4 * (octant & 2) + 8 * (octant & 4);
}
constexpr int lastSlot(int octant) {
  return firstSlot(octant) + 1 + 4 + 16;
}

double square(std::int64_t value) {
  return static_cast<double>(value) * static_cast<double>(value);
}

class NearestSearch {
 public:
  NearestSearch(const SearchScope& scope, const Vec3i& point, std::size_t count,
                std::int64_t max_distance, std::vector<FoundEntity>& found, SearchStats& stats)
      : scope_(scope),
        store_(scope.store),
        count_(count),
        closer_(scope.store, point),
        reach_{.min = point, .max = point, .radius = max_distance},
        found_(found),
        stats_(stats),
        waiting_(scope.store) {
    if (max_distance < RoundedBox::kUnlimited) limit_ = square(max_distance) * kRoundedUp;
  }

  void run() {
    const LevelMask used = scope_.gridLevels();
    for (int level = 0; level < store_.frame().levels(); ++level) {
      if (!used.contains(level)) continue;
      const ChunkCoord chunk = store_.frame().chunkAt(reach_.min, level);
      const Cube home{0, {chunk[0], chunk[1], chunk[2]}};
      const EntityTree cubes = cubesOf(level);
      pushCube(cubes, home, level);
      pushOutside(cubes, home, level);
    }
    while (!heap_.empty()) {
      const HeapEntry entry = heap_.popNearest();
      if (entry.squared > limit_) break;
      visit(entry);
    }
    std::sort_heap(found_.begin(), found_.end(), closer_);
  }

 private:
  EntityTree cubesOf(int index_level) const {
    return {store_.grid(index_level), store_.frame().chunkShift(index_level)};
  }

  void pushCube(const EntityTree& cubes, const Cube& cube, int level) {
    push({.cube = cube, .index_level = static_cast<std::int8_t>(level)}, cubes.min(cube),
         cubes.max(cube));
  }
  void visit(const HeapEntry& entry) {
    const EntityTree cubes = cubesOf(entry.index_level);
    if (entry.outside || entry.cube.scale > 0) ++stats_.cubes;
    if (entry.outside) {
      visitAround(cubes, entry);
    } else if (entry.slots != 0) {
      forEachSlot(entry.slots,
                  [&](int slot) { pushCube(cubes, entry.cube.part(slot), entry.index_level); });
    } else if (entry.cube.scale > 0) {
      pushOctants(cubes, entry.cube, cubes.parts(entry.cube), entry.index_level);
    } else {
      visitChunk(cubes, entry.cube.chunk());
    }
  }

  // Pushes parts of a cube, by octants: most of a large cube is then left out at once.
  void pushOctants(const EntityTree& cubes, const Cube& cube, std::uint64_t parts, int level) {
    for (int octant = 0; octant < 8; ++octant) {
      const std::uint64_t slots = parts & (kFirstOctant << firstSlot(octant));
      if (slots == 0) continue;
      push({.cube = cube, .slots = slots, .index_level = static_cast<std::int8_t>(level)},
           cubes.min(cube.part(firstSlot(octant))), cubes.max(cube.part(lastSlot(octant))));
    }
  }

  // Pushes the other parts of the enclosing cube, and the space outside of that cube.
  void visitAround(const EntityTree& cubes, const HeapEntry& entry) {
    const Cube cube = entry.cube;
    if (cube.scale < cubes.topScale()) {
      const Cube around = cube.around();
      const std::uint64_t others = cubes.parts(around) & ~(std::uint64_t{1} << cube.slot());
      pushOctants(cubes, around, others, entry.index_level);
      pushOutside(cubes, around, entry.index_level);
      return;
    }
    for (int octant = 0; octant < 8; ++octant) {
      const Cube other{cube.scale, {-(octant & 1), -((octant >> 1) & 1), -(octant >> 2)}};
      if (other != cube) pushCube(cubes, other, entry.index_level);
    }
  }

  // Pushes an entry that lies in the closed box [min, max].
  void push(HeapEntry entry, const Vec3i& min, const Vec3i& max) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t p = reach_.min[axis];
      entry.squared += square(std::max({min[axis] - p, p - max[axis], std::int64_t{0}}));
    }
    entry.squared *= kRoundedDown;
    push(entry);
  }
  // Requires: the point is in the cube.
  void pushOutside(const EntityTree& cubes, const Cube& cube, int level) {
    const Vec3i to_min = reach_.min - cubes.min(cube);
    const Vec3i to_max = cubes.max(cube) - reach_.min;
    const std::int64_t gap =
        std::min({to_min[0], to_min[1], to_min[2], to_max[0], to_max[1], to_max[2]});
    push({.squared = square(gap) * kRoundedDown,
          .cube = cube,
          .outside = true,
          .index_level = static_cast<std::int8_t>(level)});
  }

  void push(const HeapEntry& entry) {
    if (entry.squared <= limit_) heap_.push(entry);
  }

  void visitChunk(const EntityTree& cubes, const ChunkCoord& chunk) {
    const PageList* const list = cubes.grid().chunk(chunk);
    if (list == nullptr) return;
    ++stats_.index_cells;
    stats_.pages += list->pages();
    forEachNear(cubes.grid().pool(), *list, chunk, cubes.chunkShift(), reach_,
                [&](std::uint32_t entity) {
                  if (waiting_.isFull()) testWaiting();
                  waiting_.add(entity, chunk);
                });
    testWaiting();
  }
  void testWaiting() {
    waiting_.meetAll([&](const Entity& entity, EntityHandle handle, const ChunkCoord& chunk) {
      if (scope_.matches(entity, stats_)) test(entity, handle, chunk);
    });
  }

  void test(const Entity& entity, EntityHandle handle, const ChunkCoord& chunk) {
    ++stats_.entities_tested;
    const ShapeDistance distance = reach_.distanceTo(entity);
    if (!distance.isWithin(reach_.radius)) return;
    FoundEntity candidate{.entity = handle,
                          .id = entity.id,
                          .distance = distance.toDouble() / static_cast<double>(kUnitsPerBlock)};
    const bool is_full = found_.size() == count_;
    if (is_full && !closer_(candidate, found_.front())) return;
    if (!isReportingChunk(chunk, entity, reach_, store_.frame().chunkShift(entity.grid_level)))
      return;
    if (!scope_.accepts(entity, handle)) return;
    candidate.position = toBlocks(entity.position);
    if (is_full) {
      std::pop_heap(found_.begin(), found_.end(), closer_);
      found_.back() = candidate;
    } else {
      found_.push_back(candidate);
    }
    std::push_heap(found_.begin(), found_.end(), closer_);
    ++stats_.ordered;
    if (found_.size() == count_) narrow();
  }

  // Limits the search to entities as near as the last one found.
  void narrow() {
    const double farthest =
        found_.front().distance * static_cast<double>(kUnitsPerBlock) * kRoundedUp;
    limit_ = std::min(limit_, farthest * farthest * kRoundedUp);
    if (farthest < 0x1p62) {
      reach_.radius = std::min(reach_.radius, static_cast<std::int64_t>(std::ceil(farthest)));
    }
  }

  const SearchScope& scope_;
  const EntityStore& store_;
  std::size_t count_;
  Closer closer_;
  RoundedBox reach_;                                        // around the point; its radius shrinks
  double limit_ = std::numeric_limits<double>::infinity();  // at least the squared radius
  std::vector<FoundEntity>& found_;                         // a heap with the farthest on top
  SearchStats& stats_;
  SearchHeap heap_;
  PrefetchQueue waiting_;
};

}  // namespace

bool SearchScope::accepts(const Entity& entity, EntityHandle handle) const {
  if (!filter.entity_filter) return true;
  Hit hit;
  hit.kind = Hit::Kind::kEntity;
  hit.level = int{entity.level};
  hit.entity = handle;
  hit.id = entity.id;
  hit.entity_class = entity.entity_class;
  hit.categories = entity.categories;
  hit.shape = entity.shape;
  hit.position = entity.position;
  return filter.entity_filter(hit);
}

void collectNearest(const SearchScope& scope, const Vec3i& point, std::size_t count,
                    std::int64_t max_distance, std::vector<FoundEntity>& found,
                    SearchStats& stats) {
  FRACTALRAY_DCHECK(count > 0 && max_distance >= 0, count, max_distance);
  NearestSearch(scope, point, count, max_distance, found, stats).run();
}

}  // namespace fractalray::internal
