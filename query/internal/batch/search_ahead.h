// SPDX-License-Identifier: Apache-2.0
// Searches the blocks of a batch's queries ahead of all else, so that neighbours with one eye are
// searched together, in packets, and most others need no more than this search.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"

#include "../../../core/segment.h"
#include "../../batch_query.h"
#include "../../query_options.h"
#include "../../query_stats.h"
#include "../search/direct_search.h"
#include "../search/ray_packet.h"
#include "../service_state.h"

namespace fractalray::internal {

// Returns true if the options allow it: a direct search has to be possible, and no limit of the
// steps of a query may be set.
bool canSearchAhead(const QueryOptions& options);

// The result of the direct search for a query of a batch.
struct AheadOutcome {
  const FixedSegment& line;
  DirectOutcome outcome;
  const DirectBlock* block;  // if the outcome is kFound
  bool is_line_loaded;       // see DirectBlock
};
using OnAheadOutcome = absl::FunctionRef<void(std::size_t query, const AheadOutcome& outcome)>;

// Searches the blocks of the queries from `begin` to `end` of a batch that has been checked:
// packets, and the other queries one by one, unless these can hit entities and so need more. Calls
// on_outcome() for each query that it has searched, and returns the others, in a word with bit i
// for query begin + i: those with an error, too. Requires: end - begin <= RayPacket::kMost;
// canSearchAhead(options); `mode` is kClosest or kAny. Thread-safe as queries are; `on_outcome` may
// run queries.
std::uint64_t searchAhead(const ServiceState& state, const BatchQueries& queries,
                          const QueryOptions& options, HitMode mode, std::size_t begin,
                          std::size_t end, QueryStats& stats, OnAheadOutcome on_outcome);

// Returns the result in the form in which later stages take it.
DirectResult toDirectResult(const AheadOutcome& outcome);

}  // namespace fractalray::internal
