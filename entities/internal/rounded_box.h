// SPDX-License-Identifier: Apache-2.0
// Range searches: the points within a radius of a box (balls and boxes included), and the entities
// of an index that may be among them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "boost/container/static_vector.hpp"

#include "../../core/check.h"
#include "../../core/units.h"
#include "entity_store.h"
#include "entity_tree.h"
#include "page_range_filter.h"
#include "shape_distance.h"

namespace fractalray::internal {

// The points within `radius` units of the closed box [min, max]: a ball if the box is a point, the
// box itself if the radius is 0.
struct RoundedBox {
  // More than the distance of any two points of a frame, which is below sqrt(3) * 2^62.
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

  Vec3i min;
  Vec3i max;
  std::int64_t radius = 0;

  ShapeDistance distanceTo(const Entity& entity) const {
    return {entity.shape, entity.position, min, max};
  }
  // Returns true if it touches a closed box; a closed cube.
  bool meets(const Vec3i& box_min, const Vec3i& box_max) const {
    return squaredGap(box_min, box_max, min, max) <= absl::int128(radius) * radius;
  }
  bool meets(const EntityTree& cubes, const Cube& cube) const {
    return meets(cubes.min(cube), cubes.max(cube));
  }

  // Returns, per axis, the first and the last index of the closed cells 2^shift units wide that
  // touch the box around it, up to the end of the frame. A cell that ends where the box begins
  // touches it.
  Vec3i firstCell(int shift) const {
    Vec3i first;
    for (int axis = 0; axis < 3; ++axis)
      first[axis] = (min[axis] - std::min(radius, min[axis] + kMaxCoordinate) - 1) >> shift;
    return first;
  }
  Vec3i lastCell(int shift) const {
    Vec3i last;
    for (int axis = 0; axis < 3; ++axis)
      last[axis] = (max[axis] + std::min(radius, kMaxCoordinate - max[axis])) >> shift;
    return last;
  }
};

// Returns true if an entity is reported in this one of its chunks. Chosen is one that is as near to
// the box of `reach` as any, so that a search of all chunks within the entity's distance from the
// box includes it. Requires: the entity is in the chunk.
bool isReportingChunk(const ChunkCoord& chunk, const Entity& entity, const RoundedBox& reach,
                      int chunk_shift);

// Calls `visit(slot)` for the entities of a chunk that may be within the reach: at least all that
// are; entities in several chunks are visited in each. `list` is of that chunk.
template <class Visit>
void forEachNear(const PagePool& pool, const PageList& list, const ChunkCoord& chunk,
                 int chunk_shift, const RoundedBox& reach, const Visit& visit) {
  const std::optional<PageRangeFilter> ball =
      pageBall(reach.min, reach.max, reach.radius, chunk, chunk_shift);
  for (std::uint32_t first = 0; first < list.count; first += EntityPage::kLanes) {
    const EntityPage& page = pool.page(pool.pageOf(list, first / EntityPage::kLanes));
    std::uint32_t near = ball.has_value() ? PageBallFilter::near(page, *ball) : 0xffU;
    const std::uint32_t left = list.count - first;
    if (left < EntityPage::kLanes) near &= (1U << left) - 1;
    forEachSlot(near, [&](int lane) { visit(page.slots[static_cast<std::size_t>(lane)]); });
  }
}

// Entities that are yet to be examined, while they are prefetched from memory.
class PrefetchQueue {
 public:
  explicit PrefetchQueue(const EntityStore& store) : store_(store) {}

  bool isFull() const { return waiting_.size() == kMost; }
  // Prefetches an entity and adds it. Requires: the queue is not full.
  void add(std::uint32_t slot, const ChunkCoord& chunk) {
    FRACTALRAY_DCHECK(!isFull());
    store_.prefetchOccupant(slot);
    waiting_.push_back({slot, chunk});
  }
  // Calls `visit(entity, handle, chunk)` for each, and empties the queue.
  template <class Visit>
  void meetAll(const Visit& visit) {
    for (const Waiting& waiting : waiting_) {
      const EntityHandle handle = store_.handle(waiting.slot);
      visit(*store_.find(handle), handle, waiting.chunk);
    }
    waiting_.clear();
  }

 private:
  static constexpr std::size_t kMost = 32;
  struct Waiting {
    std::uint32_t slot;
    ChunkCoord chunk;
  };

  const EntityStore& store_;
  boost::container::static_vector<Waiting, kMost> waiting_;
};

}  // namespace fractalray::internal
