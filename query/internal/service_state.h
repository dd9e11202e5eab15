// SPDX-License-Identifier: Apache-2.0
// The implementation of a ray query service: it checks queries, gives them their context,
// and runs them one by one, as their verb says (verb.h).
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/status.h"

#include "../../core/level_mask.h"
#include "../../core/segment.h"
#include "../query.h"
#include "../query_observer.h"
#include "../query_options.h"
#include "../shot_result.h"
#include "../ticked_shot.h"
#include "query_scope.h"
#include "search/callback_table.h"
#include "search/query_context.h"

namespace fractalray::internal {

class ServiceState {
 public:
  // Requires: both have the same frame.
  ServiceState(const World& query_world, const EntityIndex& query_entities);

  const World& world;
  const EntityIndex& entities;
  Callbacks callbacks;
  QueryObserver* observer = nullptr;
  // Differs from that of every other service of the process: with it, versions identify a content.
  const std::uint64_t number;

  SceneVersion version() const;
  // Returns true if the frame has moved since the world and the index had these versions.
  bool hasMovedSince(const SceneVersion& version) const;

  // Check a query, a shot, and the options common to all queries of a batch.
  absl::Status check(const Query& query, ChannelId channel) const;
  absl::Status checkShot(const Query& query, const QueryOptions& options) const;
  absl::Status checkBatch(ChannelId channel) const;
  // Returns the context of a query. Requires: the query has been checked.
  QueryContext contextOf(HitMode mode, const Query& query, const QueryOptions& options) const {
    return {.world = world,
            .entities = entities,
            .callbacks = mode == HitMode::kAll ? &callbacks : nullptr,
            .options = options,
            .levels = query.levels.activeIn(world.frame()),
            .line = Line(query.segment),
            .mode = mode,
            .ignore = query.ignore,
            .after = query.after.empty() ? options.after : query.after,
            .budgets = query.budgets != nullptr ? query.budgets : options.budgets};
  }
  QueryContext shotContext(const Query& query, const QueryOptions& options) const {
    return contextOf(HitMode::kAll, query, options);
  }

  // Checks a query, and returns run_checked(context, memory), called in the scope of the query.
  template <class Run>
  absl::Status run(HitMode mode, const Query& query, const QueryOptions& options,
                   const Run& run_checked) const {
    absl::Status status =
        mode == HitMode::kAll ? checkShot(query, options) : check(query, options.filter.channel);
    return status.ok() ? runChecked(mode, query, options, run_checked) : status;
  }
  // Does the same with a query that has been checked.
  template <class Run>
  absl::Status runChecked(HitMode mode, const Query& query, const QueryOptions& options,
                          const Run& run_checked) const {
    const QueryScope scope;
    return run_checked(contextOf(mode, query, options), scope.shot());
  }
  // Check and run what continues a shot; see RayQueryService. They do not observe. `options.after`
  // does not lie in the shot.
  absl::Status resume(ShotResult& shot, LevelMask levels, const QueryOptions& options) const;
  // `end_time` is in units of 2^-60.
  absl::Status advance(TickedShot& shot, std::int64_t end_time, LevelMask levels,
                       const QueryOptions& options) const;

  // Reports a query that began at version `before` to the observer. Requires: there is an observer.
  // The caller checks, since building the answer takes longer than a short query.
  void observe(QueryVerb verb, const Query& query, const QueryOptions& options,
               const SceneVersion& before, const ObservedAnswer& answer,
               const std::optional<CarriedBudgets>& carried = std::nullopt) const;

 private:
  // Returns the error of an invalid query.
  absl::Status errorOf(const Query& query, ChannelId channel) const;
};

}  // namespace fractalray::internal
