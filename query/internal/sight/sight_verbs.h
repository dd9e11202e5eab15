// SPDX-License-Identifier: Apache-2.0
// The queries of sight of a service: RayQueryService::visible() and exposure().
#pragma once

#include "absl/status/status.h"

#include "../../../core/level_mask.h"
#include "../../sight.h"
#include "../service_state.h"

namespace fractalray::internal {

// Check and answer a query. An answer has `version` and `stats` also after an error.
absl::Status visible(const ServiceState& state, const SightQuery& query, LevelMask levels,
                     const SightOptions& options, SightAnswer& answer);
absl::Status exposure(const ServiceState& state, const SightQuery& query, LevelMask levels,
                      const SightOptions& options, ExposureAnswer& answer);

}  // namespace fractalray::internal
