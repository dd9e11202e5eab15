// SPDX-License-Identifier: Apache-2.0
// The queries that end at the first hit and call no effect: the closest hit, and line of sight.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../occlusion.h"
#include "../shot_result.h"
#include "prepared_shot.h"
#include "query_context.h"

namespace fractalray::internal {

// Replaces `result`. Requires: context.mode is kClosest.
absl::Status findClosest(const QueryContext& context, PreparedShot& shot, ClosestHit& result);

// Restarts `stats`. Sets `blocker`, unless it is null, if the line is blocked. Requires:
// context.mode is kAny, and options.solid_only is set.
absl::StatusOr<Occlusion> findOcclusion(const QueryContext& context, PreparedShot& shot,
                                        QueryStats& stats, std::optional<Hit>* blocker);

}  // namespace fractalray::internal
