// SPDX-License-Identifier: Apache-2.0
#include "coverage.h"

#include "absl/strings/str_cat.h"

#include "../../../core/internal/access.h"
#include "../../../levels/internal/world_content.h"
#include "passes.h"

namespace fractalray::internal {
namespace {

// Returns the time at which the line leaves the chunk, of the finest level of the context, that it
// is in just after `t`: until then the line is in the same chunks of all levels.
Fraction nextChange(const QueryContext& context, const Fraction& t) {
  int finest = context.world.frame().levels() - 1;
  while (!context.levels.contains(finest))
    --finest;
  const int shift = context.world.frame().chunkShift(finest);
  return context.line.leaveTime(context.line.cellAfter(t, shift), shift);
}

// Returns the part of `span` between the line's begin and end; nothing if there is none.
std::optional<TimeSpan> withinPart(const Line& line, TimeSpan span) {
  const Fraction begin = line.begin();
  const Fraction end = line.end();
  if (span.from > end || span.to < begin) return std::nullopt;
  if (span.from < begin) span = {.from = begin, .to = span.to};
  if (span.to > end) span.to = end;
  return span;
}

// A closed box in units.
struct Box {
  Vec3i min;
  Vec3i max;

  bool contains(const Vec3i& point) const {
    bool is_inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      is_inside &= point[axis] >= min[axis];
      is_inside &= point[axis] <= max[axis];
    }
    return is_inside;
  }
};

// Returns the box of the loaded chunks of a level; nothing if there are none.
std::optional<Box> loadedBox(const World& world, int level) {
  const ChunkBounds& bounds = Access::content(world).level(level).bounds();
  if (bounds.empty()) return std::nullopt;
  const int shift = world.frame().chunkShift(level);
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    box.min[axis] = bounds.min()[axis] << shift;
    box.max[axis] = (bounds.max()[axis] + 1) << shift;
  }
  return box;
}

}  // namespace

absl::StatusOr<std::optional<HitTime>> firstUnknown(const QueryContext& context,
                                                    const HitTime& from, const HitTime& end,
                                                    QueryStats& stats, HitTime* known_until) {
  if (from >= end) return std::optional<HitTime>();
  const Frame& frame = context.world.frame();
  // A line that is wholly loaded on one level has no unknown part.
  if (isWhollyLoaded(context)) return std::optional<HitTime>();
  Fraction t = from.lowerBound();
  while (HitTime(t) < end) {
    if (++stats.skips, stats.steps() > context.options.max_steps) {
      if (known_until != nullptr) *known_until = HitTime(t);
      return absl::ResourceExhaustedError(
          absl::StrCat("finding what is unknown took more than the shot's ",
                       context.options.max_steps, " steps; raise max_steps"));
    }
    Fraction leaves = t;
    for (int level = 0; level < frame.levels(); ++level) {
      if (!context.levels.contains(level)) continue;
      const int shift = frame.chunkShift(level);
      const Vec3i cell = context.line.cellAfter(t, shift);
      if (Access::content(context.world).level(level).find({cell[0], cell[1], cell[2]}) == nullptr)
        continue;
      const Fraction leave = context.line.leaveTime(cell, shift);
      if (leave > leaves) leaves = leave;
    }
    if (leaves == t) {
      if (HitTime(t) >= from) return HitTime(t);
      // `t` is a little before `from`, which is no fraction. Unknown space at `t` may end before
      // `from`.
      leaves = nextChange(context, t);
      if (HitTime(leaves) > from) return from;
    }
    t = leaves;
  }
  return std::optional<HitTime>();
}

bool endsOutsideBounds(const QueryContext& context) {
  const Vec3i end = context.line.endPosition();
  for (int level = 0; level < context.world.frame().levels(); ++level) {
    if (!context.levels.contains(level)) continue;
    std::optional<Box> box = loadedBox(context.world, level);
    if (!box.has_value()) continue;
    // The end may be up to a unit after its rounded position.
    if (context.line.endsEarly()) box->min -= Vec3i{1, 1, 1};
    if (box->contains(end)) return false;
  }
  return true;
}

std::optional<TimeSpan> clipToBounds(const World& world, int level, const Line& line) {
  const std::optional<Box> box = loadedBox(world, level);
  if (!box.has_value()) return std::nullopt;
  if (box->contains(line.segment().from) && box->contains(line.segment().to))
    return withinPart(line, {});
  const std::optional<TimeSpan> span = line.clip(box->min, box->max);
  return span.has_value() && line.isPart() ? withinPart(line, *span) : span;
}

void findLevelSpans(const QueryContext& context, std::vector<LevelSpan>& spans) {
  spans.clear();
  if (!context.options.report_level_spans) return;
  for (int level = 0; level < context.world.frame().levels(); ++level) {
    if (!context.levels.contains(level)) continue;
    const std::optional<TimeSpan> span = clipToBounds(context.world, level, context.line);
    if (span.has_value()) spans.push_back({level, span->from.toDouble(), span->to.toDouble()});
  }
}

}  // namespace fractalray::internal
