// SPDX-License-Identifier: Apache-2.0
// A warm cache of a store, against a process with the whole map.
#include <cstddef>
#include <cstdio>
#include <memory>
#include <vector>

#include "../../formats/open_world.h"
#include "../../query/ray_query_service.h"
#include "../../store/cached_world.h"
#include "door_measures.h"
#include "random.h"
#include "scale.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

// Returns the lines of BundledLines as queries of the finest level.
std::vector<BatchQuery> queriesOf(const BundledLines& lines) {
  const frLines all = lines.all();
  const auto* const numbers = static_cast<const double*>(all.from.data);
  std::vector<BatchQuery> queries;
  queries.reserve(all.count);
  for (std::size_t i = 0; i < all.count; ++i) {
    const double* const line = numbers + 6 * i;
    queries.push_back(
        {.line = Segment{.from = {line[0], line[1], line[2]}, .to = {line[3], line[4], line[5]}},
         .levels = {3}});
  }
  return queries;
}

// Counts the answers that differ: what is hit, where, and the name of its type.
std::size_t countWrong(const ClosestBatch& got, const BlockTypeTable& got_types,
                       const ClosestBatch& expected, const BlockTypeTable& types) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < expected.answers.size(); ++i) {
    const Hit& a = got.answers[i];
    const Hit& b = expected.answers[i];
    const bool is_same =
        a.kind == b.kind &&
        (a.kind == Hit::Kind::kNone || (a.t == b.t && a.block == b.block && a.face == b.face &&
                                        got_types.name(a.type) == types.name(b.type)));
    wrong += is_same ? 0U : 1U;
  }
  return wrong;
}

}  // namespace

void measureWarmCache(const ScaleOptions& options, TickReport& report) {
  std::printf("\nA cache of a store\n");
  if (options.store.empty()) {
    std::printf("  left out: no --store (./dev bench scale has one)\n");
    return;
  }
  const std::unique_ptr<CachedWorld> cache = unwrap(CachedWorld::open({.url = options.store}));
  const NodeDefinitions none;  // as the cache has none
  OpenOptions whole_options;
  whole_options.definitions = &none;
  const OpenedWorld whole =
      unwrap(openWorld(FRACTALRAY_SOURCE_DIR "/examples/worlds/w1", whole_options));
  const EntityIndex entities(whole.world.frame());
  const RayQueryService service(whole.world, entities);
  const std::vector<BatchQuery> queries = queriesOf(BundledLines(20'000));
  ClosestBatch cached;
  ClosestBatch expected;
  const auto ask_cache = [&] { unwrap(cache->closestHits(queries, {}, cached)); };
  const auto ask_whole = [&] { checkOk(service.closestHit(queries, QueryOptions(), expected)); };
  const auto nothing = [] {};
  const std::vector<TickWork> works = {{ask_cache, nothing}, {ask_whole, nothing}};
  const std::vector<double> ns = wallMedians(options.quick ? 5 : 25, works);
  const std::size_t wrong =
      countWrong(cached, cache->world().blockTypes(), expected, whole.world.blockTypes());
  report.is_wrong = report.is_wrong || wrong > 0;
  addRow(report, "a warm cache: lines a second to those of one process", ns[1] / ns[0], 0.95, true);
}

}  // namespace fractalray::bench
