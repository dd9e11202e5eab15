// SPDX-License-Identifier: Apache-2.0
#include "batch_scheduler.h"

#include <algorithm>
#include <optional>

#include "coverage.h"
#include "query_scope.h"
#include "segment_box_filter.h"
#include "spending.h"

namespace fractalray::internal {
namespace {

bool mayMeetAny(const SegmentReach& reach, LevelMask levels, std::span<const Edit> edits) {
  return std::any_of(edits.begin(), edits.end(), [&](const Edit& edit) {
    return levels.contains(edit.level) && reach.mayMeet(edit.min, edit.max);
  });
}

// The time up to which a shot that has been gathered has looked at the world.
double reachOf(const ShotOptions& options, const CandidateList& candidates) {
  const Candidate* const last = candidates.last();
  if (last == nullptr || options.report_unknown || options.stop_at_unknown) return 1;
  return std::min(1.0, last->time.toDouble() * (1 + 0x1p-40));
}

template <class T>
void appendAll(std::vector<T>& to, std::span<const T> items, std::size_t& begin, std::size_t& end) {
  begin = to.size();
  to.insert(to.end(), items.begin(), items.end());
  end = to.size();
}

// All of a shot but its status and its hits and level parts, from one form to the other.
template <class From, class To>
void copySummary(const From& from, To& to) {
  to.version = from.version;
  to.segment = from.segment;
  to.terminated = from.terminated;
  to.truncated = from.truncated;
  to.budgets = from.budgets;
  to.stopped_at = from.stopped_at;
  to.unknown_from = from.unknown_from;
  to.stats = from.stats;
}

// Cuts the shots to those that were told, whatever ends the batch.
class CutAtEnd {
 public:
  CutAtEnd(std::vector<BatchShot>& shots, const std::size_t& told) : shots_(shots), told_(told) {}
  ~CutAtEnd() { shots_.erase(shots_.begin() + static_cast<std::ptrdiff_t>(told_), shots_.end()); }
  CutAtEnd(const CutAtEnd&) = delete;
  CutAtEnd& operator=(const CutAtEnd&) = delete;

