// SPDX-License-Identifier: Apache-2.0
// Operations of batches on single queries and results.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"

#include "../../../core/check.h"
#include "../../batch.h"
#include "../../batch_query.h"
#include "../../query.h"
#include "../../query_options.h"
#include "../search/query_checks.h"
#include "../service_state.h"
#include "../shot/resume_point.h"

namespace fractalray::internal {

// Returns the error of a query whose line is refused, in a frame with these levels.
inline absl::Status lineError(const absl::Status& of_line, LevelMask levels, const Frame& frame) {
  return errorToReport({of_line, checkLevels(levels, frame)});
}

// Return a query, given its line in units. Require: i < queries.size().
inline Query withLine(const BatchQuery& query, const FixedSegment& line) {
  return {.segment = line,
          .levels = query.levels,
          .ignore = query.ignore,
          .after = query.after,
          .budgets = query.budgets};
}
inline Query withLine(const BatchQueries& queries, std::size_t i, const FixedSegment& line) {
  const auto* const array = std::get_if<std::span<const BatchQuery>>(&queries.arrays());
  if (array == nullptr) return {.segment = line, .levels = queries.levels()};
  FRACTALRAY_DCHECK(i < array->size(), i, array->size());
  return withLine((*array)[i], line);
}

inline absl::StatusOr<Query> inUnits(const BatchQuery& query, const Frame& frame) {
  const absl::StatusOr<FixedSegment> segment =
      std::visit([](const auto& line) { return toFixedSegment(line); }, query.line);
  if (!segment.ok()) return lineError(segment.status(), query.levels, frame);
  return withLine(query, *segment);
}

// Returns query i. Requires: i < queries.size().
inline absl::StatusOr<Query> inUnits(const BatchQueries& queries, std::size_t i,
                                     const Frame& frame) {
  const auto of_array = [&queries, i, &frame](const auto& array) -> absl::StatusOr<Query> {
    FRACTALRAY_DCHECK(i < array.size(), i, array.size());
    if constexpr (std::same_as<decltype(array), const std::span<const BatchQuery>&>) {
      return inUnits(array[i], frame);
    } else {
      const absl::StatusOr<FixedSegment> segment = toFixedSegment(array[i]);
      if (!segment.ok()) return lineError(segment.status(), queries.levels(), frame);
      return Query{.segment = *segment, .levels = queries.levels()};
    }
  };
  return std::visit(of_array, queries.arrays());
}

// Returns true if any query from number `begin` on resumes after hits that lie in the memory of
// `hits`.
inline bool resumeAfterAny(const BatchQueries& queries, std::size_t begin,
                           std::span<const Hit> after_all, const std::vector<Hit>& hits) {
  if (liesIn(after_all, hits)) return true;
  const auto* array = std::get_if<std::span<const BatchQuery>>(&queries.arrays());
  if (array == nullptr) return false;  // lines have no `after`
  const std::span<const BatchQuery> rest = array->subspan(begin);
  return std::any_of(rest.begin(), rest.end(),
                     [&](const BatchQuery& query) { return liesIn(query.after, hits); });
}

// Reports the queries from `begin` to `end` of a batch to the observer, if there is one.
// `answer(i)` returns the ObservedAnswer of query i.
template <class Answer>
void observeEach(const ServiceState& state, QueryVerb verb, const BatchQueries& queries,
                 std::size_t begin, std::size_t end, const QueryOptions& options,
                 const SceneVersion& before, const Answer& answer) {
  if (state.observer == nullptr) return;
  for (std::size_t i = begin; i < end; ++i) {
    const absl::StatusOr<Query> query = inUnits(queries, i, state.world.frame());
    if (query.ok()) state.observe(verb, *query, options, before, answer(i));
  }
}

// Returns the options of the query in which the steps of a batch ran out, with `steps` left for it.
inline QueryOptions optionsOfCut(const QueryOptions& options, std::uint64_t steps) {
  QueryOptions cut = options;
  cut.max_steps = steps;
  return cut;
}

}  // namespace fractalray::internal
