// SPDX-License-Identifier: Apache-2.0
// The mirror image of a line in the plane of a face that it hits.
#pragma once

#include "absl/status/statusor.h"

#include "../../../core/frame.h"
#include "../../../core/segment.h"
#include "../../hit.h"

namespace fractalray::internal {

// Reflects a line; see RayQueryService::reflect().
absl::StatusOr<FixedSegment> reflect(const FixedSegment& line, const Hit& hit, const Frame& frame);

}  // namespace fractalray::internal
