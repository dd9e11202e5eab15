// SPDX-License-Identifier: Apache-2.0
// The first stage of a query: what it would hit, found without calling an effect.
#pragma once

#include <optional>
#include <span>

#include "absl/status/status.h"

#include "../../core/internal/geometry/hit_time.h"
#include "candidate_collector.h"
#include "query_context.h"

namespace fractalray::internal {

// What prepare() found. Reuses its memory from query to query.
struct PreparedShot {
  CandidateCollector::Memory memory;
  // The time of the hit after which the query resumes, if any.
  std::optional<HitTime> resumes_at;
  // The first time from begin() on, and before the candidate that ends the query, just after which
  // nothing is loaded; only if the options ask for it.
  std::optional<HitTime> unknown;

  // Returns the time from which the query runs.
  HitTime begin() const { return resumes_at.value_or(HitTime()); }

  CandidateList& candidates() { return memory.candidates; }
  const CandidateList& candidates() const { return memory.candidates; }
};

// Finds the candidates of a query, up to the one that ends it, from its start or after the last of
// its `after`; none of the entities in the query's and the options' `after`. Reads the world and
// the index only, so many queries may be prepared at once; runs filters and terminal tests, whose
// exceptions pass through. Adds to `stats`.
//
// Errors: INVALID_ARGUMENT if the query resumes after a hit that is not one of its line;
// RESOURCE_EXHAUSTED once `stats` exceeds options.max_steps.
absl::Status prepare(const QueryContext& context, PreparedShot& shot, QueryStats& stats);

// Prepares the rest of a query: what follows `after` in the order of hits, without the entities in
// `hits` either. Keeps shot.unknown if it has been found, else looks for it from `from` on.
absl::Status prepareRest(const QueryContext& context, const Candidate& after, const HitTime& from,
                         std::span<const Hit> hits, PreparedShot& shot, QueryStats& stats);

// Sets shot.unknown to the first unknown time in [from, end), if the options ask for it and it has
// not been found yet.
absl::Status findUnknown(const QueryContext& context, const HitTime& from, const HitTime& end,
                         PreparedShot& shot, QueryStats& stats);

}  // namespace fractalray::internal
