// SPDX-License-Identifier: Apache-2.0
// Batches of queries that call no effects: for the closest hit, and lines of sight. Any thread may
// answer any query, since no answer depends on another.
#include <optional>
#include <utility>

#include "absl/cleanup/cleanup.h"

#include "internal/batch/answer_batch.h"
#include "internal/batch/batch_queries.h"
#include "internal/batch/batch_scheduler.h"
#include "internal/batch/search_ahead.h"
#include "internal/shot/first_hit.h"
#include "internal/shot/full_hit.h"
#include "internal/verb.h"
#include "ray_query_service.h"

namespace fractalray {
namespace {

using internal::AheadOutcome;
using internal::BatchMemory;
using internal::DirectOutcome;
using internal::FirstHit;
using internal::HitMode;
using internal::PreparedShot;
using internal::QueryContext;
using internal::ServiceState;

// Returns query i; `known` is the result of its search, null if it has not been searched.
absl::StatusOr<Query> queryOf(const ServiceState& state, const BatchQueries& queries, std::size_t i,
                              const AheadOutcome* known) {
  if (known != nullptr) return internal::withLine(queries, i, known->line);
  return internal::inUnits(queries, i, state.world.frame());
}
FirstHit firstHitOf(const AheadOutcome* known) {
  return known != nullptr ? FirstHit(internal::toDirectResult(*known)) : FirstHit();
}

// The answers of each verb have these members, called by fillBatch(); each query is answered by one
// thread.
//   kVerb           the verb
//   reset(n)        resizes the answers to n
//   clear()         empties them
//   answer(i, ...)  answers query i, given what the search ahead has found
//   take(i, ...)    takes the outcome of the direct search as the answer; false if more is needed
//   forget(i)       makes it the answer of a query that is not done
//   observed(i)     returns the answer as observers receive it

// Finds closest hits, as AnyHit: Hit or CompactHit.
template <class AnyHit>
class ClosestHits {
 public:
  static constexpr QueryVerb kVerb = QueryVerb::kClosestHit;

  ClosestHits(const ServiceState& state, const BatchQueries& queries, const QueryOptions& options,
              AnswerBatch<AnyHit>& batch)
      : state_(state), queries_(queries), options_(options), batch_(batch) {}

  AnswerBatch<AnyHit>& batch() { return batch_; }
  // Answers of a batch without a limit of steps are not cleared, since each query sets its own.
  void reset(std::size_t queries) {
    if (internal::hasLimit(options_)) batch_.answers.clear();
    batch_.answers.resize(queries);
    batch_.unknown_from.assign(has_unknown_ ? queries : 0, std::nullopt);
  }
  void clear() {
    batch_.answers.clear();
    batch_.unknown_from.clear();
  }
  absl::Status answer(std::size_t i, const Query& query, const QueryOptions& options,
                      FirstHit& found, QueryStats& stats) {
    const auto find = [&](const QueryContext& context, PreparedShot& shot) {
      absl::Status status = internal::closestHit(context, shot, found, stats);
      if (has_unknown_) batch_.unknown_from[i] = shot.unknownTime();
      if (found.exists()) {
        set(found, context, batch_.answers[i]);
      } else {
        batch_.answers[i] = AnyHit();
      }
      return status;
    };
    return state_.run(internal::Verb<kVerb>::kMode, query, options, find);
  }
  bool take(std::size_t i, const AheadOutcome& ahead, bool only_blocks) {
    if (!only_blocks || has_unknown_ || ahead.outcome == DirectOutcome::kUnclear) return false;
    if (ahead.outcome == DirectOutcome::kNone) {
      batch_.answers[i] = AnyHit();
    } else {
      set(ahead, batch_.answers[i]);
    }
    return true;
  }
  void forget(std::size_t i) {
    batch_.answers[i] = AnyHit();
    if (has_unknown_) batch_.unknown_from[i].reset();
  }
  ObservedAnswer observed(std::size_t i) {
    ObservedAnswer answer;
    if (batch_.answers[i].kind != Hit::Kind::kNone) {
      full_ = fullOf(i, batch_.answers[i]);
      answer.hits = {&full_, 1};
    }
    if (has_unknown_) answer.answer.unknown_from = batch_.unknown_from[i];
    return answer;
  }

 private:
  static void set(const AheadOutcome& ahead, Hit& hit) {
    hit = internal::hitOf(ahead.line, *ahead.block);
  }
  static void set(const AheadOutcome& ahead, CompactHit& hit) {
    hit = internal::compactHitOf(*ahead.block);
  }
  static void set(const FirstHit& found, const QueryContext& context, Hit& hit) {
    hit = Hit();
    found.setFull(context, hit);
  }
  static void set(const FirstHit& found, const QueryContext& context, CompactHit& hit) {
    hit = found.compact(context);
  }
  Hit fullOf(std::size_t /*i*/, const Hit& hit) const { return hit; }
  // Requires: the hit has just been found.
  Hit fullOf(std::size_t i, const CompactHit& hit) const {
    const absl::StatusOr<Query> query = internal::inUnits(queries_, i, state_.world.frame());
    return internal::fullHit(state_.entities, query->segment, hit).value();
  }

  const ServiceState& state_;
  const BatchQueries& queries_;
  const QueryOptions& options_;
  AnswerBatch<AnyHit>& batch_;
  bool has_unknown_ = options_.report_unknown || options_.stop_at_unknown;
  Hit full_;  // of the answer that an observer sees
};

class LinesOfSight {
 public:
  static constexpr QueryVerb kVerb = QueryVerb::kOccluded;

