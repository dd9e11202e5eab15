// SPDX-License-Identifier: Apache-2.0
// A shot with its bounces: along a line, and along its images at the hits that end it.
#pragma once

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

#include "../../core/level_mask.h"
#include "../../core/segment.h"
#include "../../query/ray_query_service.h"

namespace fractalray {

// Shoots along `line`, then along its image at the hit that ended the shot, and so on, at most
// `bounces` times; calls `report` for each shot, in order. The path ends early if nothing ended a
// shot, if the hit that did has no face, or if a budget is used up. With terminal rules each shot
// starts with the amounts that the one before has left. Errors: those of shots and of
// RayQueryService::reflect(), after `report` has been called for the shots before.
absl::Status shootPath(const RayQueryService& service, FixedSegment line, LevelMask levels,
                       QueryOptions options, int bounces,
                       absl::FunctionRef<void(const ShotResult&)> report);

}  // namespace fractalray
