// SPDX-License-Identifier: Apache-2.0
// Writes the answers of queries to the caller's structs and arrays.
#pragma once

#include <cstddef>
#include <span>

#include "absl/status/status.h"

#include "../../../query/batch.h"
#include "../../../query/blast.h"
#include "../../../query/block_search.h"
#include "../../../query/shot_result.h"
#include "../../../query/visible_blocks.h"
#include "../fractalray_c.h"
#include "arguments.h"

namespace fractalray::capi {

// Checks the results that a function was given.
inline absl::Status checkResult(const frQueryResult* result) {
  return result == nullptr ? absl::OkStatus() : checkStruct(result, "result");
}
inline absl::Status checkBatchResult(const frBatchResult* result, const char* name) {
  return result == nullptr ? absl::OkStatus() : checkStruct(result, name);
}

// Write the answer of a query; null is not written.
void write(const ShotResult& shot, frQueryResult* result);
void write(const ShotSummary& shot, frQueryResult& result);
void write(const ClosestHit& closest, frQueryResult* result);
void write(const OcclusionResult& occlusion, const FixedSegment& line, frQueryResult* result);

// Writes hits as far as the array reaches; OUT_OF_RANGE if it is too short.
absl::Status write(std::span<const Hit> hits, frHit* to, std::size_t capacity);

frFoundBlock toC(const FoundBlock& found);
// Copies the lists of blocks, one after another, as far as the array reaches; OUT_OF_RANGE if it is
// too short.
absl::Status write(const VisibleBlocks& seen, frFoundBlock* found, std::size_t capacity,
                   std::size_t* count);

// The caller's arrays for a blast.
struct BlastArrays {
  frBrokenBlock* blocks;
  std::size_t block_capacity;
  frExposedEntity* entities;
  std::size_t entity_capacity;

  absl::Status check() const;
};
// Copies both lists as far as the arrays reach; OUT_OF_RANGE if one is too short.
absl::Status write(const Blast& blast, const BlastArrays& to, frBlastResult& result);

// Returns the shot that a caller has kept as a result and hits, to be resumed; INVALID_ARGUMENT if
// it is none.
absl::Status readShot(const frQueryResult& result, std::span<const frHit> hits, ShotResult& shot);

}  // namespace fractalray::capi
