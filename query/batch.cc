// SPDX-License-Identifier: Apache-2.0
#include "batch.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/cleanup/cleanup.h"

#include "internal/batch_scheduler.h"
#include "internal/resume_point.h"
#include "internal/service_state.h"
#include "internal/spending.h"
#include "ray_query_service.h"

namespace fractalray {
namespace internal {

void FreeBatchMemory::operator()(BatchMemory* memory) const {
  delete memory;
}

}  // namespace internal

namespace {

using internal::BatchMemory;
using internal::FixedQuery;
using internal::ServiceState;

// Queries that one task answers: enough that handing them to a thread does not matter.
constexpr std::size_t kQueriesInTask = 64;

absl::StatusOr<FixedQuery> inUnits(const BatchQuery& query) {
  const absl::StatusOr<FixedSegment> segment =
      std::visit([](const auto& line) { return toFixedSegment(line); }, query.line);
  if (!segment.ok()) return segment.status();
  return FixedQuery{
      .segment = *segment, .levels = query.levels, .ignore = query.ignore, .after = query.after};
}

// Runs answer(i) for each of `count` queries, many at once. What throws, or what `parallel_for` has
// left out, is run again by the caller, in order: so the exception that passes is the first one
// that one query after another would have met.
template <class Answer>
void answerAll(std::size_t count, ParallelFor parallel_for, const Answer& answer) {
  const std::size_t tasks = (count + kQueriesInTask - 1) / kQueriesInTask;
  std::atomic<std::size_t> completed = 0;
  parallel_for(tasks, [&](std::size_t task) {
    try {
      const std::size_t end = std::min(count, (task + 1) * kQueriesInTask);
      for (std::size_t i = task * kQueriesInTask; i < end; ++i)
        answer(i);
      completed.fetch_add(1, std::memory_order_relaxed);
    } catch (...) {  // NOLINT(bugprone-empty-catch): what is not completed is run again
    }
  });
  if (completed.load(std::memory_order_relaxed) != tasks) runSerially(count, answer);
}

// Returns true if any query resumes after hits that lie in the memory of `hits`.
bool resumeAfterAny(std::span<const BatchQuery> queries, std::span<const Hit> after_all,
                    const std::vector<Hit>& hits) {
  return internal::liesIn(after_all, hits) ||
         std::any_of(queries.begin(), queries.end(),
                     [&](const BatchQuery& query) { return internal::liesIn(query.after, hits); });
}

// The counters of the tasks of a batch, each on its own cache line.
class BatchStats {
 public:
  BatchStats(std::vector<internal::TaskStats>& tasks, std::size_t queries) : tasks_(tasks) {
    tasks_.resize((queries + kQueriesInTask - 1) / kQueriesInTask);
  }
  void add(std::size_t query, const QueryStats& stats) {
    QueryStats& of_task = tasks_[query / kQueriesInTask].stats;
    if (query % kQueriesInTask == 0) of_task = {};
    of_task += stats;
  }
  QueryStats sum() const {
    QueryStats sum;
    for (const internal::TaskStats& task : tasks_)
      sum += task.stats;
    return sum;
  }

