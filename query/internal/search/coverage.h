// SPDX-License-Identifier: Apache-2.0
// The known parts of a segment: those that run through loaded chunks.
#pragma once

#include <optional>
#include <vector>

#include "absl/status/statusor.h"

#include "../../../core/arithmetic/fraction.h"
#include "../../../core/internal/geometry/hit_time.h"
#include "../../shot_result.h"
#include "query_context.h"

namespace fractalray::internal {

// Laws, each with its test in coverage_test.cc:
//   1. firstUnknown() is exact: known up to it, unknown just after it;
//   2. it is in [from, end), or nothing;
//   3. a line endsOutsideBounds() only if no level has loaded a chunk around its end (not the
//      other way round);
//   4. touchesOnlyLoaded() (loaded_path.h) is true only if no part of the line is unknown.

// Returns the first t in [from, end) just after which the context's line is in no loaded chunk of
// any of its levels; nothing if all of that is known. A line that is a point counts as one stretch
// from t = 0. Cost: the loaded chunks up to that t. RESOURCE_EXHAUSTED once `stats` exceeds
// options.max_steps; then `known_until`, unless it is null, is the time up to which all is known.
absl::StatusOr<std::optional<HitTime>> firstUnknown(const QueryContext& context,
                                                    const HitTime& from, const HitTime& end,
                                                    QueryStats& stats,
                                                    HitTime* known_until = nullptr);

// Returns true if the context's line ends outside of the closed boxes of loaded chunks of all its
// levels, so that it is unknown just before its end. May be a false negative for an end less than a
// unit outside of a box. Cost: a few comparisons per level.
bool endsOutsideBounds(const QueryContext& context);

// Finds, for each level of the context, the coarsest first, the part of the whole segment in the
// closed box of the level's loaded chunks; levels that the segment misses are left out. Replaces
// the content of `spans`; finds nothing unless the options request it.
void findLevelSpans(const QueryContext& context, std::vector<LevelSpan>& spans);

// Returns the part of the line in the closed box of a level's loaded chunks; nothing if the line
// misses the box, or the level has no loaded chunks.
std::optional<TimeSpan> clipToBounds(const World& world, int level, const Line& line);

}  // namespace fractalray::internal
