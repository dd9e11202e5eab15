// SPDX-License-Identifier: Apache-2.0
// Runs a batch of shots with the outcome of the same shots one after another: optimistic
// concurrency over the edit logs of the world and the index. See batch_scheduler.cc for how.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include "../../../core/internal/edit_log.h"
#include "../../../core/parallel_for.h"
#include "../../batch.h"
#include "../search/candidate.h"
#include "../search/query_context.h"
#include "../service_state.h"
#include "../shot/candidate_stream.h"
#include "../shot/prepared_shot.h"
#include "batch_steps.h"

namespace fractalray::internal {

// A shot of the wave, prepared ahead of its commit.
struct SpeculativeShot {
  enum class State : std::uint8_t {
    kNotPrepared,  // to be run serially
    kRefused,      // has invalid arguments, whatever the world is like
    kDone,         // has no effects, and has been dispatched already
    kPrepared,     // its candidates are to be dispatched
  };
  State state = State::kNotPrepared;
  bool ran_user_code = false;  // a filter or a terminal test
  Query query;
  double reach = 1;  // the t up to which the preparation has read the world
  // For kPrepared, its candidates in the order of hits, as a range of the task's; and the times
  // that are not the default, as optionals, since they are large and few shots have them.
  std::size_t candidates_begin = 0;
  std::size_t candidates_end = 0;
  bool ends_at_last = false;        // all are known, and the last one ends the shot
  std::optional<Fraction> horizon;  // candidates are known up to here; empty if all are known
  std::optional<HitTime> resumes_at;
  std::optional<HitTime> unknown;

  void reset() {
    state = State::kNotPrepared;
    ran_user_code = false;
    horizon.reset();
    resumes_at.reset();
    unknown.reset();
  }
};

// Neighbours in a wave, prepared one after another by one thread.
struct BatchTask {
  ShotResult result;  // of the shot that is being prepared
  // The results of all shots of the task.
  std::vector<Hit> hits;
  std::vector<LevelSpan> level_spans;
  std::vector<Candidate> candidates;
};

// The memory that a batch keeps from run to run.
class BatchMemory {
 public:
  bool is_in_use = false;
  std::vector<SpeculativeShot> wave;
  std::vector<BatchTask> tasks;
  ShotResult result;              // of the shot that is being committed
  std::vector<Hit> earlier_hits;  // of the run before, after which queries may resume
  // For a shot that is kOutOfSteps, which is in `result`: true if its last hit was answered by
  // kAgain; see PreparedShot::looks_again.
  bool looks_again = false;
  std::uint64_t steps_of_cut = 0;  // the max_steps that it had

  // Return the private members of batches.
  static BatchMemory& of(ShotBatch& batch) {
    if (batch.memory_ == nullptr) batch.memory_.reset(new BatchMemory);
    return *batch.memory_;
  }
  template <class One>
  static std::vector<One>& earlier(AnswerBatch<One>& batch) {
    return batch.earlier_;
  }
  template <class One>
  static std::vector<TaskStats>& taskStats(AnswerBatch<One>& batch) {
    return batch.task_stats_;
  }
  template <class One>
  static std::vector<QueryOutcome>& outcomes(AnswerBatch<One>& batch) {
    return batch.outcomes_;
  }
};

// Returns query i, in units, or the error of its line.
using QueryAt = absl::FunctionRef<absl::StatusOr<Query>(std::size_t i)>;

class BatchScheduler {
 public:
  // Continues after the first batch.completed shots. Requires: batch.shots has one shot for each
  // query, and everything else in it belongs to these shots and to the one that is kOutOfSteps.
  BatchScheduler(const ServiceState& state, QueryAt query_at, const QueryOptions& options,
                 ShotBatch& batch, BatchMemory& memory, ParallelFor parallel_for);

  // Runs the batch until its steps run out; batch.shots is cut to the completed shots when an
  // exception passes.
  void run();

