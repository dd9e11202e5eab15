// SPDX-License-Identifier: Apache-2.0
// The options and the counters of a ChunkStreamer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"

#include "../core/frame.h"
#include "../core/vec.h"
#include "../levels/block_type.h"

namespace fractalray {

// The reach of a viewer on one level, in widths of a chunk of that level, from the viewer to the
// nearest point of a chunk. Chunks within `load` are loaded, and kept until they are farther than
// `keep`: the wider the gap, the less a viewer who walks to and fro loads twice.
struct StreamRadii {
  static constexpr double kMax = 64;

  double load = 2;  // in [0, keep]; 0 loads only the chunks that the viewer is in or touches
  double keep = 3;  // in [load, kMax]

  friend bool operator==(const StreamRadii&, const StreamRadii&) = default;
};

struct StreamOptions {
  // By level of the frame, the coarsest first; one for each level. Nothing for a level that is not
  // streamed.
  std::vector<std::optional<StreamRadii>> radii;
  // Returns true for the types of blocks that have a finer chunk to load. Pure; called on the
  // thread that ticks. If not set, these are all types but those that are empty in every channel.
  std::function<bool(BlockTypeId)> is_fertile{};

  // Each of the following is at least 1.

  // The most chunks that a tick requests, that it loads, and that it unloads for being out of
  // reach.
  std::size_t chunks_per_tick = 64;
  // The most bytes of chunks that a tick loads; one chunk is loaded in any case. Here and below,
  // these are Chunk::bytesWithCopy: a chunk that borrows ids counts with the copy of them that
  // World::snapshot() makes, whether there is one yet or not.
  std::size_t bytes_per_tick = std::size_t{4} << 20;
  // The most bytes of chunks that the streamer keeps loaded at a time.
  std::size_t max_bytes = std::size_t{1} << 30;
  // The most requests that are pending at a time: unanswered, or not loaded yet.
  std::size_t max_pending = 256;
  // The ticks after which a request without an answer has failed; doubled with each time-out of
  // that chunk, up to the larger of this and max_retry_ticks. A chunk that has timed out before
  // fails at once if its slot, or the space reserved for it, is needed for a chunk that is needed
  // more.
  std::uint64_t answer_ticks = 1024;
  // The ticks from the first failure of a chunk to the next request; doubled with each failure, up
  // to the maximum.
  std::uint64_t retry_ticks = 8;
  std::uint64_t max_retry_ticks = 4096;
  // The ticks for which a chunk out of reach is kept, or waited for, after the last call of
  // ChunkStreamer::want() that named it.
  std::uint64_t want_ticks = 256;
};

// Checks options for a frame: INVALID_ARGUMENT, with the member, its value and its range.
absl::Status checkStreamOptions(const StreamOptions& options, const Frame& frame);

// Totals since the streamer was made, and numbers of now.
struct StreamStats {
  std::uint64_t ticks = 0;
  std::uint64_t requested = 0;    // requests made
  std::uint64_t loaded = 0;       // chunks loaded
  std::uint64_t unloaded = 0;     // chunks unloaded for being out of reach
  std::uint64_t evicted = 0;      // chunks unloaded for lack of memory
  std::uint64_t nonexistent = 0;  // answers NOT_FOUND
  std::uint64_t failed = 0;       // all failures: errors, exceptions, time-outs, unusable chunks
  std::uint64_t timed_out = 0;    // failures for lack of an answer
  std::uint64_t cancelled = 0;    // requests given up: out of reach, dropped by a move, loaded by
                                  // the engine

  std::size_t pending = 0;  // requests that wait for their answers, or to be loaded
  std::size_t failing = 0;  // chunks that have failed, until their next request
  std::size_t chunks = 0;   // loaded chunks
  std::size_t bytes = 0;    // their bytes at the end of the last tick

  friend bool operator==(const StreamStats&, const StreamStats&) = default;
};

}  // namespace fractalray
