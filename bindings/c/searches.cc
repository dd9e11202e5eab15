// SPDX-License-Identifier: Apache-2.0
// Searches for entities and blocks near a point or in a box, and for blocks in sight.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../query/block_search.h"
#include "../../query/entity_search.h"
#include "../../query/visible_blocks.h"
#include "internal/convert.h"
#include "internal/objects.h"
#include "internal/query_results.h"
#include "internal/sight_input.h"

namespace fractalray::capi {
namespace {

frFoundEntity foundOf(const FoundEntity& found) {
  return {.distance = found.distance, .entity = toC(found.entity), .id = found.id};
}

frFoundBlock foundOf(const FoundBlock& found) {
  return toC(found);
}

// Runs a search, which fills a vector of what it finds, and copies that to the caller's array.
template <class Found, class Out, class Search>
absl::Status search(const WorldState& state, const frQueryOptions* options, Out* out,
                    std::size_t capacity, std::size_t* count, const Search& find) {
  std::vector<Hit> after;
  QueryInput input;
  absl::Status status = checkArray({out, "found"}, capacity);
  if (status.ok()) status = input.read(options, state, after);
  if (!status.ok()) return status;
  std::vector<Found> found;
  status = find(input.options().filter, found);
  if (!status.ok()) return status;
  return copyOut(found.size(), out, capacity, count,
                 [&](std::size_t i) { return foundOf(found[i]); });
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::FoundBlock;
using fractalray::FoundEntity;
using fractalray::QueryFilter;

extern "C" {

frResult frWorld_EntitiesInSphere(const frWorld* world, const double center[3], double radius,
                                  frLevelMask levels, const frQueryOptions* options,
                                  frFoundEntity* found, size_t capacity, size_t* count) {
  return reading(
      __func__, world, {{center, "center"}, {count, "count"}}, [&](const WorldState& state) {
        return search<FoundEntity>(
            state, options, found, capacity, count,
            [&](const QueryFilter& filter, std::vector<FoundEntity>& entities) {
              return fractalray::entitiesInSphere(state.entities(), vectorFrom(center), radius,
                                                  levelsFromC(levels), filter, entities);
            });
      });
}

frResult frWorld_EntitiesInBox(const frWorld* world, const double min[3], const double max[3],
                               frLevelMask levels, const frQueryOptions* options,
                               frFoundEntity* found, size_t capacity, size_t* count) {
  return reading(__func__, world, {{min, "min"}, {max, "max"}, {count, "count"}},
                 [&](const WorldState& state) {
                   return search<FoundEntity>(
                       state, options, found, capacity, count,
                       [&](const QueryFilter& filter, std::vector<FoundEntity>& entities) {
                         return fractalray::entitiesInBox(state.entities(), vectorFrom(min),
                                                          vectorFrom(max), levelsFromC(levels),
                                                          filter, entities);
                       });
                 });
}

frResult frWorld_NearestEntities(const frWorld* world, const double point[3], double max_distance,
                                 frLevelMask levels, const frQueryOptions* options,
                                 frFoundEntity* found, size_t capacity, size_t* count) {
  return reading(__func__, world, {{point, "point"}, {count, "count"}},
                 [&](const WorldState& state) {
                   return search<FoundEntity>(
                       state, options, found, capacity, count,
                       [&](const QueryFilter& filter, std::vector<FoundEntity>& entities) {
                         return fractalray::nearestEntities(state.entities(), vectorFrom(point),
                                                            capacity, max_distance,
                                                            levelsFromC(levels), filter, entities);
                       });
                 });
}

frResult frWorld_BlocksInSphere(const frWorld* world, const double center[3], double radius,
                                frLevelMask levels, const frQueryOptions* options,
                                frFoundBlock* found, size_t capacity, size_t* count) {
  return reading(
      __func__, world, {{center, "center"}, {count, "count"}}, [&](const WorldState& state) {
        return search<FoundBlock>(state, options, found, capacity, count,
                                  [&](const QueryFilter& filter, std::vector<FoundBlock>& blocks) {
                                    return fractalray::blocksInSphere(
                                        state.world(), vectorFrom(center), radius,
                                        levelsFromC(levels), filter, blocks);
                                  });
      });
}

frResult frWorld_BlocksInBox(const frWorld* world, const double min[3], const double max[3],
                             frLevelMask levels, const frQueryOptions* options, frFoundBlock* found,
                             size_t capacity, size_t* count) {
  return reading(__func__, world, {{min, "min"}, {max, "max"}, {count, "count"}},
                 [&](const WorldState& state) {
                   return search<FoundBlock>(
                       state, options, found, capacity, count,
                       [&](const QueryFilter& filter, std::vector<FoundBlock>& blocks) {
                         return fractalray::blocksInBox(state.world(), vectorFrom(min),
                                                        vectorFrom(max), levelsFromC(levels),
                                                        filter, blocks);
                       });
                 });
}

frResult frWorld_VisibleBlocks(const frWorld* world, const double eye[3], double radius,
                               frLevelMask levels, const frBlockType* types, size_t type_count,
                               const frQueryOptions* targets, const frSightOptions* options,
                               frFoundBlock* found, size_t capacity, size_t* count) {
  return reading(__func__, world, {{eye, "eye"}, {count, "count"}}, [&](const WorldState& state) {
    std::vector<fractalray::Hit> after;
    QueryInput target_input;
    SightInput sight_input;
    absl::Status status = checkArray({types, "types"}, type_count);
    if (status.ok()) status = checkArray({found, "found"}, capacity);
    if (status.ok()) status = target_input.read(targets, state, after);
    if (status.ok()) status = sight_input.read(options);
    if (!status.ok()) return status;
    std::vector<fractalray::BlockTypeId> target_types;
    for (std::size_t i = 0; i < type_count; ++i)
      target_types.push_back(fractalray::BlockTypeId{types[i]});
    const fractalray::VisibleBlocksOptions blocks{.types = target_types,
                                                  .targets = target_input.options().filter,
                                                  .sight = sight_input.options()};
    fractalray::VisibleBlocks seen;
    status =
        state.service().visibleBlocks(vectorFrom(eye), radius, levelsFromC(levels), blocks, seen);
    return status.ok() ? write(seen, found, capacity, count) : status;
  });
}

}  // extern "C"
