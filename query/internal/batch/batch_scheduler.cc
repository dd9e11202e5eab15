// SPDX-License-Identifier: Apache-2.0
//
// A batch has to end as if its shots had been shot one after another, though effects of one shot
// may edit the blocks and entities that the next one hits. Shots are therefore run as optimistic
// transactions, wave by wave:
//
//   speculate   Many threads prepare the shots of a wave on the world as it is: they find the first
//               candidates (CandidateStream). Preparing only reads, and calls no effect. Shots
//               without effects are dispatched at once, since that only reads, too.
//   validate    The caller's thread takes the shots in order. A shot is valid if preparing it now
//               would read the same as before: no box in the edit logs of the world and the index,
//               since the wave began, may touch the part of its line that was read
//               (SegmentBoxFilter: conservative, never a false negative). Filters and terminal
//               tests may have read anything, so a shot that ran one is valid only if nothing was
//               edited.
//   commit      A valid shot is dispatched, which calls its effects; these may edit. If its first
//               candidates do not end the shot, it finds the others now.
//   retry       Any other shot is run again, serially. If most of a wave is stale, the rest of the
//               wave is dropped and prepared again by all threads, in a smaller wave.
//
// The first shot of a wave is always committed, so a batch ends whatever its effects do. The
// serial order of effects, versions and errors follows from commits being in order; tests compare
// batches with serial runs call for call (tests/query/batch_property_test.cc).
#include "batch_scheduler.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "../../../core/internal/access.h"
#include "../../../entities/internal/entity_store.h"
#include "../../../levels/internal/world_content.h"
#include "../query_scope.h"
#include "../search/coverage.h"
#include "../search/segment_box_filter.h"
#include "../shot/dispatcher.h"
#include "../shot/spending.h"
#include "batch_queries.h"
#include "batch_reach.h"

