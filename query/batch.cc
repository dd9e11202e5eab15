// SPDX-License-Identifier: Apache-2.0
#include "batch.h"

#include <algorithm>
#include <atomic>

#include "absl/strings/str_cat.h"

#include "internal/batch_scheduler.h"
#include "internal/resume_point.h"
#include "internal/spending.h"
#include "ray_query_service.h"

namespace fractalray {
namespace internal {

void FreeBatchMemory::operator()(BatchMemory* memory) const {
  delete memory;
}

}  // namespace internal

namespace {

// Queries that one task answers: enough for the hand-over between threads not to count.
constexpr std::size_t kQueriesInTask = 64;

absl::StatusOr<UnitQuery> inUnits(const UnitQuery& query) {
  return query;
}
absl::StatusOr<UnitQuery> inUnits(const Query& query) {
  const absl::StatusOr<FixedSegment> segment = toUnits(query.segment);
  if (!segment.ok()) return segment.status();
  return UnitQuery{
      .segment = *segment, .levels = query.levels, .ignore = query.ignore, .after = query.after};
}

// Whether what the queries go on behind stays while `memory` is filled.
template <class AnyQuery, class T>
absl::Status checkAfter(std::span<const AnyQuery> queries, const ShotOptions& options,
                        const std::vector<T>& memory) {
  if (internal::liesIn(options.after, memory)) {
    return absl::InvalidArgumentError(
        "the hits in options.after lie in what this batch is to fill; give another one to fill");
  }
  const auto filled = std::find_if(queries.begin(), queries.end(), [&](const AnyQuery& query) {
    return internal::liesIn(query.after, memory);
  });
  if (filled == queries.end()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the hits that query ", filled - queries.begin(),
                   " goes on behind lie in what this batch is to fill; give another one to fill"));
}

// Runs answer(i) for each of `count` queries, many at once. What throws, or what `parallel_for` has
// left out, is run anew by the caller, in order: so the first exception passes that one query after
// another would have met.
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
    } catch (...) {  // NOLINT(bugprone-empty-catch): told by what is not completed
    }
  });
  if (completed.load(std::memory_order_relaxed) != tasks) runSerially(count, answer);
}

// Empties what a batch has filled unless it was filled to the end.
template <class Vector>
class ClearUnlessDone {
 public:
  explicit ClearUnlessDone(Vector& vector) : vector_(vector) {}
  ~ClearUnlessDone() {
    if (!is_done) vector_.clear();
  }
  ClearUnlessDone(const ClearUnlessDone&) = delete;
  ClearUnlessDone& operator=(const ClearUnlessDone&) = delete;

  bool is_done = false;

 private:
  Vector& vector_;
};

// Marks a batch as being filled.
class InUse {
 public:
  explicit InUse(internal::BatchMemory& memory) : memory_(memory) { memory_.is_in_use = true; }
  ~InUse() { memory_.is_in_use = false; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  internal::BatchMemory& memory_;
};

// What occludedBatch notes for a query with an error until it tells it.
constexpr Occlusion kFailed{0xff};

}  // namespace

template <class AnyQuery>
absl::Status RayQueryService::shootAll(std::span<const AnyQuery> queries,
                                       const ShotOptions& options, ShotBatch& batch,
                                       ParallelFor parallel_for) const {
  if (batch.memory_ == nullptr) batch.memory_.reset(new internal::BatchMemory);
  internal::BatchMemory& memory = *batch.memory_;
  if (memory.is_in_use) {
    return absl::FailedPreconditionError(
        "this ShotBatch is being filled by a batch under way; give a nested batch one of its own");
  }
  absl::Status status = checkAfter(queries, options, batch.hits);
  if (!status.ok()) return status;
  status = checkBatch(options.channel);
  if (status.ok()) status = internal::checkBudgets(options);
  // Shots are set one after another, in their turn.
  batch.shots.resize(status.ok() ? queries.size() : 0);
  batch.hits.clear();
  batch.level_parts.clear();
  batch.reruns = 0;
  if (!status.ok()) return status;
  const InUse in_use(memory);
  const auto query_at = [&](std::size_t i) { return inUnits(queries[i]); };
  internal::BatchScheduler(*this, query_at, options, batch, memory, parallel_for).run();
  return absl::OkStatus();
}

