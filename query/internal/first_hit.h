// SPDX-License-Identifier: Apache-2.0
// The questions that need no dispatch: what is closest, and whether anything is in the way.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../shot.h"
#include "candidate_collector.h"
#include "query_context.h"

namespace fractalray::internal {

// `result` is filled anew. Requires: scene.goal is kClosest.
absl::Status findClosest(const Scene& scene, ShotScratch& scratch, ClosestHit& result);

// `stats` is counted anew. Requires: scene.goal is kAny, and options.solid_only is set.
absl::StatusOr<Occlusion> findOcclusion(const Scene& scene, ShotScratch& scratch,
                                        QueryStats& stats);

}  // namespace fractalray::internal
