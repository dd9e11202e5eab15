// SPDX-License-Identifier: Apache-2.0
// Batches of queries: what they are asked with and what they answer. Answers are flat arrays of the
// caller's, kept from batch to batch.
//
// A batch may have a limit of steps for all its queries together (ShotOptions::max_batch_steps):
// they take their steps in order, each as many as the same query alone, until none is left. The
// query that needs more than there are ends as a single one whose max_steps they are; those after
// it are not started. `completed` says how many are done. What is left of a batch of shots is
// continued by RayQueryService::resume(), of the others by a batch of
// queries.subspan(batch.completed). None of that depends on threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "absl/status/status.h"

#include "../core/check.h"
#include "../core/level_mask.h"
#include "../core/ray.h"
#include "../core/segment.h"
#include "../entities/entity.h"
#include "hit.h"
#include "occlusion.h"
#include "shot_result.h"

namespace fractalray {

// One query of a batch. What it ignores (its shooter, say) is ignored in addition to what the
// batch's options name. It resumes after the last hit of its own `after` or, if that is empty, of
// the options'; entities of either are not hit again. Both must outlive the batch; `after` may lie
// in the batch that is filled, to step through hits.
struct BatchQuery {
  std::variant<Segment, FixedSegment, Ray> line;
  LevelMask levels = LevelMask::all();
  std::span<const EntityId> ignore{};
  std::span<const Hit> after{};
};

// How far a shot of a batch has come.
enum class BatchProgress : std::uint8_t {
  kDone,        // its answer, or its error, is that of the single shot
  kOutOfSteps,  // the steps of the batch ran out while it ran
  kNotStarted,  // they had run out before: nothing was called
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

// What a query of a batch with a limit of steps has come to before its turn.
struct QueryOutcome {
  bool is_known = false;
  absl::Status status;
  QueryStats stats;
};

}  // namespace internal

// A shot of a batch, but for its hits and level parts.
struct ShotSummary {
  // As the shot alone would have returned it. If the line, the mask, `after` or the nesting is in
  // error, nothing was called; past max_steps the hits up to there are reported, as for a single
  // shot. RESOURCE_EXHAUSTED too if the batch has left it no steps.
  absl::Status status;
  BatchProgress progress = BatchProgress::kDone;
  SceneVersion version;  // when it was committed: those that effects of earlier shots have left
  FixedSegment segment;  // in units; not set if the line itself is in error
  // As in ShotResult.
  bool terminated = false;
  bool truncated = false;
  std::optional<Budgets> budgets;
  std::optional<double> stopped_at;
  std::optional<double> unknown_from;
  QueryStats stats;
  // The ranges of ShotBatch::hits and ShotBatch::level_parts that are this shot's.
  std::size_t hits_begin = 0;
  std::size_t hits_end = 0;
  std::size_t parts_begin = 0;
  std::size_t parts_end = 0;
};

// Many shots, and working memory for later ones. Can be moved, not copied, and belongs to one
// thread at a time.
class ShotBatch {
 public:
  // One for each query, in order; after an exception of a callback one for each query that was
  // completed.
  std::vector<ShotSummary> shots;
  // The hits of all of them, shot after shot, each in its order of hits; and their level parts.
  std::vector<Hit> hits;
  std::vector<LevelPart> level_parts;
  // The number of queries that are kDone, which come first: all, unless the steps ran out.
  std::size_t completed = 0;
  // The number of queries that were run again serially: what effects have cost the batch.
  std::size_t reruns = 0;

  // Requires, for these: i < shots.size().
  std::span<const Hit> hitsOf(std::size_t i) const {
    FRACTALRAY_DCHECK(i < shots.size(), i, shots.size());
    return std::span(hits).subspan(shots[i].hits_begin, shots[i].hits_end - shots[i].hits_begin);
  }
  std::span<const LevelPart> levelPartsOf(std::size_t i) const {
    FRACTALRAY_DCHECK(i < shots.size(), i, shots.size());
    return std::span(level_parts)
        .subspan(shots[i].parts_begin, shots[i].parts_end - shots[i].parts_begin);
  }

 private:
  friend class internal::BatchMemory;

  internal::BatchMemoryPtr memory_;
};

// The closest hits of many lines. Belongs to one thread at a time.
class ClosestBatch {
 public:
  // What all of them were computed on.
  SceneVersion version;
  // One for each query, in order; of kind kNone if it hits nothing, has an error or is not done.
  std::vector<Hit> hits;
  // The same for ClosestHit::unknown_from; empty if the options do not ask for it.
  std::vector<std::optional<double>> unknown_from;
  std::vector<BatchError> errors;  // in the order of queries
  // The number of queries that are done, which come first. If the steps of the batch ran out in the
  // one after them, it has an error; those that were not started have none.
  std::size_t completed = 0;
  // The work of all queries together, including those with an error.
  QueryStats stats;

 private:
  friend class internal::BatchMemory;

  std::vector<Hit> earlier_hits_;  // of the run before, after which queries may resume
  std::vector<internal::TaskStats> task_stats_;
  std::vector<internal::QueryOutcome> outcomes_;
};

// What blocks a line of a batch, and where: the hit that OcclusionResult::blocker has, in brief.
// 56 bytes.
struct Blocker {
  double t = 0;                       // where the line meets it
  Hit::Kind kind = Hit::Kind::kNone;  // kNone if nothing blocks the line
  std::int8_t level = 0;              // the block's, or the entity's own
  BlockTypeId type = kAir;            // of a block
  BlockCoord block{};                 // of a block: its index on its level
  EntityHandle entity{};              // of an entity, as its id
  EntityId id = 0;

  bool isBlock() const { return kind == Hit::Kind::kBlock; }
  bool isEntity() const { return kind == Hit::Kind::kEntity; }
  friend bool operator==(const Blocker&, const Blocker&) = default;
};

// Whether anything is in the way of many lines. Belongs to one thread at a time.
class OcclusionBatch {
 public:
  // What all of them were computed on.
  SceneVersion version;
  // One byte for each query, in order; kUnknown if the query has an error or is not done.
  std::vector<Occlusion> answers;
  // What blocks each query that is kBlocked; empty if the options do not ask for it
  // (report_blocker).
  std::vector<Blocker> blockers;
  std::vector<BatchError> errors;  // in the order of queries
  // As in ClosestBatch.
  std::size_t completed = 0;
  // The work of all queries together, including those with an error.
  QueryStats stats;

 private:
  friend class internal::BatchMemory;

  std::vector<internal::TaskStats> task_stats_;
  std::vector<internal::QueryOutcome> outcomes_;
};

}  // namespace fractalray
