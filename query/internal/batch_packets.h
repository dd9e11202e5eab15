// SPDX-License-Identifier: Apache-2.0
// Finds the packets among the queries of a batch, neighbours with one eye, and searches them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"

#include "../../core/segment.h"
#include "../batch_query.h"
#include "../query_stats.h"
#include "../shot_options.h"
#include "first_block.h"
#include "ray_packet.h"
#include "service_state.h"

namespace fractalray::internal {

// Returns true if the options allow the blocks of several queries to be searched together: a direct
// search has to be possible, and nobody may ask for the steps of each.
bool canSearchInPackets(const ShotOptions& options);

// The outcome of a query that a packet has decided.
struct PacketOutcome {
  const FixedSegment& line;
  const FirstBlock* block;  // the first block of the line, null if there is none
  bool is_line_loaded;      // see FirstBlock; false if there is a block
};
using OnPacketOutcome = absl::FunctionRef<void(std::size_t query, const PacketOutcome& outcome)>;

// Searches the packets among the queries from `begin` to `end` of a batch that has been checked.
// Calls decided() for the queries that these decide, and returns the others, in a word with bit i
// for query begin + i: queries with an error, without neighbours, and those that a packet leaves
// unclear. Requires: end - begin <= RayPacket::kMost; canSearchInPackets(options); `mode` is
// kClosest or kAny. Thread-safe as queries are; `decided` may run queries.
std::uint64_t searchInPackets(const ServiceState& state, const BatchQueries& queries,
                              const ShotOptions& options, HitMode mode, std::size_t begin,
                              std::size_t end, QueryStats& stats, OnPacketOutcome decided);

// Returns the result of the direct search for a query that a packet has decided.
DirectSearch toDirectSearch(const PacketOutcome& outcome);

}  // namespace fractalray::internal
