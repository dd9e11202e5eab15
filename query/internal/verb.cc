// SPDX-License-Identifier: Apache-2.0
#include "verb.h"

#include "shot/dispatcher.h"
#include "shot/first_hit.h"

namespace fractalray::internal {

absl::Status Verb<QueryVerb::kShoot>::run(const ServiceState& state, const Query& query,
                                          const QueryOptions& options, ShotResult& result) {
  return state.run(kMode, query, options, [&](const QueryContext& context, PreparedShot& shot) {
    return runShot(context, shot, result);
  });
}

absl::Status Verb<QueryVerb::kClosestHit>::run(const ServiceState& state, const Query& query,
                                               const QueryOptions& options, ClosestHit& result) {
  return state.run(kMode, query, options, [&](const QueryContext& context, PreparedShot& shot) {
    result.version = context.version();
    result.segment = query.segment;
    result.hit.reset();
    result.stats = {};
    FirstHit found;
    absl::Status status = closestHit(context, shot, found, result.stats);
    result.unknown_from = shot.unknownTime();
    if (found.exists()) found.setFull(context, result.hit.emplace());
    return status;
  });
}

absl::Status Verb<QueryVerb::kOccluded>::run(const ServiceState& state, const Query& query,
                                             const QueryOptions& options, OcclusionResult& result) {
  result.version = state.version();
  result.occlusion = Occlusion::kUnknown;
  result.blocker.reset();
  result.stats = {};
  return state.run(kMode, query, options, [&](const QueryContext& context, PreparedShot& shot) {
    FirstHit blocker;
    const absl::StatusOr<Occlusion> occlusion = occluded(context, shot, blocker, result.stats);
    if (!occlusion.ok()) return occlusion.status();
    result.occlusion = *occlusion;
    if (options.report_blocker && blocker.exists())
      blocker.setFull(context, result.blocker.emplace());
    return absl::OkStatus();
  });
}

}  // namespace fractalray::internal
