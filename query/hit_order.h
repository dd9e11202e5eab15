// SPDX-License-Identifier: Apache-2.0
// The order of the hits of one line, also of hits in several worlds: parts of one, in as many
// processes. docs/queries/shoot.md#parts-of-a-world.
#pragma once

#include <compare>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

#include "../core/corner_policy.h"
#include "../core/frame.h"
#include "../core/segment.h"
#include "hit.h"

namespace fractalray {

// Returns `less` if shots report `a` before `b`: the order of hits, exactly, computed from the hits
// and their line alone. `equal` only for the same block, or for entities of one id and level that
// are hit at one time: of two indexes a hit does not say if they are the same entity.
//
// The line (ShotResult::segment), the frame and the corner policy are those of the queries that hit
// `a` and `b`, in one world or in two. INVALID_ARGUMENT for a hit that the line does not have, and
// for a line that no query accepts; OUT_OF_RANGE for one beyond the frame. Thread-safe. Allocates
// nothing, errors aside. Cost: a test of one cell, or of one shape, for each hit; wide integers
// only if spheres almost tie.
absl::StatusOr<std::strong_ordering> compareHits(const FixedSegment& line, const Hit& a,
                                                 const Hit& b, const Frame& frame,
                                                 CornerPolicy corner = CornerPolicy::kBoth);

// Merges the answers of one shot in several worlds, the parts of one: returns the hits of the shot
// in the whole. These are all hits in order, up to the first terminal one; what several lists have,
// once, as the first of them has it (so the handle of an entity is that of its index).
//
// Each list is in order, and of the whole line, as its query returned it; line, frame and corner
// policy are as for compareHits(). Worlds number block types alike, and have what they share as of
// one moment. Requires: nothing but a terminal hit has ended a query: no budget, and no unloaded
// space. If max_hits has, the first max_hits of the merged hits are right.
//
// INVALID_ARGUMENT, which names the list and the hit by their indices, for a hit that the line does
// not have; a list out of order; a block that two lists have with different types, or of which only
// one is terminal; and an entity that two lists have at different positions. Errors of the line as
// above. Thread-safe. Cost: for each hit that of compareHits(), and log2(lists) comparisons;
// allocates the answer, and a table of its entities.
absl::StatusOr<std::vector<Hit>> mergeHits(const FixedSegment& line,
                                           std::span<const std::span<const Hit>> lists,
                                           const Frame& frame,
                                           CornerPolicy corner = CornerPolicy::kBoth);

}  // namespace fractalray
