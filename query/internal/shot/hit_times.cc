// SPDX-License-Identifier: Apache-2.0
#include "hit_times.h"

#include <algorithm>
#include <optional>

namespace fractalray::internal {
namespace {

// Returns the shape of the block of a hit, in the world.
PlacedShape shapeOf(const QueryContext& context, const Hit& hit) {
  return {.boxes = context.world.blockTypes().boxes(context.shapeOf(hit.type)),
          .block = {hit.block[0], hit.block[1], hit.block[2]},
          .shift = context.world.frame().blockShift(hit.level)};
}

}  // namespace

HitTimes timesOf(const QueryContext& context, const Hit& hit) {
  if (context.shapeOf(hit.type) != kWholeCube) {
    const std::optional<ShapeCrossing> crossing =
        context.crossShaped(hit.level, hit.type, hit.block);
    if (crossing.has_value()) return {.enter = crossing->enter, .leave = crossing->leave};
  }
  const Vec3i cell{hit.block[0], hit.block[1], hit.block[2]};
  const int shift = context.world.frame().blockShift(hit.level);
  return {.enter = context.line.enterTime(cell, shift),
          .leave = context.line.leaveTime(cell, shift)};
}

std::optional<HitTime> enterTime(const QueryContext& context, const Candidate& candidate) {
  if (context.shapeOf(candidate.type) == kWholeCube) {
    const Vec3i cell{candidate.block[0], candidate.block[1], candidate.block[2]};
    return HitTime(context.line.enterTime(cell, context.world.frame().blockShift(candidate.level)));
  }
  const std::optional<ShapeCrossing> crossing =
      context.crossShaped(candidate.level, candidate.type, candidate.block);
  if (!crossing.has_value()) return std::nullopt;
  return HitTime(crossing->enter);
}

TimeIntervals spansOf(const QueryContext& context, const Hit& hit) {
  const HitTimes times = timesOf(context, hit);
  if (context.shapeOf(hit.type) != kWholeCube) {
    TimeIntervals spans;
    shapeSpans(context.line, context.options.corner, shapeOf(context, hit), spans);
    if (!spans.empty()) {
      // The same times as those of the hit, also as doubles, which are rounded from fractions.
      spans.front().from = times.enter;
      spans.back().to = times.leave;
      return spans;
    }
  }
  return TimeIntervals(1, TimeInterval{.from = times.enter, .to = times.leave});
}

bool isTouched(const QueryContext& context, const Hit& hit) {
  if (context.shapeOf(hit.type) != kWholeCube) {
    const TimeIntervals spans = spansOf(context, hit);
    return std::all_of(spans.begin(), spans.end(),
                       [](const TimeInterval& span) { return span.from == span.to; });
  }
  // Times are rounded: if they differ by more than this, the exact times differ, too.
  if (hit.t_exit - hit.t > 0x1p-40) return false;
  const HitTimes times = timesOf(context, hit);
  return times.enter == times.leave;
}

}  // namespace fractalray::internal