 private:
  std::vector<internal::TaskStats>& tasks_;
};

// Reports the queries of a batch to the observer, if there is one. `answer(i)` returns the
// ObservedAnswer of query i.
template <class Answer>
void observeAll(const ServiceState& state, QueryVerb verb, std::span<const BatchQuery> queries,
                const ShotOptions& options, const SceneVersion& before, const Answer& answer) {
  if (state.observer == nullptr) return;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const absl::StatusOr<FixedQuery> query = inUnits(queries[i]);
    if (query.ok()) state.observe(verb, *query, options, before, answer(i));
  }
}

ObservedAnswer observed(const ShotBatch& batch, std::size_t i) {
  const ShotSummary& shot = batch.shots[i];
  return {.status = shot.status.code(),
          .hits = batch.hitsOf(i),
          .terminated = shot.terminated,
          .truncated = shot.truncated,
          .unknown_from = shot.unknown_from,
          .level_parts = batch.levelPartsOf(i),
          .budgets = shot.budgets,
          .stopped_at = shot.stopped_at};
}

// Collects errors of queries from several threads.
class ErrorCollector {
 public:
  void add(std::size_t query, absl::Status status) {
    const std::scoped_lock lock(mutex_);
    errors_.push_back({query, std::move(status)});
  }
  // Returns one error for each query that has any: a query may have been asked twice.
  std::vector<BatchError> take() {
    const auto is_before = [](const BatchError& a, const BatchError& b) {
      return a.query < b.query;
    };
    const auto is_same = [](const BatchError& a, const BatchError& b) {
      return a.query == b.query;
    };
    std::sort(errors_.begin(), errors_.end(), is_before);
    errors_.erase(std::unique(errors_.begin(), errors_.end(), is_same), errors_.end());
    return std::move(errors_);
  }

 private:
  std::mutex mutex_;
  std::vector<BatchError> errors_;
};

// Returns the answer that an observer sees of query i if it has failed. Requires: calls in the
// order of queries.
class FailedAnswers {
 public:
  explicit FailedAnswers(const std::vector<BatchError>& errors)
      : next_(errors.begin()), end_(errors.end()) {}
  std::optional<ObservedAnswer> find(std::size_t query) {
    // Queries that are not observed have errors, too.
    while (next_ != end_ && next_->query < query)
      ++next_;
    if (next_ == end_ || next_->query != query) return std::nullopt;
    return ObservedAnswer{.status = (next_++)->status.code()};
  }

 private:
  std::vector<BatchError>::const_iterator next_;
  std::vector<BatchError>::const_iterator end_;
};

}  // namespace

absl::Status RayQueryService::shootSegment(std::span<const BatchQuery> queries,
                                           const ShotOptions& options, ShotBatch& batch,
                                           ParallelFor parallel_for) const {
  BatchMemory& memory = BatchMemory::of(batch);
  if (memory.is_in_use) {
    return absl::FailedPreconditionError(
        "this ShotBatch is being filled by a batch in progress; give a nested batch one of its "
        "own");
  }
  // Hits that queries resume after stay where they are.
  if (resumeAfterAny(queries, options.after, batch.hits)) memory.earlier_hits.swap(batch.hits);
  batch.hits.clear();
  batch.shots.clear();
  batch.level_parts.clear();
  batch.reruns = 0;
  absl::Status status = state_->checkBatch(options.filter.channel);
  if (status.ok()) status = internal::checkBudgets(options);
  if (!status.ok()) return status;
  batch.shots.resize(queries.size());
  memory.is_in_use = true;
  const absl::Cleanup not_in_use = [&memory] { memory.is_in_use = false; };
  const SceneVersion before = version();
  const auto query_at = [&](std::size_t i) { return inUnits(queries[i]); };
  internal::BatchScheduler(*state_, query_at, options, batch, memory, parallel_for).run();
  observeAll(*state_, QueryVerb::kShoot, queries, options, before,
             [&](std::size_t i) { return observed(batch, i); });
  return absl::OkStatus();
}

