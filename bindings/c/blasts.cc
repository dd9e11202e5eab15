// SPDX-License-Identifier: Apache-2.0
// Blasts.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../query/blast.h"
#include "internal/convert.h"
#include "internal/objects.h"
#include "internal/query_results.h"
#include "internal/sight_input.h"

namespace fractalray::capi {
namespace {

// As many as there are numbers of block types.
constexpr std::size_t kMostResistances = std::size_t{1} << 16;
constexpr SightOptionNames kSightNames{
    .options = "sight", .ignore = "sight->ignore", .occluders = "sight->occluders"};

frBlastRay rayToC(const BlastRay& ray) {
  frBlastRay to{};
  store(ray.step, to.step);
  to.power = ray.power;
  return to;
}

absl::Status tooMany(const char* name, std::size_t count, const char* most) {
  return absl::InvalidArgumentError(
      absl::StrCat("query->", name, " is ", count, "; it must be ", most));
}

// Checks a blast's struct and arrays, whose content the library checks.
absl::Status checkQuery(const frBlastQuery& query) {
  absl::Status status = checkStruct(&query, "query");
  if (!status.ok()) return status;
  if (query.ray_count > std::numeric_limits<std::uint32_t>::max()) {
    return tooMany("ray_count", query.ray_count, "below 2^32");
  }
  if (query.resistance_count > kMostResistances) {
    return tooMany("resistance_count", query.resistance_count, "at most 65536");
  }
  status = checkArray({query.rays, "query->rays"}, query.ray_count);
  return status.ok() ? checkArray({query.resistances, "query->resistances"}, query.resistance_count)
                     : status;
}

void readRays(const frBlastQuery& query, std::vector<BlastRay>& rays) {
  rays.clear();
  rays.reserve(query.ray_count);
  for (const frBlastRay& ray : std::span(query.rays, query.ray_count))
    rays.push_back({.step = vectorFrom(ray.step), .power = ray.power});
}

// Runs a blast of a query that has been checked.
absl::Status run(const WorldState& state, const frBlastQuery& query, frLevelMask levels,
                 const BlastOptions& options, Scratch& scratch) {
  readRays(query, scratch.rays);
  const BlastQuery blast{.center = vectorFrom(query.center),
                         .radius = query.radius,
                         .rays = scratch.rays,
                         .resistances = {query.resistances, query.resistance_count},
                         .falloff = query.falloff};
  const EffectScope in_use(&state);
  return state.service().blast(blast, levelsFromC(levels), options, scratch.blast, state.threads());
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;

extern "C" {

frResult frMakeCubeFan(int32_t n, double step, int64_t power, frBlastRay* rays, size_t capacity,
                       size_t* count) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status = checkArguments({{count, "count"}});
    if (status.ok()) status = checkArray({rays, "rays"}, capacity);
    if (!status.ok()) return status;
    const absl::StatusOr<std::vector<fractalray::BlastRay>> fan =
        fractalray::cubeFan(n, step, power);
    if (!fan.ok()) return fan.status();
    return copyOut(fan->size(), rays, capacity, count,
                   [&](std::size_t i) { return rayToC((*fan)[i]); });
  });
}

frResult frWorld_Blast(const frWorld* world, const frBlastQuery* query, frLevelMask levels,
                       const frQueryOptions* options, const frSightOptions* sight,
                       frBrokenBlock* blocks, size_t block_capacity, frExposedEntity* entities,
                       size_t entity_capacity, frBlastResult* result) {
  return reading(__func__, world, {{query, "query"}, {result, "result"}},
                 [&](const WorldState& state) {
                   const BlastArrays arrays{blocks, block_capacity, entities, entity_capacity};
                   absl::Status status = checkQuery(*query);
                   if (status.ok()) status = checkStruct(result, "result");
                   if (status.ok()) status = arrays.check();
                   if (!status.ok()) return status;
                   const ScratchPool::Lease scratch(state.scratch());
                   QueryInput input;
                   SightInput sight_input;
                   status = input.read(options, state, scratch->after);
                   if (status.ok()) status = sight_input.read(sight, kSightNames);
                   if (!status.ok()) return status;
                   fractalray::BlastOptions made{.filter = input.options().filter,
                                                 .sight = sight_input.options()};
                   setLimit(query->max_samples, made.max_samples);
                   status = run(state, *query, levels, made, *scratch);
                   return status.ok() ? write(scratch->blast, arrays, *result) : status;
                 });
}

}  // extern "C"
