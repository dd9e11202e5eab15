// SPDX-License-Identifier: Apache-2.0
// The answers of batches of queries: flat arrays owned by the caller and reused from batch to
// batch. The queries are in batch_query.h.
//
// With QueryOptions::max_batch_steps, `completed` is the number of queries that are done; how to
// continue is in docs/queries/batches.md.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"

#include "../core/check.h"
#include "answer.h"
#include "batch_query.h"
#include "compact_hit.h"
#include "hit.h"
#include "occlusion.h"
#include "shot_result.h"

namespace fractalray {

// The progress of a shot of a batch.
enum class BatchProgress : std::uint8_t {
  kDone,        // has the answer, or the error, of the single shot
  kOutOfSteps,  // the steps of the batch ran out while it ran
  kNotStarted,  // the steps had run out before: nothing was called
};

// An error of one query of a batch.
struct BatchError {
  std::size_t query = 0;
  absl::Status status;
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

// The outcome of a query of a batch with a limit of steps, found before the query is committed.
struct QueryOutcome {
  bool is_known = false;
  absl::Status status;
  QueryStats stats;
};

}  // namespace internal

// A shot of a batch, except for its hits and level spans. The segment is not set if the line itself
// is in error.
struct ShotSummary : Answer {
  // The status that the shot alone would have returned. If the line, the mask, `after` or the
  // nesting is in error, nothing was called; past max_steps the hits found until then are reported,
  // as for a single shot. RESOURCE_EXHAUSTED also if the batch has left the shot no steps.
  absl::Status status;
  BatchProgress progress = BatchProgress::kDone;
  // The ranges of this shot in ShotBatch::hits and ShotBatch::level_spans.
  std::size_t hits_begin = 0;
  std::size_t hits_end = 0;
  std::size_t spans_begin = 0;
  std::size_t spans_end = 0;
};

// Many shots, and working memory for later ones. Can be moved, not copied, and belongs to one
// thread at a time.
class ShotBatch {
 public:
  // One for each query, in order; after an exception of a callback one for each query that was
  // completed.
  std::vector<ShotSummary> shots;
  // The hits of all of them, shot after shot, each in its order of hits; and their level spans.
  std::vector<Hit> hits;
  std::vector<LevelSpan> level_spans;
  // The number of leading queries that are kDone: all, unless the steps ran out.
  std::size_t completed = 0;
  // The number of queries that were run again serially: the price of effects.
  std::size_t reruns = 0;

  // Requires, for these: i < shots.size().
  std::span<const Hit> hitsOf(std::size_t i) const {
    FRACTALRAY_DCHECK(i < shots.size(), i, shots.size());
    return std::span(hits).subspan(shots[i].hits_begin, shots[i].hits_end - shots[i].hits_begin);
  }
  std::span<const LevelSpan> levelSpansOf(std::size_t i) const {
    FRACTALRAY_DCHECK(i < shots.size(), i, shots.size());
    return std::span(level_spans)
        .subspan(shots[i].spans_begin, shots[i].spans_end - shots[i].spans_begin);
  }

 private:
  friend class internal::BatchMemory;

  internal::BatchMemoryPtr memory_;
};

// The answers of many queries that call no effects: One is Hit, CompactHit or Occlusion. Belongs to
// one thread at a time.
template <class One>
class AnswerBatch {
 public:
  // The versions on which all answers were computed.
  SceneVersion version;
  // One for each query, in order; a hit of kind kNone, or kUnknown, if the query has an error or is
  // not done. A hit is of kind kNone also if nothing is hit.
  std::vector<One> answers;
  // ClosestHit::unknown_from of each query; empty if the options do not request it, and for lines
  // of sight.
  std::vector<std::optional<double>> unknown_from;
  std::vector<BatchError> errors;  // in the order of queries
  // The number of leading queries that are done. If the steps of the batch ran out in the query
  // after them, that query has an error; queries that were not started have none.
  std::size_t completed = 0;
  // The work of all queries together, including those with an error. Neighbouring rays from one eye
  // are searched in packets, unless the options limit steps: they share steps, so most batches take
  // fewer than their queries one by one.
  QueryStats stats;

 private:
  friend class internal::BatchMemory;

  std::vector<One> earlier_;  // the answers before, after whose hits queries may resume
  std::vector<internal::TaskStats> task_stats_;
  std::vector<internal::QueryOutcome> outcomes_;
};

// The closest hits of many lines.
using ClosestBatch = AnswerBatch<Hit>;
// The same in brief: less than half the memory, and so less time to write.
// RayQueryService::fullHit() computes a full hit.
using CompactBatch = AnswerBatch<CompactHit>;

// The answers of many lines of sight, one byte each.
class OcclusionBatch : public AnswerBatch<Occlusion> {
 public:
  // The blocker of each query that is kBlocked; empty unless report_blocker is set.
  std::vector<CompactHit> blockers;
};

// The batches that answer queries for the closest hit.
template <class T>
concept ClosestHitBatch = std::same_as<T, ClosestBatch> || std::same_as<T, CompactBatch>;

}  // namespace fractalray