absl::Status RayQueryService::closestHit(std::span<const BatchQuery> queries,
                                         const ShotOptions& options, ClosestBatch& batch,
                                         ParallelFor parallel_for) const {
  const bool has_unknown = options.report_unknown || options.stop_at_unknown;
  absl::Cleanup clear = [&] {
    batch.hits.clear();
    batch.unknown_from.clear();
  };
  batch.version = version();
  batch.errors.clear();
  batch.stats = {};
  absl::Status status = state_->checkBatch(options.filter.channel);
  if (!status.ok()) return status;
  // Hits that queries resume after stay where they are.
  if (resumeAfterAny(queries, options.after, batch.hits)) {
    BatchMemory::earlierHits(batch).swap(batch.hits);
  }
  batch.hits.assign(queries.size(), Hit());
  batch.unknown_from.assign(has_unknown ? queries.size() : 0, std::nullopt);
  BatchStats stats(BatchMemory::taskStats(batch), queries.size());
  ErrorCollector errors;
  answerAll(queries.size(), parallel_for, [&](std::size_t i) {
    ClosestHit closest;
    const absl::StatusOr<FixedQuery> query = inUnits(queries[i]);
    absl::Status asked =
        query.ok() ? state_->findClosest(*query, options, closest) : query.status();
    stats.add(i, closest.stats);
    if (!asked.ok()) return errors.add(i, std::move(asked));
    if (closest.hit.has_value()) batch.hits[i] = *closest.hit;
    if (has_unknown) batch.unknown_from[i] = closest.unknown_from;
  });
  std::move(clear).Cancel();
  batch.stats = stats.sum();
  batch.errors = errors.take();
  FailedAnswers failed(batch.errors);
  observeAll(*state_, QueryVerb::kClosestHit, queries, options, batch.version, [&](std::size_t i) {
    if (const auto answer = failed.find(i)) return *answer;
    ObservedAnswer answer;
    if (batch.hits[i].kind != Hit::Kind::kNone) answer.hits = {&batch.hits[i], 1};
    if (has_unknown) answer.unknown_from = batch.unknown_from[i];
    return answer;
  });
  return absl::OkStatus();
}

absl::Status RayQueryService::occluded(std::span<const BatchQuery> queries,
                                       const OcclusionOptions& options, OcclusionBatch& batch,
                                       ParallelFor parallel_for) const {
  const ShotOptions sight = internal::sightOptions(options);
  absl::Cleanup clear = [&batch] { batch.answers.clear(); };
  batch.version = version();
  batch.errors.clear();
  batch.stats = {};
  absl::Status status = state_->checkBatch(options.filter.channel);
  if (!status.ok()) return status;
  batch.answers.assign(queries.size(), Occlusion::kUnknown);
  BatchStats stats(BatchMemory::taskStats(batch), queries.size());
  ErrorCollector errors;
  answerAll(queries.size(), parallel_for, [&](std::size_t i) {
    OcclusionResult result;
    const absl::StatusOr<FixedQuery> query = inUnits(queries[i]);
    absl::Status asked =
        query.ok() ? state_->findOcclusion(*query, sight, false, result) : query.status();
    stats.add(i, result.stats);
    if (!asked.ok()) return errors.add(i, std::move(asked));
    batch.answers[i] = result.occlusion;
  });
  std::move(clear).Cancel();
  batch.stats = stats.sum();
  batch.errors = errors.take();
  FailedAnswers failed(batch.errors);
  observeAll(*state_, QueryVerb::kOccluded, queries, sight, batch.version, [&](std::size_t i) {
    if (const auto answer = failed.find(i)) return *answer;
    return ObservedAnswer{.occlusion = batch.answers[i]};
  });
  return absl::OkStatus();
}

absl::StatusOr<ShotBatch> RayQueryService::shootSegment(std::span<const BatchQuery> queries,
                                                        const ShotOptions& options,
                                                        ParallelFor parallel_for) const {
  ShotBatch batch;
  absl::Status status = shootSegment(queries, options, batch, parallel_for);
  if (!status.ok()) return status;
  return batch;
}

absl::StatusOr<ClosestBatch> RayQueryService::closestHit(std::span<const BatchQuery> queries,
                                                         const ShotOptions& options,
                                                         ParallelFor parallel_for) const {
  ClosestBatch batch;
  absl::Status status = closestHit(queries, options, batch, parallel_for);
  if (!status.ok()) return status;
  return batch;
}

absl::StatusOr<OcclusionBatch> RayQueryService::occluded(std::span<const BatchQuery> queries,
                                                         const OcclusionOptions& options,
                                                         ParallelFor parallel_for) const {
  OcclusionBatch batch;
  absl::Status status = occluded(queries, options, batch, parallel_for);
  if (!status.ok()) return status;
  return batch;
}

}  // namespace fractalray
