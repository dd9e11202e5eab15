// SPDX-License-Identifier: Apache-2.0
#include "verb.h"

#include "search/direct_search.h"
#include "shot/dispatcher.h"
#include "shot/first_hit.h"

namespace fractalray::internal {

absl::Status Verb<QueryVerb::kShoot>::run(const ServiceState& state, const Query& query,
                                          const QueryOptions& options, ShotResult& result) {
  return state.run(kMode, query, options, [&](const QueryContext& context, PreparedShot& shot) {
    return runShot(context, shot, result);
  });
}

namespace {

// Returns true if a direct search alone may answer a query for a first hit, unless it is unclear:
// if the query hits blocks only, from the start of its line on. It then needs neither a context nor
// the memory of a query.
bool isForDirectSearch(const ServiceState& state, HitMode mode, const Query& query,
                       const QueryOptions& options) {
  return canSearchDirectly(options) && canSearchDirectly(query.segment) && options.after.empty() &&
         query.after.empty() && !hitsEntities(state.entities, options, mode);
}

// Searches for the first block of such a query. Requires: it has been checked.
DirectOutcome searchDirectly(const ServiceState& state, HitMode mode, const Query& query,
                             const QueryOptions& options, DirectBlock& block, QueryStats& stats) {
  const DirectQuery direct{.world = state.world,
                           .line = query.segment,
                           .options = options,
                           .levels = query.levels.activeIn(state.world.frame()),
                           .mode = mode};
  return runDirectSearch(direct, block, nullptr, stats);
}

// The rest of a search for the closest hit: the passes, unless `found` knows enough.
[[gnu::noinline]] absl::Status finishClosest(const ServiceState& state, const Query& query,
                                             const QueryOptions& options, FirstHit found,
                                             ClosestHit& result) {
  return state.runChecked(HitMode::kClosest, query, options,
                          [&](const QueryContext& context, PreparedShot& shot) {
                            absl::Status status = closestHit(context, shot, found, result.stats);
                            result.unknown_from = shot.unknownTime();
                            if (found.exists()) found.setFull(context, result.hit.emplace());
                            return status;
                          });
}

// The rest of a line of sight, likewise.
[[gnu::noinline]] absl::Status finishOccluded(const ServiceState& state, const Query& query,
                                              const QueryOptions& options, FirstHit blocker,
                                              OcclusionResult& result) {
  return state.runChecked(
      HitMode::kAny, query, options, [&](const QueryContext& context, PreparedShot& shot) {
        const absl::StatusOr<Occlusion> occlusion = occluded(context, shot, blocker, result.stats);
        if (!occlusion.ok()) return occlusion.status();
        result.occlusion = *occlusion;
        if (options.report_blocker && blocker.exists())
          blocker.setFull(context, result.blocker.emplace());
        return absl::OkStatus();
      });
}

// Returns a first hit for the passes to find, after a direct search that has not answered the
// query.
FirstHit unanswered(DirectOutcome outcome, const DirectBlock& block) {
  DirectResult known;
  known.outcome = outcome;
  known.block.is_line_loaded = block.is_line_loaded;
  return FirstHit(known);
}

}  // namespace

absl::Status Verb<QueryVerb::kClosestHit>::run(const ServiceState& state, const Query& query,
                                               const QueryOptions& options, ClosestHit& result) {
  absl::Status status = state.check(query, options.filter.channel);
  if (!status.ok()) return status;
  result.version = state.version();
  result.segment = query.segment;
  result.hit.reset();
  result.unknown_from.reset();
  result.stats = {};
  const bool needs_unknown = options.report_unknown || options.stop_at_unknown;
  if (needs_unknown || !isForDirectSearch(state, kMode, query, options))
    return finishClosest(state, query, options, FirstHit(), result);
  DirectBlock block;
  const DirectOutcome outcome = searchDirectly(state, kMode, query, options, block, result.stats);
  if (outcome == DirectOutcome::kUnclear)
    return finishClosest(state, query, options, unanswered(outcome, block), result);
  if (outcome == DirectOutcome::kFound) setHit(query.segment, block, result.hit.emplace());
  return status;
}

absl::Status Verb<QueryVerb::kOccluded>::run(const ServiceState& state, const Query& query,
                                             const QueryOptions& options, OcclusionResult& result) {
  result.version = state.version();
  result.occlusion = Occlusion::kUnknown;
  result.blocker.reset();
  result.stats = {};
  absl::Status status = state.check(query, options.filter.channel);
  if (!status.ok()) return status;
  if (!isForDirectSearch(state, kMode, query, options))
    return finishOccluded(state, query, options, FirstHit(), result);
  DirectBlock block;
  const DirectOutcome outcome = searchDirectly(state, kMode, query, options, block, result.stats);
  const bool is_clear = outcome == DirectOutcome::kNone && block.is_line_loaded;
  if (outcome != DirectOutcome::kFound && !is_clear)
    return finishOccluded(state, query, options, unanswered(outcome, block), result);
  result.occlusion = is_clear ? Occlusion::kClear : Occlusion::kBlocked;
  if (!is_clear && options.report_blocker) setHit(query.segment, block, result.blocker.emplace());
  return status;
}

}  // namespace fractalray::internal