namespace fractalray::internal {
namespace {

bool mayMeetAny(const SegmentBoxFilter& filter, LevelMask levels, std::span<const Edit> edits) {
  return std::any_of(edits.begin(), edits.end(), [&](const Edit& edit) {
    return levels.contains(edit.level) && filter.mayMeet(edit.min, edit.max);
  });
}

template <class T>
void appendAll(std::vector<T>& to, std::span<const T> items, std::size_t& begin, std::size_t& end) {
  begin = to.size();
  to.insert(to.end(), items.begin(), items.end());
  end = to.size();
}

}  // namespace

BatchScheduler::BatchScheduler(const ServiceState& state, QueryAt query_at,
                               const QueryOptions& options, ShotBatch& batch, BatchMemory& memory,
                               ParallelFor parallel_for)
    : state_(state),
      query_at_(query_at),
      options_(options),
      batch_(batch),
      memory_(memory),
      parallel_for_(parallel_for),
      steps_(options),
      first_(batch.completed),
      committed_(batch.completed) {}

void BatchScheduler::run() {
  const std::size_t queries = batch_.shots.size();
  absl::Cleanup cut_at_end = [this] {
    batch_.shots.resize(committed_);
    batch_.completed = committed_;
  };
  if (isCut(committed_) && !steps_.areUsedUp()) continueCut();
  runWaves(queries);
  std::move(cut_at_end).Cancel();
  leaveRest();
}

void BatchScheduler::runWaves(std::size_t queries) {
  std::size_t size = kFirstWave;
  while (committed_ < queries && !steps_.areUsedUp()) {
    if (size == 1) {
      rerunSerially();
      size = 2;
      continue;
    }
    const std::size_t count =
        std::min(steps_.queriesAhead(committed_ - first_, kInTask, size), queries - committed_);
    prepareWave(count);
    const std::size_t reruns = commitWave();
    // Waves grow while the shots that they prepare stay valid.
    const std::size_t committed = committed_ - wave_begin_;
    const bool stayed_valid = committed == count && reruns <= committed / 4;
    const std::size_t most = version() == at_begin_ ? kMostInWave : kMostAmongEdits;
    size = stayed_valid ? std::min(2 * size, most) : std::max<std::size_t>(committed / 2, 1);
  }
}

void BatchScheduler::leaveRest() {
  std::size_t& completed = batch_.completed;
  completed = committed_;
  if (completed > 0 && isCut(completed - 1)) --completed;
  memory_.steps_of_cut = steps_.ofCut().value_or(0);
  // If there were no steps at all, a shot that was cut before stays cut.
  for (std::size_t i = committed_ + (isCut(committed_) ? 1 : 0); i < batch_.shots.size(); ++i) {
    ShotSummary& shot = batch_.shots[i];
    shot = ShotSummary();
    shot.progress = BatchProgress::kNotStarted;
    shot.status = absl::ResourceExhaustedError(
        absl::StrCat("not started: the batch took its ", options_.max_batch_steps,
                     " steps before; continue with it in a new batch, or raise max_batch_steps"));
    shot.hits_begin = shot.hits_end = batch_.hits.size();
    shot.spans_begin = shot.spans_end = batch_.level_spans.size();
  }
}

BatchScheduler::Version BatchScheduler::version() const {
  const BlockTypeTable& types = state_.world.blockTypes();
  return {.world_edits = Access::content(state_.world).edits.count(),
          .entity_edits = Access::store(state_.entities).edits().count(),
          .callback_changes = state_.callbacks.changes(),
          .types_and_channels = types.size() + types.channels()};
}

absl::StatusOr<Query> BatchScheduler::checkedQuery(std::size_t number, ShotSummary& shot) const {
  absl::StatusOr<Query> query = query_at_(number);
  absl::Status status = query.ok() ? state_.check(*query, options_.filter.channel) : query.status();
  if (status.ok()) status = checkBudgets(options_, query->budgets);
  if (status.ok()) return query;
  shot = ShotSummary();
  if (query.ok()) shot.segment = query->segment;
  shot.status = std::move(status);
  return shot.status;
}

void BatchScheduler::prepareWave(std::size_t count) {
  const std::size_t tasks = (count + kInTask - 1) / kInTask;
  if (memory_.tasks.size() < tasks) memory_.tasks.resize(tasks);
  memory_.wave.resize(count);
  wave_begin_ = committed_;
  at_begin_ = version();
  bounds_at_begin_ = bounds();
  bounds_seen_at_ = at_begin_.world_edits;
  bounds_differ_ = false;
  // A task that parallel_for leaves out must not leave shots of an earlier wave.
  for (SpeculativeShot& speculative : memory_.wave)
    speculative.reset();
  parallel_for_(tasks, [this](std::size_t number) { prepareTask(number); });
}

void BatchScheduler::prepareTask(std::size_t number) {
  BatchTask& task = memory_.tasks[number];
  task.hits.clear();
  task.level_spans.clear();
  task.candidates.clear();
  const std::size_t end = std::min((number + 1) * kInTask, memory_.wave.size());
  for (std::size_t i = number * kInTask; i < end; ++i) {
    try {
      prepareShot(memory_.wave[i], wave_begin_ + i, task);
    } catch (...) {
      // From a filter or a terminal test: the serial run of the shot throws it again.
      memory_.wave[i].state = SpeculativeShot::State::kNotPrepared;
    }
  }
}

void BatchScheduler::prepareShot(SpeculativeShot& speculative, std::size_t number,
                                 BatchTask& task) {
  ShotSummary& summary = batch_.shots[number];
  const absl::StatusOr<Query> query = checkedQuery(number, summary);
  if (!query.ok()) {
    speculative.state = SpeculativeShot::State::kRefused;
    return;
  }
  speculative.query = *query;
  const QueryScope scope;
  PreparedShot& shot = scope.shot();
  ShotResult& result = task.result;
  QueryContext context = state_.shotContext(*query, options_);
  context.ran_user_code = &speculative.ran_user_code;
  // Later slices are searched serially.
  if (!steps_.areCounted()) context.few = kFewAhead;
  startResult(context, result);
  summary.status = absl::OkStatus();
  DirectResult direct;
  if (answerDirectly(context, shot, direct, result)) {
    speculative.reach = reachOf(context, direct);
    return keepDone(speculative, summary, task);
  }
  CandidateStream stream(context, shot, result.stats);
  summary.status = stream.begin(direct);
  const bool is_whole = stream.isComplete() && stream.status().ok();
  if (summary.status.ok() && context.mayCallEffects() &&
      (!is_whole || hasEffects(context, shot.candidates().settled()))) {
    // Its later slices would take other steps than those of the single shot.
    if (!is_whole && steps_.areCounted()) return;
    summary.segment = query->segment;
    summary.stats = result.stats;
    speculative.reach = reachOf(context, stream);
    speculative.horizon = stream.horizon();
    speculative.resumes_at = shot.resumes_at;
    speculative.unknown = shot.unknown;
    speculative.ends_at_last = stream.isComplete() && shot.candidates().last() != nullptr;
    appendAll(task.candidates, shot.candidates().takeSettled(), speculative.candidates_begin,
              speculative.candidates_end);
    speculative.state = SpeculativeShot::State::kPrepared;
    return;
  }
  if (summary.status.ok()) summary.status = dispatch(context, stream, result);
  speculative.reach = reachOf(context, stream);
  keepDone(speculative, summary, task);
}

void BatchScheduler::keepDone(SpeculativeShot& speculative, ShotSummary& summary, BatchTask& task) {
  const ShotResult& result = task.result;
  static_cast<Answer&>(summary) = result;
  appendAll<Hit>(task.hits, result.hits, summary.hits_begin, summary.hits_end);
  appendAll<LevelSpan>(task.level_spans, result.level_spans, summary.spans_begin,
                       summary.spans_end);
  speculative.state = SpeculativeShot::State::kDone;
}

std::size_t BatchScheduler::commitWave() {
  std::size_t reruns = 0;
  for (std::size_t i = 0; i < memory_.wave.size(); ++i) {
    constexpr std::size_t kAhead = 8;
    prefetch(i + kAhead);
    if (steps_.areUsedUp()) break;
    const SpeculativeShot& speculative = memory_.wave[i];
    const Validity valid = validity(speculative);
    if (valid == Validity::kValid && !steps_.cover(batch_.shots[committed_].stats)) {
      runNext();
      continue;
    }
    if (valid == Validity::kValid) {
      commit(speculative, memory_.tasks[i / kInTask]);
      continue;
    }
    if (valid == Validity::kAllStale && i > 0) break;
    rerunSerially();
    ++reruns;
    // Preparing the rest again in parallel is better than running it shot by shot.
    constexpr std::size_t kSome = 16;
    if (reruns > kSome && reruns > i / 2) break;
  }
  return reruns;
}

BatchScheduler::Validity BatchScheduler::validity(const SpeculativeShot& speculative) const {
  if (speculative.state == SpeculativeShot::State::kNotPrepared) return Validity::kStale;
  if (speculative.state == SpeculativeShot::State::kRefused) return Validity::kValid;
  const Version now = version();
  if (now == at_begin_) return Validity::kValid;
  if (now.callback_changes != at_begin_.callback_changes) return Validity::kAllStale;
  // Steps are also spent on blocks and entities next to the line.
  if (steps_.areCounted()) return Validity::kAllStale;
  if (speculative.ran_user_code) return Validity::kStale;
  const auto world_edits = Access::content(state_.world).edits.since(at_begin_.world_edits);
  const auto entity_edits = Access::store(state_.entities).edits().since(at_begin_.entity_edits);
  if (!world_edits.has_value() || !entity_edits.has_value()) return Validity::kAllStale;
  const Query& query = speculative.query;
  const SegmentBoxFilter filter(query.segment, speculative.reach);
  const bool may_differ = mayMeetAny(filter, query.levels, *world_edits) ||
                          mayMeetAny(filter, query.levels, *entity_edits);
  return may_differ ? Validity::kStale : Validity::kValid;
}

void BatchScheduler::commit(const SpeculativeShot& speculative, BatchTask& task) {
  ShotSummary& shot = batch_.shots[committed_];
  switch (speculative.state) {
    case SpeculativeShot::State::kDone:
      return commitDone(speculative, task);
    case SpeculativeShot::State::kPrepared:
      return commitPrepared(speculative, task);
    default:
      shot.version = state_.version();
      return append(shot, {}, {});
  }
}

void BatchScheduler::commitDone(const SpeculativeShot& speculative, const BatchTask& task) {
  ShotSummary& shot = batch_.shots[committed_];
  shot.version = state_.version();
  const auto hits = std::span(task.hits).subspan(shot.hits_begin, shot.hits_end - shot.hits_begin);
  std::span<const LevelSpan> spans =
      std::span(task.level_spans).subspan(shot.spans_begin, shot.spans_end - shot.spans_begin);
  if (options_.report_level_spans && boundsHaveChanged()) {
    findLevelSpans(state_.shotContext(speculative.query, options_), memory_.result.level_spans);
    spans = memory_.result.level_spans;
  }
  append(shot, hits, spans);
}

void BatchScheduler::commitPrepared(const SpeculativeShot& speculative, const BatchTask& task) {
  ShotSummary& summary = batch_.shots[committed_];
  const QueryScope scope;
  PreparedShot& shot = scope.shot();
  shot.resumes_at = speculative.resumes_at;
  shot.unknown = speculative.unknown;
  shot.looks_again = false;
  const QueryContext context = state_.shotContext(speculative.query, steps_.optionsOfNext());
  ShotResult& result = memory_.result;
  startResult(context, result);
  result.stats = summary.stats;
  CandidateStream stream(context, shot, result.stats);
  stream.beginWith(std::span(task.candidates)
                       .subspan(speculative.candidates_begin,
                                speculative.candidates_end - speculative.candidates_begin),
                   speculative.ends_at_last, speculative.horizon);
  summary.status = dispatch(context, stream, result);
  memory_.looks_again = shot.looks_again;
  append(summary, result);
}

void BatchScheduler::rerunSerially() {
  ++batch_.reruns;
  runNext();
}

void BatchScheduler::runNext() {
  ShotSummary& summary = batch_.shots[committed_];
  const absl::StatusOr<Query> query = checkedQuery(committed_, summary);
  summary.version = state_.version();
  if (!query.ok()) return append(summary, {}, {});
  const QueryScope scope;
  ShotResult& result = memory_.result;
  summary.status =
      runShot(state_.shotContext(*query, steps_.optionsOfNext()), scope.shot(), result);
  memory_.looks_again = scope.shot().looks_again;
  append(summary, result);
}

void BatchScheduler::continueCut() {
  ShotSummary& summary = batch_.shots[committed_];
  const QueryStats before = summary.stats;
  batch_.hits.resize(summary.hits_begin);
  batch_.level_spans.resize(summary.spans_begin);
  summary.progress = BatchProgress::kDone;
  const absl::StatusOr<Query> query = checkedQuery(committed_, summary);
  if (!query.ok()) return append(summary, {}, {});
  const QueryScope scope;
  ShotResult& result = memory_.result;
  if (!result.hits.empty() && state_.hasMovedSince(result.version)) {
    summary.status = frameHasMoved();
    result.stats = {};
  } else {
    summary.status = continueShot(state_.shotContext(*query, steps_.optionsOfNext()),
                                  memory_.looks_again, scope.shot(), result);
    memory_.looks_again = scope.shot().looks_again;
  }
  append(summary, result);
  summary.stats += before;
}

BatchScheduler::Bounds BatchScheduler::bounds() const {
  Bounds bounds;
  const World& world = state_.world;
  for (int level = 0; level < world.frame().levels(); ++level) {
    const ChunkBounds& loaded = Access::content(world).level(level).bounds();
    if (loaded.empty()) continue;
    bounds[static_cast<std::size_t>(level)].emplace(loaded.min(), loaded.max());
  }
  return bounds;
}

bool BatchScheduler::boundsHaveChanged() {
  const std::uint64_t edits = Access::content(state_.world).edits.count();
  if (edits != bounds_seen_at_) {
    bounds_seen_at_ = edits;
    bounds_differ_ = bounds() != bounds_at_begin_;
  }
  return bounds_differ_;
}

void BatchScheduler::prefetch(std::size_t i) const {
  if (i >= memory_.wave.size()) return;
  const BatchTask& task = memory_.tasks[i / kInTask];
  __builtin_prefetch(&memory_.wave[i]);
  __builtin_prefetch(&batch_.shots[wave_begin_ + i].hits_begin);
  // Guesses the position of its hits and candidates, as if all shots of its task had equally many.
  const auto prefetch_share = [&](const auto& items) {
    const std::size_t guess = items.size() * (i % kInTask) / kInTask;
    if (guess < items.size()) __builtin_prefetch(&items[guess]);
  };
  prefetch_share(task.hits);
  prefetch_share(task.candidates);
}

void BatchScheduler::append(ShotSummary& shot, const ShotResult& result) {
  static_cast<Answer&>(shot) = result;
  append(shot, result.hits, result.level_spans);
}

void BatchScheduler::append(ShotSummary& shot, std::span<const Hit> hits,
                            std::span<const LevelSpan> spans) {
  const bool is_cut = steps_.take(shot.status, shot.stats);
  appendAll(batch_.hits, hits, shot.hits_begin, shot.hits_end);
  appendAll(batch_.level_spans, spans, shot.spans_begin, shot.spans_end);
  ++committed_;
  shot.progress = is_cut ? BatchProgress::kOutOfSteps : BatchProgress::kDone;
}

}  // namespace fractalray::internal