 private:
  std::vector<BatchShot>& shots_;
  const std::size_t& told_;
};

}  // namespace

ShotBatchRun::ShotBatchRun(const RayQueryService& service, QueryAt query_at,
                           const ShotOptions& options, ShotBatch& batch, BatchMemory& memory,
                           ParallelFor parallel_for)
    : service_(service),
      query_at_(query_at),
      options_(options),
      batch_(batch),
      memory_(memory),
      parallel_for_(parallel_for),
      watch_world_(service.world_.edits()),
      watch_entities_(service.entities_.edits()) {}

void ShotBatchRun::run() {
  const std::size_t queries = batch_.shots.size();
  const CutAtEnd cut_at_end(batch_.shots, told_);
  std::size_t size = kFirstWave;
  while (told_ < queries) {
    if (size == 1) {
      shootInTurn();
      size = 2;
      continue;
    }
    const std::size_t count = std::min(size, queries - told_);
    beginWave(count);
    const std::size_t in_turn = tellWave();
    // Waves are as long as what they gather stays good.
    const std::size_t told = told_ - wave_begin_;
    const bool stayed_good = told == count && in_turn <= told / 4;
    const std::size_t most = version() == at_begin_ ? kMostInWave : kMostAmongEdits;
    size = stayed_good ? std::min(2 * size, most) : std::max<std::size_t>(told / 2, 1);
  }
}

ShotBatchRun::Version ShotBatchRun::version() const {
  const BlockTypeTable& types = service_.world_.blockTypes();
  return {.world_edits = service_.world_.edits().count(),
          .entity_edits = service_.entities_.edits().count(),
          .callback_changes =
              service_.block_callbacks_.changes() + service_.entity_callbacks_.changes(),
          .types_and_channels = types.size() + types.channels()};
}

absl::StatusOr<UnitQuery> ShotBatchRun::checkedQuery(std::size_t number, BatchShot& shot) const {
  absl::StatusOr<UnitQuery> query = query_at_(number);
  if (query.ok()) {
    absl::Status status = service_.check(query->segment, query->levels, options_.channel);
    if (status.ok()) return query;
    shot = BatchShot();
    shot.segment = query->segment;
    shot.status = std::move(status);
  } else {
    shot = BatchShot();
    shot.status = query.status();
  }
  return shot.status;
}

void ShotBatchRun::beginWave(std::size_t count) {
  const std::size_t tasks = (count + kInTask - 1) / kInTask;
  if (memory_.tasks.size() < tasks) memory_.tasks.resize(tasks);
  memory_.wave.resize(count);
  wave_begin_ = told_;
  at_begin_ = version();
  bounds_at_begin_ = bounds();
  bounds_seen_at_ = at_begin_.world_edits;
  bounds_differ_ = false;
  parallel_for_(tasks, [this](std::size_t number) { beginTask(number); });
}

void ShotBatchRun::beginTask(std::size_t number) {
  BatchTask& task = memory_.tasks[number];
  task.hits.clear();
  task.level_parts.clear();
  task.candidates.clear();
  const std::size_t end = std::min((number + 1) * kInTask, memory_.wave.size());
  for (std::size_t i = number * kInTask; i < end; ++i) {
    memory_.wave[i].reset();
    try {
      begin(memory_.wave[i], wave_begin_ + i, task);
    } catch (...) {
      // Of a filter or a predicate. It is for the shot's turn to throw it.
      memory_.wave[i].state = BegunQuery::State::kNotBegun;
    }
  }
}

void ShotBatchRun::begin(BegunQuery& begun, std::size_t number, BatchTask& task) {
  BatchShot& shot = batch_.shots[number];
  const absl::StatusOr<UnitQuery> query = checkedQuery(number, shot);
  if (!query.ok()) {
    begun.state = BegunQuery::State::kRefused;
    return;
  }
  const ShotUnderWay under_way;
  Scene scene = service_.shotScene(*query, options_);
  scene.has_asked = &begun.has_asked;
  shot.status = beginShot(scene, under_way.scratch(), task.result, begun.shot);
  copySummary(task.result, shot);
  appendAll<Hit>(task.hits, task.result.hits, shot.hits_begin, shot.hits_end);
  appendAll<LevelPart>(task.level_parts, task.result.level_parts, shot.parts_begin, shot.parts_end);
  const std::span<const Candidate> candidates = under_way.scratch().candidates.all();
  begun.levels = scene.levels;
  begun.reach = reachOf(options_, under_way.scratch().candidates);
  if (begun.shot.first_effect.has_value()) {
    // What becomes of the unknown behind max_hits depends on where effects end the shot.
    if (shot.truncated && (options_.report_unknown || options_.stop_at_unknown)) return;
    // Behind a single one there is nothing to go on with.
    const auto from_effect = candidates.subspan(*begun.shot.first_effect);
    if (from_effect.size() > 1 || begun.shot.unknown.has_value()) {
      appendAll(task.candidates, from_effect, begun.candidates_begin, begun.candidates_end);
    }
  }
  begun.state = BegunQuery::State::kBegun;
}

std::size_t ShotBatchRun::tellWave() {
  std::size_t in_turn = 0;
  for (std::size_t i = 0; i < memory_.wave.size(); ++i) {
    constexpr std::size_t kAhead = 8;
    prefetch(i + kAhead);
    const BegunQuery& begun = memory_.wave[i];
    const Freshness fresh = freshness(begun);
    if (fresh == Freshness::kFresh) {
      tellBegun(begun, memory_.tasks[i / kInTask]);
      continue;
    }
    // The first one is told whatever has happened, so that every wave has an end.
    if (fresh == Freshness::kAllStale && i > 0) break;
    shootInTurn();
    ++in_turn;
    // To gather the rest anew, by all threads, is better than one by one.
    constexpr std::size_t kSome = 16;
    if (in_turn > kSome && in_turn > i / 2) break;
  }
  return in_turn;
}

ShotBatchRun::Freshness ShotBatchRun::freshness(const BegunQuery& begun) const {
  if (begun.state == BegunQuery::State::kNotBegun) return Freshness::kStale;
  if (begun.state == BegunQuery::State::kRefused) return Freshness::kFresh;
  const Version now = version();
  if (now == at_begin_) return Freshness::kFresh;
  if (now.callback_changes != at_begin_.callback_changes) return Freshness::kAllStale;
  // Steps are spent on what is beside the line, too.
  if (options_.max_steps != ShotOptions().max_steps) return Freshness::kAllStale;
  if (begun.has_asked) return Freshness::kStale;
  const auto world_edits = service_.world_.edits().since(at_begin_.world_edits);
  const auto entity_edits = service_.entities_.edits().since(at_begin_.entity_edits);
  if (!world_edits.has_value() || !entity_edits.has_value()) return Freshness::kAllStale;
  const SegmentReach reach(batch_.shots[told_].segment, begun.reach);
  const bool may_differ = mayMeetAny(reach, begun.levels, *world_edits) ||
                          mayMeetAny(reach, begun.levels, *entity_edits);
  return may_differ ? Freshness::kStale : Freshness::kFresh;
}

void ShotBatchRun::tellBegun(const BegunQuery& begun, BatchTask& task) {
  BatchShot& shot = batch_.shots[told_];
  shot.version = service_.version();
  const auto hits = std::span(task.hits).subspan(shot.hits_begin, shot.hits_end - shot.hits_begin);
  std::span<const LevelPart> parts =
      std::span(task.level_parts).subspan(shot.parts_begin, shot.parts_end - shot.parts_begin);
  if (begun.state == BegunQuery::State::kRefused) return append(shot, hits, parts);
  if (boundsHaveChanged()) {
    const absl::StatusOr<UnitQuery> query = query_at_(told_);
    findLevelParts(service_.shotScene(*query, options_), memory_.shot.level_parts);
    parts = memory_.shot.level_parts;
  }
  if (!begun.shot.first_effect.has_value()) return append(shot, hits, parts);
  append(shot, callEffects(begun, hits, parts, task), parts);
}

std::span<const Hit> ShotBatchRun::callEffects(const BegunQuery& begun, std::span<Hit> hits,
                                               std::span<const LevelPart> parts,
                                               const BatchTask& task) {
  BatchShot& shot = batch_.shots[told_];
  const ShotUnderWay under_way;
  const Version before = version();
  const std::size_t first = *begun.shot.first_effect;
  const auto candidates =
      std::span(task.candidates)
          .subspan(begun.candidates_begin, begun.candidates_end - begun.candidates_begin);
  for (std::size_t i = first; i < hits.size(); ++i) {
    const HitResponse response = callEffect(hits[i]);
    if (isTerminal(hits[i])) break;  // the last one
    if (response == HitResponse::kStop) {
      std::visit([](auto& hit) { hit.terminal = true; }, hits[i]);
      shot.terminated = true;
      shot.truncated = false;
      takeBackBudgets(hits.first(i + 1));
      const std::optional<HitTime>& unknown = begun.shot.unknown;
      if (unknown.has_value() && !(*unknown < candidates[i - first].time)) {
        shot.unknown_from.reset();
      }
      return hits.first(i + 1);
    }
    if (i - first + 1 >= candidates.size() || version() == before) continue;
    const auto behind = candidates.subspan(i - first + 1);
    ShotResult& result = memory_.shot;
    takeBackBudgets(hits.first(i + 1));
    copySummary(shot, result);
    result.terminated = false;
    result.truncated = false;
    result.unknown_from.reset();
    result.hits.assign(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(i + 1));
    result.level_parts.assign(parts.begin(), parts.end());
    under_way.scratch().candidates.assign(behind);
    const absl::StatusOr<UnitQuery> query = query_at_(told_);
    shot.status =
        finishShot(service_.shotScene(*query, options_), under_way.scratch(), result, begun.shot);
    copySummary(result, shot);
    return result.hits;
  }
  return hits;
}

void ShotBatchRun::takeBackBudgets(std::span<const Hit> told) {
  if (options_.rules == nullptr) return;
  BatchShot& shot = batch_.shots[told_];
  const absl::StatusOr<UnitQuery> query = query_at_(told_);
  // What has been overdrawn stays in the memory's shot, for the shot to continue with.
  spendOn(service_.shotScene(*query, options_), told, memory_.shot);
  shot.budgets = memory_.shot.budgets;
  shot.stopped_at.reset();
}

ShotBatchRun::Bounds ShotBatchRun::bounds() const {
  Bounds bounds;
  const World& world = service_.world_;
  for (int level = 0; level < world.frame().levels(); ++level) {
    const ChunkBounds& loaded = world.level(level).bounds();
    if (loaded.empty()) continue;
    bounds[static_cast<std::size_t>(level)].emplace(loaded.min(), loaded.max());
  }
  return bounds;
}

bool ShotBatchRun::boundsHaveChanged() {
  const std::uint64_t edits = service_.world_.edits().count();
  if (edits != bounds_seen_at_) {
    bounds_seen_at_ = edits;
    bounds_differ_ = bounds() != bounds_at_begin_;
  }
  return bounds_differ_;
}

void ShotBatchRun::prefetch(std::size_t i) const {
  if (i >= memory_.wave.size()) return;
  const BatchShot& shot = batch_.shots[wave_begin_ + i];
  const std::vector<Hit>& hits = memory_.tasks[i / kInTask].hits;
  __builtin_prefetch(&memory_.wave[i]);
  __builtin_prefetch(&shot.hits_begin);
  // Of the hits it is known only roughly where they are: as many as shots before it in its task.
  const std::size_t guess = hits.size() * (i % kInTask) / kInTask;
  if (guess < hits.size()) __builtin_prefetch(&hits[guess]);
}

HitResponse ShotBatchRun::callEffect(const Hit& hit) const {
  if (const auto* block = std::get_if<BlockHit>(&hit)) {
    return service_.block_callbacks_.callEffect(block->type, *block);
  }
  const auto& entity = std::get<EntityHit>(hit);
  return service_.entity_callbacks_.callEffect(entity.entity_class, entity);
}

void ShotBatchRun::shootInTurn() {
  BatchShot& shot = batch_.shots[told_];
  ++batch_.gathered_in_turn;
  const absl::StatusOr<UnitQuery> query = checkedQuery(told_, shot);
  shot.version = service_.version();
  if (!query.ok()) return append(shot, {}, {});
  const ShotUnderWay under_way;
  ShotResult& result = memory_.shot;
  shot.status = runShot(service_.shotScene(*query, options_), under_way.scratch(), result);
  copySummary(result, shot);
  append(shot, result.hits, result.level_parts);
}

void ShotBatchRun::append(BatchShot& shot, std::span<const Hit> hits,
                          std::span<const LevelPart> parts) {
  appendAll(batch_.hits, hits, shot.hits_begin, shot.hits_end);
  appendAll(batch_.level_parts, parts, shot.parts_begin, shot.parts_end);
  ++told_;
}

}  // namespace fractalray::internal
