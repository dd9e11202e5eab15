// SPDX-License-Identifier: Apache-2.0
#include "batch.h"

#include <optional>
#include <span>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "internal/batch/batch_queries.h"
#include "internal/batch/batch_scheduler.h"
#include "internal/shot/spending.h"
#include "ray_query_service.h"

namespace fractalray {
namespace internal {

void FreeBatchMemory::operator()(BatchMemory* memory) const {
  delete memory;
}

}  // namespace internal

namespace {

using internal::BatchMemory;
using internal::ServiceState;

ObservedAnswer observed(const ShotBatch& batch, std::size_t i) {
  return fractalray::observed(batch.shots[i].status, batch.shots[i], batch.hitsOf(i),
                              batch.levelSpansOf(i));
}

// The state of a shot when the steps of its batch ran out.
struct CutShot {
  std::size_t number = 0;
  std::size_t hits = 0;
  SceneVersion version;  // when it began
  std::optional<CarriedBudgets> carried{};
};

// One run over the queries of a batch, from the first that is not done.
class BatchRun {
 public:
  BatchRun(const ServiceState& state, const BatchQueries& queries, const QueryOptions& options,
           ShotBatch& batch)
      : state_(state),
        queries_(queries),
        options_(options),
        batch_(batch),
        memory_(BatchMemory::of(batch)),
        first_(batch.completed),
        before_(state.version()) {}

  void run(ParallelFor parallel_for) {
    noteCut();
    memory_.is_in_use = true;
    const absl::Cleanup not_in_use = [this] { memory_.is_in_use = false; };
    const auto query_at = [&](std::size_t i) {
      return internal::inUnits(queries_, i, state_.world.frame());
    };
    internal::BatchScheduler(state_, query_at, options_, batch_, memory_, parallel_for).run();
    if (state_.observer != nullptr) observe();
  }

 private:
  bool isCut(std::size_t number) const {
    return number < batch_.shots.size() &&
           batch_.shots[number].progress == BatchProgress::kOutOfSteps;
  }
  void noteCut() {
    if (!isCut(first_)) return;
    const ShotResult& shot = memory_.result;
    cut_ = {.number = first_, .hits = shot.hits.size(), .version = shot.version};
    if (!shot.hits.empty() && shot.budgets.has_value()) {
      cut_->carried = {
          .at_start = shot.budgets_at_start, .left = *shot.budgets, .overdrawn = shot.overdrawn};
    }
  }

  void observe() const {
    if (options_.max_batch_steps == 0) return;
    const auto answer = [this](std::size_t i) { return observed(batch_, i); };
    std::size_t begin = first_;
    if (cut_.has_value() && cut_->hits > 0) {
      observeContinued();
      ++begin;
    }
    internal::observeEach(state_, QueryVerb::kShoot, queries_, begin, batch_.completed, options_,
                          before_, answer);
    if (!isCut(batch_.completed) || batch_.completed < begin) return;
    internal::observeEach(state_, QueryVerb::kShoot, queries_, batch_.completed,
                          batch_.completed + 1,
                          internal::optionsOfCut(options_, memory_.steps_of_cut), before_, answer);
  }
  // Reports the shot that was continued as a resumed one, or as a whole if its query resumes after
  // hits of its own, since resumed shots have no other begin. Takes the version at which it began:
  // if anything has been edited since, neither would have the same answer again.
  void observeContinued() const {
    const std::size_t i = cut_->number;
    absl::StatusOr<Query> query = internal::inUnits(queries_, i, state_.world.frame());
    if (!query.ok()) return;
    const ObservedAnswer answer = observed(batch_, i);
    QueryOptions options = options_;
    if (!query->after.empty() && batch_.shots[i].status.ok()) {
      options.max_steps = QueryOptions().max_steps;  // each part had its own
      return state_.observe(QueryVerb::kShoot, *query, options, cut_->version, answer);
    }
    if (isCut(i)) options.max_steps = memory_.steps_of_cut;
    if (options.max_hits != QueryOptions().max_hits) options.max_hits -= cut_->hits;
    if (!query->after.empty()) options.after = query->after;
    query->after = batch_.hitsOf(i).first(cut_->hits);
    state_.observe(QueryVerb::kResume, *query, options, cut_->version, answer, cut_->carried);
  }

  const ServiceState& state_;
  BatchQueries queries_;
  const QueryOptions& options_;
  ShotBatch& batch_;
  BatchMemory& memory_;
  std::size_t first_;
  SceneVersion before_;
  std::optional<CutShot> cut_;
};

absl::Status checkNotInUse(ShotBatch& batch) {
  if (!BatchMemory::of(batch).is_in_use) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "this ShotBatch is being filled by a batch in progress; give a nested batch one of its own");
}

}  // namespace

absl::Status RayQueryService::shootSegment(const BatchQueries& queries, const QueryOptions& options,
                                           ShotBatch& batch, ParallelFor parallel_for) const {
  absl::Status status = checkNotInUse(batch);
  if (!status.ok()) return status;
  // Hits after which queries resume keep their memory.
  if (internal::resumeAfterAny(queries, 0, options.after, batch.hits)) {
    BatchMemory::of(batch).earlier_hits.swap(batch.hits);
  }
  batch.hits.clear();
  batch.shots.clear();
  batch.level_spans.clear();
  batch.completed = 0;
  batch.reruns = 0;
  status = state_->checkBatch(options.filter.channel);
  if (status.ok()) status = internal::checkBudgets(options);
  if (!status.ok()) return status;
  batch.shots.resize(queries.size());
  BatchRun(*state_, queries, options, batch).run(parallel_for);
  return absl::OkStatus();
}

absl::Status RayQueryService::resume(const BatchQueries& queries, const QueryOptions& options,
                                     ShotBatch& batch, ParallelFor parallel_for) const {
  absl::Status status = checkNotInUse(batch);
  if (status.ok()) status = state_->checkBatch(options.filter.channel);
  if (status.ok()) status = internal::checkBudgets(options);
  if (!status.ok()) return status;
  if (batch.shots.size() != queries.size() || batch.completed > queries.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a batch of ", batch.shots.size(), " shots cannot be resumed with ",
                     queries.size(), " queries; pass the queries that it was shot with"));
  }
  if (internal::resumeAfterAny(queries, batch.completed, options.after, batch.hits)) {
    return absl::InvalidArgumentError(
        "a query is to resume after hits of the very batch that is resumed; pass the queries that "
        "it was shot with");
  }
  BatchRun(*state_, queries, options, batch).run(parallel_for);
  return absl::OkStatus();
}

}  // namespace fractalray