  LinesOfSight(const ServiceState& state, const QueryOptions& options, OcclusionBatch& batch)
      : state_(state), has_blockers_(options.report_blocker), batch_(batch) {}

  OcclusionBatch& batch() { return batch_; }
  void reset(std::size_t queries) {
    batch_.answers.assign(queries, Occlusion::kUnknown);
    batch_.blockers.assign(has_blockers_ ? queries : 0, CompactHit());
  }
  void clear() {
    batch_.answers.clear();
    batch_.blockers.clear();
  }
  absl::Status answer(std::size_t i, const Query& query, const QueryOptions& options,
                      FirstHit& blocker, QueryStats& stats) {
    const auto find = [&](const QueryContext& context, PreparedShot& shot) {
      const absl::StatusOr<Occlusion> occlusion = internal::occluded(context, shot, blocker, stats);
      if (!occlusion.ok()) return occlusion.status();
      batch_.answers[i] = *occlusion;
      if (has_blockers_ && blocker.exists()) batch_.blockers[i] = blocker.compact(context);
      return absl::OkStatus();
    };
    return state_.run(internal::Verb<kVerb>::kMode, query, options, find);
  }
  bool take(std::size_t i, const AheadOutcome& ahead, bool only_blocks) {
    if (ahead.outcome == DirectOutcome::kFound) {
      batch_.answers[i] = Occlusion::kBlocked;
      if (has_blockers_) batch_.blockers[i] = internal::compactHitOf(*ahead.block);
      return true;
    }
    const bool is_free = ahead.outcome == DirectOutcome::kNone && ahead.is_line_loaded;
    if (!is_free || !only_blocks) return false;
    batch_.answers[i] = Occlusion::kClear;
    return true;
  }
  void forget(std::size_t i) {
    batch_.answers[i] = Occlusion::kUnknown;
    if (has_blockers_) batch_.blockers[i] = CompactHit();
  }
  ObservedAnswer observed(std::size_t i) const {
    return fractalray::observed(absl::OkStatus(), batch_.answers[i]);
  }

 private:
  const ServiceState& state_;
  bool has_blockers_;
  OcclusionBatch& batch_;
};

// Fills the batch of the answers. Requires: no query resumes after hits of the batch.
template <class Answers>
absl::Status fillBatch(const ServiceState& state, const BatchQueries& queries,
                       const QueryOptions& options, Answers answers, ParallelFor parallel_for) {
  constexpr HitMode kMode = internal::Verb<Answers::kVerb>::kMode;
  absl::Cleanup clear = [&answers] { answers.clear(); };
  absl::Status status = internal::beginBatch(state, options.filter.channel, answers.batch());
  if (!status.ok()) return status;
  answers.reset(queries.size());
  const auto answer = [&](std::size_t i, const QueryOptions& of_query, QueryStats& stats,
                          const AheadOutcome* known) {
    const absl::StatusOr<Query> query = queryOf(state, queries, i, known);
    FirstHit first = firstHitOf(known);
    absl::Status of_answer =
        query.ok() ? answers.answer(i, *query, of_query, first, stats) : query.status();
    if (!of_answer.ok()) answers.forget(i);
    return of_answer;
  };
  const bool can_search_ahead = internal::canSearchAhead(options);
  const bool only_blocks = !internal::hitsEntities(state.entities, options, kMode);
  const auto ahead = [&](std::size_t begin, std::size_t end, QueryStats& stats,
                         const auto& answer_one) {
    if (!can_search_ahead) return internal::kAllQueries;
    const auto on_outcome = [&](std::size_t i, const AheadOutcome& outcome) {
      if (!answers.take(i, outcome, only_blocks)) answer_one(i, &outcome);
    };
    return internal::searchAhead(state, queries, options, kMode, begin, end, stats, on_outcome);
  };
  const auto cut = internal::answerBatch(
      queries.size(), options, answers.batch(), parallel_for, answer,
      [&answers](std::size_t i) { answers.forget(i); }, ahead);
  std::move(clear).Cancel();
  internal::observeBatch(state, Answers::kVerb, queries, options, answers.batch(), cut,
                         [&answers](std::size_t i) { return answers.observed(i); });
  return absl::OkStatus();
}

}  // namespace

absl::Status RayQueryService::closestHit(const BatchQueries& queries, const QueryOptions& options,
                                         ClosestBatch& batch, ParallelFor parallel_for) const {
  // Hits after which queries resume keep their memory.
  if (internal::resumeAfterAny(queries, 0, options.after, batch.answers)) {
    BatchMemory::earlier(batch).swap(batch.answers);
  }
  return fillBatch(*state_, queries, options, ClosestHits(*state_, queries, options, batch),
                   parallel_for);
}

absl::Status RayQueryService::closestHit(const BatchQueries& queries, const QueryOptions& options,
                                         CompactBatch& batch, ParallelFor parallel_for) const {
  return fillBatch(*state_, queries, options, ClosestHits(*state_, queries, options, batch),
                   parallel_for);
}

absl::Status RayQueryService::occluded(const BatchQueries& queries, const QueryOptions& options,
                                       OcclusionBatch& batch, ParallelFor parallel_for) const {
  return fillBatch(*state_, queries, options, LinesOfSight(*state_, options, batch), parallel_for);
}

absl::StatusOr<Hit> RayQueryService::fullHit(const BatchQuery& query,
                                             const CompactHit& compact) const {
  const absl::StatusOr<Query> in_units = internal::inUnits(query, state_->world.frame());
  if (!in_units.ok()) return in_units.status();
  return internal::fullHit(state_->entities, in_units->segment, compact);
}

}  // namespace fractalray
