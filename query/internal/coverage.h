// SPDX-License-Identifier: Apache-2.0
// Which part of a segment is known: runs through loaded chunks.
#pragma once

#include <optional>
#include <vector>

#include "absl/status/statusor.h"

#include "../../core/arithmetic/fraction.h"
#include "../../core/internal/geometry/hit_time.h"
#include "../shot_result.h"
#include "query_context.h"

namespace fractalray::internal {

// Laws, each with its test in coverage_test.cc:
//   1. firstUnknown() is exact: known up to it, unknown just after it;
//   2. it is in [from, end), or nothing;
//   3. a point isOutsideBounds() only if no level has its chunk loaded (not the other way round);
//   4. of touchesOnlyLoaded() (loaded_path.h): true only if no part of the line is unknown.

// The first t in [from, end) just after which the context's line is in no loaded chunk of any of
// its levels; nothing where all of that is known. A line that is a point counts as one stretch from
// t = 0. Cost: the loaded chunks up to there. RESOURCE_EXHAUSTED once `stats` exceeds
// options.max_steps.
absl::StatusOr<std::optional<HitTime>> firstUnknown(const QueryContext& context,
                                                    const HitTime& from, const HitTime& end,
                                                    QueryStats& stats);

// Whether a point is outside of the closed boxes of loaded chunks of all levels of the context, so
// that a line on both sides of it is unknown. Cost: a few comparisons a level.
bool isOutsideBounds(const QueryContext& context, const Vec3i& point);

// For each level of the context, the coarsest first: the part of the whole segment in the closed
// box of its loaded chunks; levels that it misses are left out. Replaces what is in `parts`.
void findLevelParts(const QueryContext& context, std::vector<LevelPart>& parts);

// The closed box of a level's loaded chunks, clipped by the line; nothing where it is missed or
// empty.
std::optional<TimeSpan> clipToBounds(const World& world, int level, const Line& line);

}  // namespace fractalray::internal
