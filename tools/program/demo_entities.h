// SPDX-License-Identifier: Apache-2.0
// The entities of the demo: things dropped onto the ground of any world.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

#include "../../entities/entity_index.h"
#include "../../query/ray_query_service.h"

namespace fractalray {

// The classes of the demo's entities, and their names.
inline constexpr std::array<std::string_view, 4> kDemoClasses = {"sheep", "balloon", "boulder",
                                                                 "giant"};

// Drops up to `count` entities over the loaded part of the world, evenly spread, by shooting
// straight down through the service: each stands on the first solid block below it, balloons
// above it. Giants are of the next coarser level, all others of the finest. The same in every run.
// Returns the number of entities that found ground.
absl::StatusOr<int> dropEntities(const World& world, const RayQueryService& service, int count,
                                 EntityIndex& entities);

}  // namespace fractalray
