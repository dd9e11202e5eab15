// SPDX-License-Identifier: Apache-2.0
#include "line_needs.h"

#include <concepts>
#include <limits>
#include <span>
#include <variant>

#include "absl/status/statusor.h"

#include "../../core/ray.h"
#include "../../core/segment.h"
#include "map_chunks.h"

namespace fractalray {

BatchQuery queryAt(const BatchQueries& queries, std::size_t i) {
  return std::visit(
      [&](const auto& array) -> BatchQuery {
        if constexpr (std::same_as<decltype(array), const std::span<const BatchQuery>&>) {
          return array[i];
        } else {
          return {.line = array[i], .levels = queries.levels()};
        }
      },
      queries.arrays());
}

double decidedAt(const ClosestBatch& batch, const QueryOptions& options, std::size_t i) {
  if (batch.answers[i].kind != Hit::Kind::kNone) return batch.answers[i].t;
  if (options.stop_at_unknown && batch.unknown_from[i].has_value()) return *batch.unknown_from[i];
  return std::numeric_limits<double>::infinity();
}

bool appendMissing(const Frame& frame, const CachedChunks& cached, const BatchQuery& query,
                   double until, std::size_t most, std::vector<NeededChunk>& missing) {
  const absl::StatusOr<FixedSegment> segment =
      std::visit([](const auto& line) { return toFixedSegment(line); }, query.line);
  if (!segment.ok()) return false;
  const std::size_t before = missing.size();
  for (int level = kMapblockLevel; level >= 0; --level) {
    if (!query.levels.contains(level)) continue;
    const bool outline = level < kMapblockLevel && query.levels.contains(level + 1);
    std::size_t left = most;
    forEachMapChunk(frame, *segment, level, until, [&](const ChunkCoord& at) {
      const NeededChunk needed{.at = {.level = level, .chunk = at}, .outline = outline};
      if (cached.has(needed)) return true;
      missing.push_back(needed);
      return --left > 0;
    });
  }
  return missing.size() > before;
}

}  // namespace fractalray
