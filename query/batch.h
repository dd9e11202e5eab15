// SPDX-License-Identifier: Apache-2.0
// What a batch of queries is asked with and what it answers: flat arrays of the caller's, kept from
// batch to batch.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"

#include "../core/level_mask.h"
#include "../core/segment.h"
#include "../entities/entity.h"
#include "hit.h"
#include "shot.h"

namespace fractalray {

// One query of a batch, in finest-block widths or in units. What it ignores (its shooter, say) is
// ignored beside what the batch's options name. It goes on behind the last hit of its own `after`
// or, where that is empty, of the options'; entities of either are not met again. Both must live as
// long as the batch runs, and `after` not in what the batch fills.
struct Query {
  Segment segment;
  LevelMask levels;
  std::span<const EntityId> ignore{};
  std::span<const Hit> after{};
};
struct UnitQuery {
  FixedSegment segment;
  LevelMask levels;
  std::span<const EntityId> ignore{};
  std::span<const Hit> after{};
};

namespace internal {

class BatchMemory;
struct FreeBatchMemory {
  void operator()(BatchMemory* memory) const;
};
using BatchMemoryPtr = std::unique_ptr<BatchMemory, FreeBatchMemory>;

// The work of the queries of one task, on a cache line of its own.
struct alignas(64) TaskStats {
  QueryStats stats;
};

}  // namespace internal

// What became of one shot of a batch.
struct ShotSummary {
  // As the shot alone would have returned it. Where the segment, the mask, `after` or the nesting
  // is in error nothing was called; past max_steps the hits up to there are told, as for a single
  // shot.
  absl::Status status;
  SceneVersion version;  // as its turn came: those that the effects of earlier shots have left
  FixedSegment segment;  // in units; not set where it is what is in error
  // As in ShotResult.
  bool terminated = false;
  bool truncated = false;
  std::optional<Budgets> budgets;
  std::optional<double> stopped_at;
  std::optional<double> unknown_from;
  QueryStats stats;
  // Where its parts of ShotBatch::hits and ShotBatch::level_parts begin and end.
  std::size_t hits_begin = 0;
  std::size_t hits_end = 0;
  std::size_t parts_begin = 0;
  std::size_t parts_end = 0;
};

// The outcome of shootSegments, and working memory for those to come. Can be moved, not copied, and
// belongs to one thread at a time.
class ShotBatch {
 public:
  // One for each query, in order; after an exception of a callback one for each query that was
  // completed.
  std::vector<ShotSummary> shots;
  // The hits of all of them, shot after shot, each in its order of hits; and their level parts.
  std::vector<Hit> hits;
  std::vector<LevelPart> level_parts;
  // Queries that were gathered again, or for the first time, when their turn came: what effects
  // have cost the batch.
  std::size_t reruns = 0;

  // Requires, for these: i < shots.size().
  std::span<const Hit> hitsOf(std::size_t i) const {
    return std::span(hits).subspan(shots[i].hits_begin, shots[i].hits_end - shots[i].hits_begin);
  }
  std::span<const LevelPart> levelPartsOf(std::size_t i) const {
    return std::span(level_parts)
        .subspan(shots[i].parts_begin, shots[i].parts_end - shots[i].parts_begin);
  }

 private:
  friend class RayQueryService;

  internal::BatchMemoryPtr memory_;
};

// What is closest to the start of one query of a batch; nothing of it is set where the status is an
// error.
struct BatchClosest {
  absl::Status status;
  ClosestHit closest;
};

// Whether something is in the way of each query of a batch. Belongs to one thread at a time.
class OcclusionBatch {
 public:
  // What all of them were computed on.
  SceneVersion version;
  // One byte for each query, in order; kUnknown where the query has an error.
  std::vector<Occlusion> answers;
  struct Error {
    std::size_t query = 0;
    absl::Status status;
  };
  std::vector<Error> errors;  // in the order of queries
  // The work of all queries together, including those with an error.
  QueryStats stats;

 private:
  friend class RayQueryService;

  std::vector<internal::TaskStats> task_stats_;
};

}  // namespace fractalray
