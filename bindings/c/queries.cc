// SPDX-License-Identifier: Apache-2.0
// Queries along one line.
#include <cstddef>
#include <span>
#include <vector>

#include "internal/convert.h"
#include "internal/objects.h"
#include "internal/query_results.h"

namespace fractalray::capi {
namespace {

// Returns true if a shot that ended with a status has hits to report.
bool hasHits(const absl::Status& status) {
  return status.ok() || absl::IsResourceExhausted(status) || absl::IsFailedPrecondition(status);
}

// Reports a shot: the error, else if the array is too short.
absl::Status reportShot(const absl::Status& status, const ShotResult& shot, frHit* hits,
                        std::size_t capacity, frQueryResult* result) {
  if (!hasHits(status)) return status;
  write(shot, result);
  absl::Status written = write(std::span<const Hit>(shot.hits), hits, capacity);
  return status.ok() ? written : status;
}

// Makes a result, whose memory is used again, that of a shot that has not begun.
void reset(ShotResult& shot, const FixedSegment& segment, const SceneVersion& version) {
  shot.version = version;
  shot.segment = segment;
  shot.hits.clear();
  shot.terminated = false;
  shot.truncated = false;
  shot.budgets.reset();
  shot.stopped_at.reset();
  shot.unknown_from.reset();
  shot.stats = {};
}

// Keeps the memory of a shot from growing without end.
void trim(ShotResult& shot) {
  constexpr std::size_t kKept = 4096;
  if (shot.hits.capacity() > kKept) std::vector<Hit>().swap(shot.hits);
}

// A line of sight, and where its answer goes.
struct LineOfSight {
  FixedSegment line;
  LevelMask levels;
  std::int32_t* occlusion;
  frHit* blocker;         // or null
  frQueryResult* result;  // or null
};

absl::Status look(const WorldState& state, const LineOfSight& sight, const QueryOptions& options) {
  OcclusionResult found;
  absl::Status status = state.service().occluded(sight.line, sight.levels, options, found);
  if (!status.ok()) return status;
  *sight.occlusion = static_cast<std::int32_t>(found.occlusion);
  if (sight.blocker != nullptr) write(found.blocker.value_or(Hit()), *sight.blocker);
  write(found, sight.line, sight.result);
  return status;
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::FixedSegment;
using fractalray::Hit;
using fractalray::QueryOptions;
using fractalray::ShotResult;

extern "C" {

frResult frWorld_Shoot(const frWorld* world, const frLine* line, frLevelMask levels,
                       const frQueryOptions* options, frHit* hits, size_t capacity,
                       frQueryResult* result) {
  return reading(__func__, world, {{line, "line"}}, [&](const WorldState& state) {
    absl::Status status = checkArray({hits, "hits"}, capacity);
    if (status.ok()) status = checkResult(result);
    if (!status.ok()) return status;
    const ScratchPool::Lease scratch(state.scratch());
    return runWithOptions(options, state, scratch->after, [&](const QueryOptions& query_options) {
      ShotResult& shot = scratch->shot;
      const FixedSegment segment = fromC(*line);
      reset(shot, segment, state.service().version());
      absl::Status shooting =
          state.service().shootSegment(segment, levelsFromC(levels), query_options, shot);
      shooting = reportShot(shooting, shot, hits, capacity, result);
      trim(shot);
      return shooting;
    });
  });
}

frResult frWorld_Resume(const frWorld* world, frLevelMask levels, const frQueryOptions* options,
                        frHit* hits, size_t capacity, frQueryResult* result) {
  return reading(__func__, world, {}, [&](const WorldState& state) {
    const ScratchPool::Lease scratch(state.scratch());
    QueryInput input;
    absl::Status status = checkStruct(result, "result");
    if (status.ok()) status = checkArray({hits, "hits"}, capacity);
    if (status.ok()) status = input.read(options, state, scratch->after);
    if (!status.ok()) return status;
    if (result->hit_count > capacity) {
      return absl::InvalidArgumentError(absl::StrCat("result->hit_count is ", result->hit_count,
                                                     ", the capacity of hits ", capacity));
    }
    ShotResult shot;
    status = readShot(*result, {hits, static_cast<std::size_t>(result->hit_count)}, shot);
    if (!status.ok()) return status;
    status = state.service().resume(shot, levelsFromC(levels), input.options());
    return reportShot(status, shot, hits, capacity, result);
  });
}

frResult frWorld_ClosestHit(const frWorld* world, const frLine* line, frLevelMask levels,
                            const frQueryOptions* options, frHit* hit, frQueryResult* result) {
  return reading(__func__, world, {{line, "line"}, {hit, "hit"}}, [&](const WorldState& state) {
    absl::Status status = checkResult(result);
    if (!status.ok()) return status;
    std::vector<Hit> after;
    return runWithOptions(options, state, after, [&](const QueryOptions& query_options) {
      fractalray::ClosestHit closest;
      absl::Status searching =
          state.service().closestHit(fromC(*line), levelsFromC(levels), query_options, closest);
      if (!searching.ok()) return searching;
      if (closest.hit.has_value()) {
        write(*closest.hit, *hit);
      } else {
        write(Hit(), *hit);
      }
      write(closest, result);
      return searching;
    });
  });
}

frResult frWorld_Occluded(const frWorld* world, const frLine* line, frLevelMask levels,
                          const frQueryOptions* options, int32_t* occlusion, frHit* blocker,
                          frQueryResult* result) {
  return reading(
      __func__, world, {{line, "line"}, {occlusion, "occlusion"}},
      [&](const WorldState& state) -> absl::Status {
        absl::Status status = checkResult(result);
        if (status.ok()) status = checkOptional({blocker, "blocker"});
        if (!status.ok()) return status;
        const LineOfSight sight{fromC(*line), levelsFromC(levels), occlusion, blocker, result};
        if (options == nullptr) {
          return look(state, sight, QueryInput::defaults(blocker != nullptr));
        }
        std::vector<Hit> after;
        QueryInput input;
        status = input.read(options, state, after);
        if (!status.ok()) return status;
        input.edit().report_blocker = blocker != nullptr;
        return look(state, sight, input.options());
      });
}

frResult frWorld_Reflect(const frWorld* world, const frLine* line, const frHit* hit,
                         frLine* image) {
  return reading(__func__, world, {{line, "line"}, {hit, "hit"}, {image, "image"}},
                 [&](const WorldState& state) -> absl::Status {
                   const absl::StatusOr<Hit> at = fromC(*hit);
                   if (!at.ok()) return at.status();
                   const absl::StatusOr<FixedSegment> reflected =
                       state.service().reflect(fromC(*line), *at);
                   if (!reflected.ok()) return reflected.status();
                   write(*reflected, *image);
                   return absl::OkStatus();
                 });
}

frResult frWorld_GetLevelParts(const frWorld* world, const frLine* line, frLevelMask levels,
                               frLevelPart* parts, size_t capacity, size_t* count) {
  return reading(__func__, world, {{line, "line"}, {count, "count"}}, [&](const WorldState& state) {
    absl::Status status = checkArray({parts, "parts"}, capacity);
    if (!status.ok()) return status;
    // A shot that hits nothing finds them.
    fractalray::QueryOptions nothing;
    nothing.filter.blocks = false;
    nothing.filter.entities = false;
    nothing.report_level_spans = true;
    ShotResult shot;
    status = state.service().shootSegment(fromC(*line), levelsFromC(levels), nothing, shot);
    if (!status.ok()) return status;
    return copyOut(shot.level_spans.size(), parts, capacity, count, [&](std::size_t i) {
      const fractalray::LevelSpan& span = shot.level_spans[i];
      return frLevelPart{.t0 = span.t0, .t1 = span.t1, .level = span.level, .reserved = 0};
    });
  });
}

}  // extern "C"
