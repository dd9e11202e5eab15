// SPDX-License-Identifier: Apache-2.0
// The working data that the stages of a query share, and the search for a first hit.
#pragma once

#include <optional>

#include "absl/status/status.h"

#include "../../../core/internal/geometry/hit_time.h"
#include "../search/candidate_collector.h"
#include "../search/direct_search.h"
#include "../search/query_context.h"

namespace fractalray::internal {

// The findings of a query. Reuses its memory from query to query.
struct PreparedShot {
  CandidateCollector::Memory memory;
  PassedBlocks passed;  // of the direct search
  // The time from which the query runs if that is not 0: that of the hit after which the query
  // resumes, or that at which a reflected line begins.
  std::optional<HitTime> resumes_at;
  // The first time from begin() on, and before the candidate that ends the query, just after which
  // nothing is loaded; only if the options request it, and once the search has come that far.
  std::optional<HitTime> unknown;
  // True if the last hit was answered by kAgain: other things at its time may not have been hit.
  bool looks_again = false;

  // Resets this for a query from the start of `line` on.
  void start(const Line& line) {
    unknown.reset();
    looks_again = false;
    resumes_at.reset();
    if (line.beginsLater()) [[unlikely]]
      resumes_at.emplace(line.begin());
  }
  // Returns the time from which the query runs.
  HitTime begin() const { return resumes_at.value_or(HitTime()); }
  // Returns `unknown` in the form in which it is reported.
  std::optional<double> unknownTime() const {
    if (!unknown.has_value()) return std::nullopt;
    return unknown->toDouble();
  }

  CandidateList& candidates() { return memory.candidates; }
  const CandidateList& candidates() const { return memory.candidates; }
};

// Finds the candidate of a query for a first hit, candidates().last(), if there is one, from its
// start or after the last of its `after`; none of the entities in the query's and the options'
// `after`. Searches blocks only if `direct` is unclear. Only reads the world and the index, so many
// queries may be prepared at once; runs filters, whose exceptions pass through. Adds to `stats`.
//
// Errors: INVALID_ARGUMENT if the query resumes after a hit that is not a hit of its line;
// RESOURCE_EXHAUSTED once `stats` exceeds options.max_steps.
absl::Status prepareFirst(const QueryContext& context, const DirectResult& direct,
                          PreparedShot& shot, QueryStats& stats);

// Sets shot.unknown to the first unknown time in [from, end), if the options request it and it has
// not been found yet. `known_until` as in firstUnknown().
absl::Status findUnknown(const QueryContext& context, const HitTime& from, const HitTime& end,
                         PreparedShot& shot, QueryStats& stats, HitTime* known_until = nullptr);

}  // namespace fractalray::internal
