// SPDX-License-Identifier: Apache-2.0
// The implementation of a ray query service: it checks queries, gives them their context,
// and runs them one by one.
#pragma once

#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../core/level_mask.h"
#include "../../core/segment.h"
#include "../occlusion.h"
#include "../query.h"
#include "../query_observer.h"
#include "../query_options.h"
#include "../shot_result.h"
#include "../ticked_shot.h"
#include "search/callback_table.h"
#include "search/first_block.h"
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

  SceneVersion version() const;
  // Returns true if the frame has moved since the world and the index had these versions.
  bool hasMovedSince(const SceneVersion& version) const;

  // Check a query, a shot, and the options common to all queries of a batch.
  absl::Status check(const Query& query, ChannelId channel) const;
  absl::Status checkShot(const Query& query, const QueryOptions& options) const;
  absl::Status checkBatch(ChannelId channel) const;
  // Returns the context of a shot. Requires: the query has been checked.
  QueryContext shotContext(const Query& query, const QueryOptions& options) const;

  // Each checks and runs a query, and replaces `result`; see RayQueryService. They do not
  // observe. `options.after` and `query.after` do not lie in `result`.
  absl::Status shoot(const Query& query, const QueryOptions& options, ShotResult& result) const;
  absl::Status resume(ShotResult& shot, LevelMask levels, const QueryOptions& options) const;
  // Advances a shot up to `end_time`, in units of 2^-60.
  absl::Status advance(TickedShot& shot, std::int64_t end_time, LevelMask levels,
                       const QueryOptions& options) const;
  absl::Status findClosest(const Query& query, const QueryOptions& options,
                           ClosestHit& result) const;
  // The same for queries of a batch: `hit` is of kind kNone if nothing is hit. `known` is the
  // result of the direct search, or null. AnyHit: Hit or CompactHit.
  template <class AnyHit>
  absl::Status findClosest(const Query& query, const QueryOptions& options,
                           const std::optional<DirectSearch>& known, AnyHit& hit,
                           std::optional<double>& unknown_from, QueryStats& stats) const;
  // `known` as above.
  absl::Status findOcclusion(const Query& query, const QueryOptions& options,
                             const std::optional<DirectSearch>& known,
                             OcclusionResult& result) const;

  // Reports a query that began at version `before` to the observer. Requires: there is an observer.
  // The caller checks, since building the answer takes longer than a short query.
  void observe(QueryVerb verb, const Query& query, const QueryOptions& options,
               const SceneVersion& before, const ObservedAnswer& answer,
               const std::optional<CarriedBudgets>& carried = std::nullopt) const;

 private:
  // Returns the error of an invalid query.
  absl::Status errorOf(const Query& query, ChannelId channel) const;
  QueryContext firstHitContext(const Query& query, const QueryOptions& options, HitMode mode) const;
};

}  // namespace fractalray::internal