template <class AnyQuery>
absl::Status RayQueryService::pickAll(std::span<const AnyQuery> queries, const ShotOptions& options,
                                      std::vector<BatchClosest>& answers,
                                      ParallelFor parallel_for) const {
  absl::Status status = checkAfter(queries, options, answers);
  if (!status.ok()) return status;
  ClearUnlessDone guard(answers);
  status = checkBatch(options.channel);
  if (!status.ok()) return status;
  answers.resize(queries.size());
  answerAll(queries.size(), parallel_for, [&](std::size_t i) {
    const absl::StatusOr<UnitQuery> query = inUnits(queries[i]);
    BatchClosest& answer = answers[i];
    answer.status = query.ok() ? closestHitOf(*query, options, answer.closest) : query.status();
    if (!answer.status.ok()) answer.closest = ClosestHit();
  });
  guard.is_done = true;
  return absl::OkStatus();
}

template <class AnyQuery>
absl::Status RayQueryService::lookAll(std::span<const AnyQuery> queries,
                                      const OcclusionOptions& options, OcclusionBatch& batch,
                                      ParallelFor parallel_for) const {
  batch.version = version();
  batch.answers.clear();
  batch.errors.clear();
  batch.stats = {};
  absl::Status status = checkBatch(options.channel);
  if (!status.ok()) return status;
  const auto ask = [&](std::size_t i, QueryStats& stats) -> absl::StatusOr<Occlusion> {
    stats = {};
    const absl::StatusOr<UnitQuery> query = inUnits(queries[i]);
    if (!query.ok()) return query.status();
    return occlusionOf(*query, options, stats);
  };
  batch.answers.resize(queries.size());
  batch.task_stats_.resize((queries.size() + kQueriesInTask - 1) / kQueriesInTask);
  answerAll(queries.size(), parallel_for, [&](std::size_t i) {
    QueryStats stats;
    batch.answers[i] = ask(i, stats).value_or(kFailed);
    QueryStats& of_task = batch.task_stats_[i / kQueriesInTask].stats;
    if (i % kQueriesInTask == 0) of_task = {};
    of_task += stats;
  });
  for (const internal::TaskStats& task : batch.task_stats_)
    batch.stats += task.stats;
  // Errors are few: they are asked for again, in order, and so need no lock.
  auto failed = batch.answers.begin();
  while ((failed = std::find(failed, batch.answers.end(), kFailed)) != batch.answers.end()) {
    const auto query = static_cast<std::size_t>(failed - batch.answers.begin());
    QueryStats counted;  // already
    batch.errors.push_back({query, ask(query, counted).status()});
    *failed = Occlusion::kUnknown;
  }
  return absl::OkStatus();
}

absl::Status RayQueryService::shootSegments(std::span<const Query> queries,
                                            const ShotOptions& options, ShotBatch& batch,
                                            ParallelFor parallel_for) const {
  return shootAll(queries, options, batch, parallel_for);
}
absl::Status RayQueryService::shootSegments(std::span<const UnitQuery> queries,
                                            const ShotOptions& options, ShotBatch& batch,
                                            ParallelFor parallel_for) const {
  return shootAll(queries, options, batch, parallel_for);
}

absl::Status RayQueryService::closestHitBatch(std::span<const Query> queries,
                                              const ShotOptions& options,
                                              std::vector<BatchClosest>& answers,
                                              ParallelFor parallel_for) const {
  return pickAll(queries, options, answers, parallel_for);
}
absl::Status RayQueryService::closestHitBatch(std::span<const UnitQuery> queries,
                                              const ShotOptions& options,
                                              std::vector<BatchClosest>& answers,
                                              ParallelFor parallel_for) const {
  return pickAll(queries, options, answers, parallel_for);
}

absl::Status RayQueryService::occludedBatch(std::span<const Query> queries,
                                            const OcclusionOptions& options, OcclusionBatch& batch,
                                            ParallelFor parallel_for) const {
  return lookAll(queries, options, batch, parallel_for);
}
absl::Status RayQueryService::occludedBatch(std::span<const UnitQuery> queries,
                                            const OcclusionOptions& options, OcclusionBatch& batch,
                                            ParallelFor parallel_for) const {
  return lookAll(queries, options, batch, parallel_for);
}

}  // namespace fractalray
