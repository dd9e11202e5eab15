// SPDX-License-Identifier: Apache-2.0
// Operations of batches on single queries and results.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"

#include "../batch.h"
#include "../shot_options.h"
#include "resume_point.h"
#include "service_state.h"

namespace fractalray::internal {

inline absl::StatusOr<FixedQuery> inUnits(const BatchQuery& query) {
  const absl::StatusOr<FixedSegment> segment =
      std::visit([](const auto& line) { return toFixedSegment(line); }, query.line);
  if (!segment.ok()) return segment.status();
  return FixedQuery{.segment = *segment,
                    .levels = query.levels,
                    .ignore = query.ignore,
                    .after = query.after,
                    .budgets = query.budgets};
}

// Returns true if any query resumes after hits that lie in the memory of `hits`.
inline bool resumeAfterAny(std::span<const BatchQuery> queries, std::span<const Hit> after_all,
                           const std::vector<Hit>& hits) {
  return liesIn(after_all, hits) ||
         std::any_of(queries.begin(), queries.end(),
                     [&](const BatchQuery& query) { return liesIn(query.after, hits); });
}

// Copies everything but the hits and level parts, and except the status, which a result lacks.
inline void copySummary(const ShotResult& from, ShotSummary& to) {
  to.version = from.version;
  to.segment = from.segment;
  to.terminated = from.terminated;
  to.truncated = from.truncated;
  to.budgets = from.budgets;
  to.stopped_at = from.stopped_at;
  to.unknown_from = from.unknown_from;
  to.stats = from.stats;
}

// Reports the queries from `begin` to `end` of a batch to the observer, if there is one.
// `answer(i)` returns the ObservedAnswer of query i.
template <class Answer>
void observeEach(const ServiceState& state, QueryVerb verb, std::span<const BatchQuery> queries,
                 std::size_t begin, std::size_t end, const ShotOptions& options,
                 const SceneVersion& before, const Answer& answer) {
  if (state.observer == nullptr) return;
  for (std::size_t i = begin; i < end; ++i) {
    const absl::StatusOr<FixedQuery> query = inUnits(queries[i]);
    if (query.ok()) state.observe(verb, *query, options, before, answer(i));
  }
}

// Returns the options of the query in which the steps of a batch ran out, with `steps` left for it.
inline ShotOptions optionsOfCut(const ShotOptions& options, std::uint64_t steps) {
  ShotOptions cut = options;
  cut.max_steps = steps;
  return cut;
}

}  // namespace fractalray::internal
