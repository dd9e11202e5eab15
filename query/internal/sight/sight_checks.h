// SPDX-License-Identifier: Apache-2.0
// Checks the arguments of queries of sight.
#pragma once

#include <span>

#include "absl/status/status.h"

#include "../../../core/level_mask.h"
#include "../../sight.h"
#include "../../sight_table.h"
#include "../service_state.h"

namespace fractalray::internal {

// Returns OUT_OF_RANGE for an eye or a box beyond the frame; INVALID_ARGUMENT, which wins, for a
// box with min > max on an axis, or flat on more than one.
absl::Status checkSightQuery(const SightQuery& query);
// Returns OUT_OF_RANGE, or INVALID_ARGUMENT, for an occluder beyond the frame, or with min > max.
absl::Status checkOccluders(std::span<const FixedBox> boxes);
// Returns the error of a query of sight, if any.
absl::Status checkSight(const ServiceState& state, const SightQuery& query, LevelMask levels,
                        const SightOptions& options);

// Returns the error of a call of visibleBoxes(), if any, but for what is in use already.
absl::Status checkSightTable(const ServiceState& state, std::span<const SightViewer> viewers,
                             std::span<const FixedBox> boxes, LevelMask levels,
                             const SightTableOptions& options);

}  // namespace fractalray::internal