 private:
  // A wave is at most this many shots, whose candidates stay in a core's cache; fewer if effects
  // edit, since each shot is tested against each edit of its wave.
  static constexpr std::size_t kMostInWave = 1024;
  static constexpr std::size_t kMostAmongEdits = 512;
  static constexpr std::size_t kFirstWave = 256;
  static constexpr std::size_t kInTask = 32;
  // Preparing finds this many candidates at first: what it does not find is searched serially, when
  // the shot is committed.
  static constexpr std::size_t kFewAhead = 16;

  // The versions of everything that may change after the wave was prepared, as numbers that grow.
  struct Version {
    std::uint64_t world_edits = 0;
    std::uint64_t entity_edits = 0;
    std::uint64_t callback_changes = 0;
    std::uint64_t types_and_channels = 0;

    friend bool operator==(const Version&, const Version&) = default;
  };
  enum class Validity : std::uint8_t {
    kValid,     // preparing the shot again would give the same
    kStale,     // it might differ
    kAllStale,  // and so might any other shot of the wave
  };
  using Bounds = std::array<std::optional<std::pair<ChunkCoord, ChunkCoord>>, kMaxLevels>;

  // Runs shots in waves, until all are committed or the steps have run out.
  void runWaves(std::size_t queries);
  bool isCut(std::size_t number) const {
    return number < batch_.shots.size() &&
           batch_.shots[number].progress == BatchProgress::kOutOfSteps;
  }
  // Continues the shot in which the steps ran out.
  void continueCut();
  // Marks the shots that are not committed as not started.
  void leaveRest();

  Version version() const;
  // Returns the query if it is valid; else its error, which is also stored in `shot`.
  absl::StatusOr<Query> checkedQuery(std::size_t number, ShotSummary& shot) const;

  // Speculate: prepares `count` shots in parallel, from the first that has not been committed.
  void prepareWave(std::size_t count);
  void prepareTask(std::size_t number);
  void prepareShot(SpeculativeShot& speculative, std::size_t number, BatchTask& task);
  // Keeps the result of a shot that is done.
  static void keepDone(SpeculativeShot& speculative, ShotSummary& summary, BatchTask& task);

  // Validate and commit: commits shots of the wave, in order, as long as most of them are valid.
  // Returns the number of shots that had to be run again.
  std::size_t commitWave();
  Validity validity(const SpeculativeShot& speculative) const;
  // Each commits the next shot.
  void commit(const SpeculativeShot& speculative, BatchTask& task);
  void commitDone(const SpeculativeShot& speculative, const BatchTask& task);
  void commitPrepared(const SpeculativeShot& speculative, const BatchTask& task);
  void runNext();
  void rerunSerially();

  // Returns true if the box of loaded chunks of any level differs from that at the start of the
  // wave: the level spans of a shot depend on it, however far from the line.
  bool boundsHaveChanged();
  Bounds bounds() const;
  // Prefetches the wave's data of a shot, which another thread may have written.
  void prefetch(std::size_t i) const;
  // Append the next shot to the batch.
  void append(ShotSummary& shot, const ShotResult& result);
  void append(ShotSummary& shot, std::span<const Hit> hits, std::span<const LevelSpan> spans);

  const ServiceState& state_;
  QueryAt query_at_;
  const QueryOptions& options_;
  ShotBatch& batch_;
  BatchMemory& memory_;
  ParallelFor parallel_for_;
  EditLog::Watch watch_;
  BatchSteps steps_;
  std::size_t first_;           // the first query of this run
  std::size_t committed_;       // number of leading queries that are committed
  std::size_t wave_begin_ = 0;  // the first query of the wave
  Version at_begin_;            // of the wave
  Bounds bounds_at_begin_;
  std::uint64_t bounds_seen_at_ = 0;  // the count of world edits when bounds_differ_ was set
  bool bounds_differ_ = false;
};

}  // namespace fractalray::internal
