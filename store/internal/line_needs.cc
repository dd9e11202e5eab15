// SPDX-License-Identifier: Apache-2.0
#include "line_needs.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <variant>

#include "absl/status/statusor.h"

#include "../../core/internal/geometry/line.h"
#include "../../core/internal/geometry/path_mask.h"
#include "../../core/ray.h"
#include "../../core/segment.h"
#include "../../core/tree64.h"
#include "../../query/internal/search/line_descent.h"
#include "map_chunks.h"

namespace fractalray {
namespace {

using Descent = internal::LineDescent<std::int64_t>;

// Returns the block of width 2^shift units that the line is in at `until`, or at its end if that is
// earlier; or one a little farther on. Mirrored, as `path` is.
Vec3i blockAt(const internal::PathMask& path, const Line& line, double until, int shift) {
  constexpr double kLater = 1 + 0x1p-40;  // times are good to 2^-48
  constexpr double kFarther = 0x1p12;     // units; a position rounded as a double is good to 2^10
  const double t = std::min(until, line.end().toDouble()) * kLater;
  if (t >= 1) return path.lastCell(shift);
  Vec3i block;
  for (int axis = 0; axis < 3; ++axis) {
    const double way = static_cast<double>(path.length()[axis]) * t + kFarther;
    block[axis] =
        (path.start()[axis] + std::min(path.length()[axis], static_cast<std::int64_t>(way))) >>
        shift;
  }
  return block;
}

// Returns true if all chunks that a line touches are in `known`. May be a false negative: the
// missing one may be touched nearly, or the line longer than a window. Cost: a look-up and a few
// steps for each 4 x 4 x 4 chunks.
bool holdsAll(const SparseCellSet& known, const Descent& descent) {
  using internal::kAreaLog2;
  using internal::kRegionLog2;
  using internal::Slots;
  if (internal::commonCubeLog2(descent.first(), descent.last()) > internal::kWindowLog2)
    return false;
  return std::ranges::all_of(Slots(descent.window()), [&](int area_slot) {
    const internal::PathNode area = descent.nodeInWindow(area_slot);
    const Vec3i first_region =
        internal::shiftedUp(descent.areaInWindow(area_slot), kAreaLog2 - kRegionLog2);
    return std::ranges::all_of(
        Slots(descent.parts(area, kAreaLog2, ~std::uint64_t{0})), [&](int slot) {
          const Vec3i region = descent.path().mirrored(first_region + internal::offsetOf(slot));
          const std::uint64_t missing = ~known.children(0, region);
          return descent.parts(descent.part(area, kAreaLog2, slot), kRegionLog2, missing) == 0;
        });
  });
}

// Returns true if a quick test shows that a level lacks nothing up to `until`.
bool hasAll(const SparseCellSet& known, const internal::PathMask& path, const Line& line,
            double until, int shift) {
  if (!path.fits64(shift + internal::kWindowLog2)) return false;
  const Vec3i first = path.firstCell(shift);
  const Vec3i last = blockAt(path, line, until, shift);
  for (int axis = 0; axis < 3; ++axis) {
    if (last[axis] < first[axis]) return false;
  }
  return holdsAll(known, Descent(path, shift, first, last));
}

}  // namespace

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
  const Line line(*segment);
  const internal::PathMask path(*segment);
  const std::size_t before = missing.size();
  for (int level = kMapblockLevel; level >= 0; --level) {
    if (!query.levels.contains(level)) continue;
    const bool outline = level < kMapblockLevel && query.levels.contains(level + 1);
    if (hasAll(cached.known(level, outline), path, line, until, frame.blockShift(level))) continue;
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
