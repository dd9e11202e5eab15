// SPDX-License-Identifier: Apache-2.0
// Fetches into the caches what the queries of a batch read first, some queries before they run. In
// a world larger than the caches a search otherwise begins with reads from memory that wait for one
// another: the region of the start, its chunk, and the blocks around the start.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <variant>

#include "../../core/frame.h"
#include "../../core/tree64.h"
#include "../../levels/internal/world_content.h"
#include "../../levels/world.h"
#include "../batch.h"

namespace fractalray::internal {

// Changes no answer. Const use is safe from any thread as that of the world is. Cost of a call: the
// look-up of an area, and a few loads.
class StartPrefetch {
 public:
  explicit StartPrefetch(const World& world) : world_(world) {}

  // Fetches the chunk in which a query starts, on the finest of its levels.
  void fetchChunk(const BatchQuery& query) const {
    forStart(query, [](const Region& region, const ChunkCoord& chunk, const BlockCoord&) {
      region.prefetch(slotInRegion(chunk));
    });
  }
  // Fetches the blocks around the start: some queries later, since this reads the chunk.
  void fetchBlocks(const BatchQuery& query) const {
    forStart(query, [](const Region& region, const ChunkCoord& at, const BlockCoord& block) {
      const Chunk* const chunk = region.chunk(slotInRegion(at));
      if (chunk != nullptr) chunk->occupied().prefetch(BlockSet::brickOf(indexInChunk(block)));
    });
  }

 private:
  // Calls fetch(region, chunk, block) for the start of a query, if its region is there.
  template <class Fetch>
  void forStart(const BatchQuery& query, const Fetch& fetch) const {
    const LevelMask levels = query.levels.withinFirst(world_.frame().levels());
    const std::optional<Vec3i> start = std::visit(Start(), query.line);
    if (levels.empty() || !start.has_value()) return;
    const int level = static_cast<int>(std::bit_width(levels.bits())) - 1;
    const BlockCoord block = world_.frame().blockAt(*start, level);
    const ChunkCoord chunk = chunkOf(block);
    const Area* const area = world_.content().level(level).area(chunk);
    if (area == nullptr) return;
    const Region* const region = area->region(slotInArea(chunk));
    if (region != nullptr) fetch(*region, chunk, block);
  }

  // Returns the unit in which a line starts; nothing far outside of the frame.
  struct Start {
    std::optional<Vec3i> operator()(const FixedSegment& line) const { return line.from; }
    std::optional<Vec3i> operator()(const Segment& line) const { return at(line.from); }
    std::optional<Vec3i> operator()(const Ray& ray) const { return at(ray.origin); }

   private:
    static std::optional<Vec3i> at(const Vec3d& point) {
      Vec3i units;
      for (int axis = 0; axis < 3; ++axis) {
        // False for NaN too.
        if (!(std::abs(point[axis]) < 0x1p40)) return std::nullopt;
        units[axis] = static_cast<std::int64_t>(point[axis] * kUnitsPerBlock);
      }
      return units;
    }
  };

  const World& world_;
};

}  // namespace fractalray::internal
