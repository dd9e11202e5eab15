// SPDX-License-Identifier: Apache-2.0
// The chunks that answers depend on.
#pragma once

#include <cstddef>
#include <vector>

#include "../../core/frame.h"
#include "../../query/batch.h"
#include "../../query/batch_query.h"
#include "../../query/query_options.h"
#include "cached_chunks.h"

namespace fractalray {

// Returns query i of a batch, as a query of its own. Requires: i < queries.size().
BatchQuery queryAt(const BatchQueries& queries, std::size_t i);

// Returns the time up to which the answer of query i depends on what is on its line: that of the
// hit, or of the unknown if the query stops there; infinity if nothing is hit.
double decidedAt(const ClosestBatch& batch, const QueryOptions& options, std::size_t i);

// Appends the chunks that a query needs up to a time of its line, and that the cache lacks; of each
// level the first `most` ones, the finest level first. Returns false if there are none. A line that
// no query accepts needs none. Cost: if there are none, a few steps for each 4 x 4 x 4 chunks that
// the line touches; else, and for some lines that pass an edge closely, a look-up for each chunk.
//
// An answer is final once there are none up to the time that it was decided at: whatever is hit
// earlier would be in a chunk that the line enters earlier, and a block defers only to a chunk that
// the line enters when it enters the block.
bool appendMissing(const Frame& frame, const CachedChunks& cached, const BatchQuery& query,
                   double until, std::size_t most, std::vector<NeededChunk>& missing);

}  // namespace fractalray
