// SPDX-License-Identifier: Apache-2.0
// Runs the queries of a batch that call no effects: many at once, since no answer depends on
// another; with a limit of steps in the order of queries.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"

#include "../../../core/parallel_for.h"
#include "../../../core/tree64.h"
#include "../../batch.h"
#include "../../batch_query.h"
#include "../../query_observer.h"
#include "../../query_options.h"
#include "../search/ray_packet.h"
#include "../service_state.h"
#include "batch_queries.h"
#include "batch_scheduler.h"
#include "batch_steps.h"
#include "search_ahead.h"

namespace fractalray::internal {

// The number of queries per task: enough to make the cost of handing a task to a thread negligible.
inline constexpr std::size_t kQueriesInTask = 64;
static_assert(kQueriesInTask <= RayPacket::kMost, "searchAhead() takes the queries of a task");

// Runs answer_task(begin, end, in_order) for each task of `in_task` queries, many at once. If any
// throws, or if `parallel_for` has left any out, the caller runs all again, with `in_order` set:
// then the task has to answer its queries one after another, so the exception that passes is the
// first one that would have passed without tasks.
template <class AnswerTask>
void answerAll(std::size_t count, ParallelFor parallel_for, const AnswerTask& answer_task,
               std::size_t in_task = kQueriesInTask) {
  const std::size_t tasks = (count + in_task - 1) / in_task;
  const auto answer = [&](std::size_t task, bool in_order) {
    const std::size_t begin = task * in_task;
    answer_task(begin, std::min(count, begin + in_task), in_order);
  };
  std::atomic<std::size_t> completed = 0;
  parallel_for(tasks, [&](std::size_t task) {
    try {
      answer(task, false);
      completed.fetch_add(1, std::memory_order_relaxed);
    } catch (...) {  // NOLINT(bugprone-empty-catch): queries not completed are run again
    }
  });
  if (completed.load(std::memory_order_relaxed) == tasks) return;
  runSerially(tasks, [&](std::size_t task) { answer(task, true); });
}

// The counters of the tasks of a batch, each on its own cache line.
class BatchStats {
 public:
  BatchStats(std::vector<TaskStats>& tasks, std::size_t queries) : tasks_(tasks) {
    tasks_.resize((queries + kQueriesInTask - 1) / kQueriesInTask);
  }
  // Returns the counters of the task that begins with a query, set to 0.
  QueryStats& beginTask(std::size_t query) {
    QueryStats& stats = tasks_[query / kQueriesInTask].stats;
    stats = {};
    return stats;
  }
  QueryStats sum() const {
    QueryStats sum;
    for (const TaskStats& task : tasks_)
      sum += task.stats;
    return sum;
  }

 private:
  std::vector<TaskStats>& tasks_;
};

// Collects errors of queries from several threads.
class ErrorCollector {
 public:
  void add(std::size_t query, absl::Status status) {
    const std::scoped_lock lock(mutex_);
    errors_.push_back({query, std::move(status)});
  }
  // Returns one error for each query that has any: a query may have run twice.
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

// Returns the answer that an observer sees of query i if the query has failed. Requires: calls in
// the order of queries.
class FailedAnswers {
 public:
  explicit FailedAnswers(const std::vector<BatchError>& errors)
      : next_(errors.begin()), end_(errors.end()) {}
  std::optional<ObservedAnswer> find(std::size_t query) {
    // Skips the errors of queries that are not observed.
    while (next_ != end_ && next_->query < query)
      ++next_;
    if (next_ == end_ || next_->query != query) return std::nullopt;
    return observed((next_++)->status, Answer(), {}, {});
  }

 private:
  std::vector<BatchError>::const_iterator next_;
  std::vector<BatchError>::const_iterator end_;
};

// Answers the queries of a batch that has a limit of steps: many at once, each as if it were alone,
// and then commits them in order, as long as there are steps for them. Answers beyond that are
// dropped.
class LimitedRun {
 public:
  LimitedRun(const QueryOptions& options, std::vector<QueryOutcome>& outcomes)
      : options_(options), outcomes_(outcomes), steps_(options) {}

  // Calls, for each query i, answer(i, options, stats, nullptr) -> status, also ahead and more than
  // once, and forget(i) if the answer does not count.
  template <class Answer, class Forget>
  void run(std::size_t count, ParallelFor parallel_for, const Answer& answer,
           const Forget& forget) {
    for (std::size_t begin = 0; begin < count && !steps_.areUsedUp(); begin += outcomes_.size()) {
      const std::size_t ahead = steps_.queriesAhead(begin, kQueriesInTask, kMostInWave);
      outcomes_.assign(std::min(ahead, count - begin), QueryOutcome());
      prepare(begin, parallel_for, answer);
      for (std::size_t i = 0; i < outcomes_.size(); ++i) {
        if (steps_.areUsedUp()) {
          forget(begin + i);
        } else {
          commit(begin + i, outcomes_[i], answer, forget);
        }
      }
    }
  }

  std::size_t completed() const { return completed_; }
  // Returns the steps that were left for the query in which they ran out; nothing if they did not
  // run out in a query.
  const std::optional<std::uint64_t>& stepsOfCut() const { return steps_.ofCut(); }
  const QueryStats& stats() const { return stats_; }
  std::vector<BatchError> takeErrors() { return std::move(errors_); }

