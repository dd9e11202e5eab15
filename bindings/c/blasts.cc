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
#include "internal/sight_input.h"

namespace fractalray::capi {
namespace {

// As many as there are numbers of block types.
constexpr std::size_t kMostResistances = std::size_t{1} << 16;
constexpr SightOptionNames kSightNames{
    .options = "sight", .ignore = "sight->ignore", .occluders = "sight->occluders"};

frBlastRay toC(const BlastRay& ray) {
  frBlastRay to{};
  store(ray.step, to.step);
  to.power = ray.power;
  return to;
}

frBrokenBlock toC(const BrokenBlock& broken) {
  frBrokenBlock to{};
  store(broken.block, to.block);
  to.steps = broken.steps;
  to.power = broken.power;
  to.level = broken.level;
  to.ray = broken.ray;
  to.type = capi::toC(broken.type);
  return to;
}

frExposedEntity toC(const ExposedEntity& exposed) {
  return {.distance = exposed.distance,
          .from = exposed.from,
          .to = exposed.to,
          .entity = capi::toC(exposed.entity),
          .id = exposed.id};
}

frBlastResult resultFrom(const Blast& blast) {
  frBlastResult to{};
  to.struct_size = sizeof(frBlastResult);
  to.reaches_unknown = blast.reaches_unknown ? 1 : 0;
  to.blocks_version = blast.version.world;
  to.entities_version = blast.version.entities;
  to.samples = blast.samples;
  to.block_count = blast.blocks.size();
  to.entity_count = blast.entities.size();
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

// The caller's arrays.
struct BlastArrays {
  frBrokenBlock* blocks;
  std::size_t block_capacity;
  frExposedEntity* entities;
  std::size_t entity_capacity;
};

absl::Status checkArrays(const BlastArrays& arrays) {
  absl::Status status = checkArray({arrays.blocks, "blocks"}, arrays.block_capacity);
  return status.ok() ? checkArray({arrays.entities, "entities"}, arrays.entity_capacity) : status;
}

// Copies both lists as far as the arrays reach.
absl::Status copyBlast(const Blast& blast, const BlastArrays& to, frBlastResult& result) {
  std::size_t count = 0;
  absl::Status blocks = copyOut(blast.blocks.size(), to.blocks, to.block_capacity, &count,
                                [&](std::size_t i) { return toC(blast.blocks[i]); });
  absl::Status entities = copyOut(blast.entities.size(), to.entities, to.entity_capacity, &count,
                                  [&](std::size_t i) { return toC(blast.entities[i]); });
  result = resultFrom(blast);
  if (!blocks.ok()) return absl::OutOfRangeError(absl::StrCat("blocks: ", blocks.message()));
  if (!entities.ok()) return absl::OutOfRangeError(absl::StrCat("entities: ", entities.message()));
  return blocks;
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
                   [&](std::size_t i) { return toC((*fan)[i]); });
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
                   if (status.ok()) status = checkArrays(arrays);
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
                   return status.ok() ? copyBlast(scratch->blast, arrays, *result) : status;
                 });
}

}  // extern "C"
