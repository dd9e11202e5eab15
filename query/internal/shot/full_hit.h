// SPDX-License-Identifier: Apache-2.0
// The whole of a hit that a batch has stored in brief.
#pragma once

#include "absl/status/statusor.h"

#include "../../../core/segment.h"
#include "../../../entities/entity_index.h"
#include "../../compact_hit.h"
#include "../../hit.h"

namespace fractalray::internal {

// See RayQueryService::fullHit().
absl::StatusOr<Hit> fullHit(const EntityIndex& entities, const FixedSegment& segment,
                            const CompactHit& compact);

}  // namespace fractalray::internal
