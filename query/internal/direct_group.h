// SPDX-License-Identifier: Apache-2.0
// The direct searches (first_block.h) of the queries of one task of a batch, made together.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "boost/container/static_vector.hpp"

#include "../../core/segment.h"
#include "../batch.h"
#include "../shot_options.h"
#include "first_block.h"
#include "service_state.h"

namespace fractalray::internal {

// The number of queries per task: enough to make the cost of handing a task to a thread negligible.
inline constexpr std::size_t kQueriesInTask = 64;

// Refers to the queries and the options. Belongs to one thread.
class DirectGroup {
 public:
  // Searches for those queries that have no error and can be searched directly. Runs no code of the
  // user. Requires: at most kQueriesInTask queries.
  DirectGroup(const ServiceState& state, std::span<const BatchQuery> queries,
              const ShotOptions& options, HitMode mode);
  DirectGroup(const DirectGroup&) = delete;
  DirectGroup& operator=(const DirectGroup&) = delete;

  // Returns the search of a query, or null if there was none.
  const FirstBlockQuery* find(std::size_t i) const { return by_query_[i]; }

 private:
  boost::container::static_vector<FirstBlockQuery, kQueriesInTask> searches_;
  boost::container::static_vector<FixedSegment, kQueriesInTask> segments_;  // of other lines
  std::array<const FirstBlockQuery*, kQueriesInTask> by_query_{};
};

}  // namespace fractalray::internal
