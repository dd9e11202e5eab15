// SPDX-License-Identifier: Apache-2.0
// Batches of queries that call no effects: for the closest hit, and lines of sight. Any thread may
// answer any query, since no answer depends on another.
#include <optional>
#include <utility>

#include "absl/cleanup/cleanup.h"

#include "internal/answer_batch.h"
#include "internal/batch_queries.h"
#include "internal/batch_scheduler.h"
#include "internal/full_hit.h"
#include "internal/search_ahead.h"
#include "ray_query_service.h"

namespace fractalray {
namespace {

using internal::AheadOutcome;
using internal::BatchMemory;
using internal::DirectSearch;
using internal::FirstBlock;
using internal::HitMode;
using internal::ServiceState;

// Gives `answers` one answer for each query. Those of a batch without a limit of steps are not
// cleared, since each query sets its own.
template <class AnyAnswer>
void resizeAnswers(std::vector<AnyAnswer>& answers, std::size_t queries,
                   const ShotOptions& options) {
  if (internal::hasLimit(options)) answers.clear();
  answers.resize(queries);
}

Hit fullOf(const ServiceState& /*state*/, const BatchQueries& /*queries*/, std::size_t /*i*/,
           const Hit& hit) {
  return hit;
}
// Requires: the hit has just been found.
Hit fullOf(const ServiceState& state, const BatchQueries& queries, std::size_t i,
           const CompactHit& hit) {
  return internal::fullHit(state.entities,
                           internal::inUnits(queries, i, state.world.frame())->segment, hit)
      .value();
}

// Returns query i; `known` is the result of its search, null if it has not been searched.
absl::StatusOr<Query> queryOf(const ServiceState& state, const BatchQueries& queries, std::size_t i,
                              const AheadOutcome* known) {
  if (known != nullptr) return internal::withLine(queries, i, known->line);
  return internal::inUnits(queries, i, state.world.frame());
}
std::optional<DirectSearch> directOf(const AheadOutcome* known) {
  if (known == nullptr) return std::nullopt;
  return internal::toDirectSearch(*known);
}

void setHit(const FixedSegment& line, const FirstBlock& block, Hit& hit) {
  hit = internal::hitOf(line, block);
}
void setHit(const FixedSegment& /*line*/, const FirstBlock& block, CompactHit& hit) {
  hit = internal::compactHitOf(block);
}

// Fills a ClosestBatch or a CompactBatch. Requires: no query resumes after hits of the batch.
template <class Batch>
absl::Status findClosestOfAll(const ServiceState& state, const BatchQueries& queries,
                              const ShotOptions& options, Batch& batch, ParallelFor parallel_for) {
  using AnyHit = typename decltype(batch.hits)::value_type;
  const bool has_unknown = options.report_unknown || options.stop_at_unknown;
  absl::Cleanup clear = [&] {
    batch.hits.clear();
    batch.unknown_from.clear();
  };
  absl::Status status = internal::beginBatch(state, options.filter.channel, batch);
  if (!status.ok()) return status;
  resizeAnswers(batch.hits, queries.size(), options);
  batch.unknown_from.assign(has_unknown ? queries.size() : 0, std::nullopt);
  const auto answer = [&](std::size_t i, const ShotOptions& of_query, QueryStats& stats,
                          const AheadOutcome* known) {
    const absl::StatusOr<Query> query = queryOf(state, queries, i, known);
    if (!query.ok()) {
      batch.hits[i] = AnyHit();
      return query.status();
    }
    std::optional<double> unknown_from;
    absl::Status asked =
        state.findClosest(*query, of_query, directOf(known), batch.hits[i], unknown_from, stats);
    if (has_unknown) batch.unknown_from[i] = unknown_from;
    return asked;
  };
  const auto forget = [&](std::size_t i) {
    batch.hits[i] = AnyHit();
    if (has_unknown) batch.unknown_from[i].reset();
  };
  const bool can_search_ahead = internal::canSearchAhead(options);
  const bool only_blocks =
      !has_unknown && !internal::hitsEntities(state.entities, options, HitMode::kClosest);
  const auto ahead = [&](std::size_t begin, std::size_t end, QueryStats& stats,
                         const auto& answer_one) {
    if (!can_search_ahead) return internal::kAllQueries;
    const auto on_outcome = [&](std::size_t i, const AheadOutcome& outcome) {
      if (!only_blocks || outcome.outcome == FirstBlock::Outcome::kUnclear) {
        answer_one(i, &outcome);
      } else if (outcome.outcome == FirstBlock::Outcome::kNone) {
        batch.hits[i] = AnyHit();
      } else {
        setHit(outcome.line, *outcome.block, batch.hits[i]);
      }
    };
    return internal::searchAhead(state, queries, options, HitMode::kClosest, begin, end, stats,
                                 on_outcome);
  };
  const auto cut =
      internal::answerBatch(queries.size(), options, batch, parallel_for, answer, forget, ahead);
  std::move(clear).Cancel();
  Hit full;
  const auto observed = [&](std::size_t i) {
    ObservedAnswer of_query;
    if (batch.hits[i].kind != Hit::Kind::kNone) {
      full = fullOf(state, queries, i, batch.hits[i]);
      of_query.hits = {&full, 1};
    }
    if (has_unknown) of_query.unknown_from = batch.unknown_from[i];
    return of_query;
  };
  internal::observeBatch(state, QueryVerb::kClosestHit, queries, options, batch, cut, observed);
  return absl::OkStatus();
}

}  // namespace

absl::Status RayQueryService::closestHit(const BatchQueries& queries, const ShotOptions& options,
                                         ClosestBatch& batch, ParallelFor parallel_for) const {
  // Hits after which queries resume keep their memory.
  if (internal::resumeAfterAny(queries, 0, options.after, batch.hits)) {
    BatchMemory::earlierHits(batch).swap(batch.hits);
  }
  return findClosestOfAll(*state_, queries, options, batch, parallel_for);
}

absl::Status RayQueryService::closestHit(const BatchQueries& queries, const ShotOptions& options,
                                         CompactBatch& batch, ParallelFor parallel_for) const {
  return findClosestOfAll(*state_, queries, options, batch, parallel_for);
}

absl::StatusOr<Hit> RayQueryService::fullHit(const BatchQuery& query,
                                             const CompactHit& compact) const {
  const absl::StatusOr<Query> in_units = internal::inUnits(query, state_->world.frame());
  if (!in_units.ok()) return in_units.status();
  return internal::fullHit(state_->entities, in_units->segment, compact);
}

absl::Status RayQueryService::occluded(const BatchQueries& queries, const ShotOptions& options,
                                       OcclusionBatch& batch, ParallelFor parallel_for) const {
  const bool has_blockers = options.report_blocker;
  absl::Cleanup clear = [&batch] {
    batch.answers.clear();
    batch.blockers.clear();
  };
  absl::Status status = internal::beginBatch(*state_, options.filter.channel, batch);
  if (!status.ok()) return status;
  batch.answers.assign(queries.size(), Occlusion::kUnknown);
  batch.blockers.assign(has_blockers ? queries.size() : 0, CompactHit());
  const auto answer = [&](std::size_t i, const ShotOptions& of_query, QueryStats& stats,
                          const AheadOutcome* known) {
    OcclusionResult result;
    const absl::StatusOr<Query> query = queryOf(*state_, queries, i, known);
    absl::Status asked = query.ok()
                             ? state_->findOcclusion(*query, of_query, directOf(known), result)
                             : query.status();
    stats = result.stats;
    if (!asked.ok()) return asked;
    batch.answers[i] = result.occlusion;
    if (result.blocker.has_value()) batch.blockers[i] = toCompact(*result.blocker);
    return asked;
  };
  const auto forget = [&](std::size_t i) {
    batch.answers[i] = Occlusion::kUnknown;
    if (has_blockers) batch.blockers[i] = CompactHit();
  };
  const bool can_search_ahead = internal::canSearchAhead(options);
  const bool only_blocks = !internal::hitsEntities(state_->entities, options, HitMode::kAny);
  const auto ahead = [&](std::size_t begin, std::size_t end, QueryStats& stats,
                         const auto& answer_one) {
    if (!can_search_ahead) return internal::kAllQueries;
    const auto on_outcome = [&](std::size_t i, const AheadOutcome& outcome) {
      const bool is_free = outcome.outcome == FirstBlock::Outcome::kNone;
      if (outcome.outcome == FirstBlock::Outcome::kFound) {
        batch.answers[i] = Occlusion::kBlocked;
        if (has_blockers) batch.blockers[i] = internal::compactHitOf(*outcome.block);
      } else if (is_free && only_blocks && outcome.is_line_loaded) {
        batch.answers[i] = Occlusion::kClear;
      } else {
        answer_one(i, &outcome);
      }
    };
    return internal::searchAhead(*state_, queries, options, HitMode::kAny, begin, end, stats,
                                 on_outcome);
  };
  const auto cut =
      internal::answerBatch(queries.size(), options, batch, parallel_for, answer, forget, ahead);
  std::move(clear).Cancel();
  const auto observed = [&](std::size_t i) {
    return fractalray::observed(absl::OkStatus(), batch.answers[i]);
  };
  internal::observeBatch(*state_, QueryVerb::kOccluded, queries, options, batch, cut, observed);
  return absl::OkStatus();
}

}  // namespace fractalray