 private:
  static constexpr std::size_t kMostInWave = 1024;

  template <class Answer>
  void prepare(std::size_t begin, ParallelFor parallel_for, const Answer& answer) {
    parallel_for((outcomes_.size() + kQueriesInTask - 1) / kQueriesInTask, [&](std::size_t task) {
      const std::size_t end = std::min(outcomes_.size(), (task + 1) * kQueriesInTask);
      for (std::size_t i = task * kQueriesInTask; i < end; ++i) {
        try {
          outcomes_[i].status = answer(begin + i, options_, outcomes_[i].stats, nullptr);
          outcomes_[i].is_known = true;
        } catch (...) {  // NOLINT(bugprone-empty-catch): it is thrown again in order
        }
      }
    });
  }

  template <class Answer, class Forget>
  void commit(std::size_t number, QueryOutcome& outcome, const Answer& answer,
              const Forget& forget) {
    if (!outcome.is_known || !steps_.cover(outcome.stats)) {
      forget(number);
      outcome.stats = {};
      outcome.status = answer(number, steps_.optionsOfNext(), outcome.stats, nullptr);
    }
    const bool is_cut = steps_.take(outcome.status, outcome.stats);
    stats_ += outcome.stats;
    completed_ += is_cut ? 0 : 1;
    if (!outcome.status.ok()) errors_.push_back({number, std::move(outcome.status)});
  }

  const QueryOptions& options_;
  std::vector<QueryOutcome>& outcomes_;
  BatchSteps steps_;
  std::size_t completed_ = 0;
  QueryStats stats_;
  std::vector<BatchError> errors_;
};

// Returns true if the queries of a batch may take only so many steps together.
inline bool hasLimit(const QueryOptions& options) {
  return options.max_batch_steps != QueryOptions().max_batch_steps;
}

// Empties all of a batch but its answers. Returns the error of the batch as a whole, if it has one.
template <class Batch>
absl::Status beginBatch(const ServiceState& state, ChannelId channel, Batch& batch) {
  batch.version = state.version();
  batch.errors.clear();
  batch.completed = 0;
  batch.stats = {};
  return state.checkBatch(channel);
}

// A word with a bit for each query of a task.
inline constexpr std::uint64_t kAllQueries = ~std::uint64_t{0};

// Answers the `count` queries of a batch; see LimitedRun::run(). Returns the steps that were left
// for the query in which those of the batch ran out, if they did.
//
// Without a limit of steps, calls ahead(begin, end, stats, answer_one) -> rest for each task. It
// may set the answers of any of the task's queries, or call answer_one(i, known), which calls
// answer(i, options, stats, known) and adds the stats and the error; `known` is the result of the
// direct search. It returns the other queries, in a word with bit i for query begin + i.
template <class Batch, class Answer, class Forget, class Ahead>
std::optional<std::uint64_t> answerBatch(std::size_t count, const QueryOptions& options,
                                         Batch& batch, ParallelFor parallel_for,
                                         const Answer& answer, const Forget& forget,
                                         const Ahead& ahead) {
  if (hasLimit(options)) {
    LimitedRun run(options, BatchMemory::outcomes(batch));
    run.run(count, parallel_for, answer, forget);
    batch.completed = run.completed();
    batch.stats = run.stats();
    batch.errors = run.takeErrors();
    return run.stepsOfCut();
  }
  BatchStats stats(BatchMemory::taskStats(batch), count);
  ErrorCollector errors;
  answerAll(count, parallel_for, [&](std::size_t begin, std::size_t end, bool in_order) {
    QueryStats& of_task = stats.beginTask(begin);
    const auto answer_one = [&](std::size_t i, const AheadOutcome* known) {
      QueryStats of_query;
      absl::Status status = answer(i, options, of_query, known);
      of_task += of_query;
      if (!status.ok()) errors.add(i, std::move(status));
    };
    const std::uint64_t rest = in_order ? kAllQueries : ahead(begin, end, of_task, answer_one);
    for (std::size_t i = begin; i < end; ++i) {
      if (hasBit(rest, static_cast<int>(i - begin))) answer_one(i, nullptr);
    }
  });
  batch.completed = count;
  batch.stats = stats.sum();
  batch.errors = errors.take();
  return std::nullopt;
}

// Reports the queries of a batch that were started. `answer(i)` returns the ObservedAnswer of query
// i, if the query has no error.
template <class Batch, class Answer>
void observeBatch(const ServiceState& state, QueryVerb verb, const BatchQueries& queries,
                  const QueryOptions& options, const Batch& batch,
                  const std::optional<std::uint64_t>& steps_of_cut, const Answer& answer) {
  FailedAnswers failed(batch.errors);
  const auto any_answer = [&](std::size_t i) {
    if (const auto error = failed.find(i)) return *error;
    return answer(i);
  };
  observeEach(state, verb, queries, 0, batch.completed, options, batch.version, any_answer);
  if (!steps_of_cut.has_value()) return;
  observeEach(state, verb, queries, batch.completed, batch.completed + 1,
              optionsOfCut(options, *steps_of_cut), batch.version, any_answer);
}

}  // namespace fractalray::internal
