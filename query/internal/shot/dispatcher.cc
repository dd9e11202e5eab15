// SPDX-License-Identifier: Apache-2.0
#include "dispatcher.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "../../../core/check.h"
#include "../search/coverage.h"
#include "hit_times.h"
#include "inside_hit.h"
#include "resume_point.h"
#include "spending.h"

namespace fractalray::internal {
namespace {

// Sets everything in a result but its hits.
void startSummary(const QueryContext& context, const std::optional<Spending>& spending,
                  ShotResult& result) {
  result.version = context.version();
  result.segment = context.line.segment();
  result.terminated = false;
  result.truncated = false;
  result.budgets.reset();
  if (context.options.rules != nullptr) {
    putSpending(spending.has_value() ? *spending : startOf(context), result);
  }
  result.stopped_at.reset();
  result.unknown_from.reset();
  result.stats = {};
  findLevelSpans(context, result.level_spans);
}

// Returns the candidate after which a shot finds its hits if it begins again at `time`: the start
// of that time or, if the query resumes after a hit of exactly that time, that hit.
Candidate startOfAgain(const QueryContext& context, const PreparedShot& shot, const HitTime& time) {
  if (!context.after.empty() && shot.resumes_at == time) {
    absl::StatusOr<Candidate> after = candidateFromHit(context.after.back(), context);
    if (after.ok() && after->time == time) return *std::move(after);
  }
  return Candidate::startOf(time);
}

// Lets a list have one more hit without memory: called before its cost is charged, so that neither
// has happened if memory runs out.
void growForOne(std::vector<Hit>& hits) {
  if (hits.size() == hits.capacity()) hits.reserve(2 * hits.size() + 1);
}

// Returns the stronger of two responses: kStop before kAgain before kContinue.
HitResponse stronger(HitResponse a, HitResponse b) {
  if (a == HitResponse::kStop || b == HitResponse::kStop) return HitResponse::kStop;
  return a == HitResponse::kAgain ? a : b;
}

}  // namespace

Dispatcher::Dispatcher(const QueryContext& context, CandidateStream& stream, ShotResult& result,
                       std::vector<Charge>* charges)
    : context_(context),
      stream_(stream),
      result_(result),
      charges_(charges),
      hits_before_(result.hits.size()),
      hits_at_begin_(result.hits.size()),
      frame_moves_(context.frameMoves()),
      end_(context.line.end()) {
  FRACTALRAY_DCHECK(context.callbacks != nullptr);
}

bool Dispatcher::reportNext() {
  const Candidate* const next = stream_.next();
  if (next == nullptr) {
    status_ = stream_.status();
    return false;
  }
  // A copy: an effect that edits makes the stream read ahead.
  Candidate candidate = *next;
  const bool was_to_end = candidate.terminal;
  const HitResponse response = report(candidate);
  if (response == HitResponse::kStop) return false;
  if (std::exchange(is_reshaped_, false)) {
    beginAgain();
    return status_.ok();
  }
  if (response == HitResponse::kAgain) {
    beginAfter(startOfAgain(context_, stream_.shot(), candidate.time));
  } else if (was_to_end) {
    beginAfter(candidate);
  }
  return status_.ok();
}

void Dispatcher::beginAfter(const Candidate& candidate) {
  end_ = HitTime(context_.line.end());
  hits_at_begin_ = result_.hits.size();
  status_ = stream_.beginAfter(candidate, candidate.time, result_.hits);
}

void Dispatcher::beginAgain() {
  if (result_.hits.size() == hits_at_begin_) {
    status_ = stream_.beginAgain();
    return;
  }
  const absl::StatusOr<Candidate> last = candidateFromHit(result_.hits.back(), context_);
  if (last.ok()) {
    beginAfter(*last);
  } else {
    status_ = last.status();
  }
}

bool Dispatcher::reportQuietly() {
  const Candidate* const next = stream_.next();
  if (next == nullptr) {
    status_ = stream_.status();
    return false;
  }
  if (result_.hits.size() - hits_before_ >= context_.options.max_hits) {
    result_.truncated = true;
    return false;
  }
  Hit hit = context_.hitOf(*next);
  growForOne(result_.hits);
  if (context_.options.rules != nullptr && !hit.terminal) charge(hit);
  result_.hits.push_back(hit);
  stream_.shot().looks_again = false;
  if (!hit.terminal) return true;
  result_.terminated = true;
  end_ = next->time;
  return false;
}

absl::Status Dispatcher::run() {
  if (context_.mayCallEffects()) {
    while (reportNext()) {
    }
  } else {
    while (reportQuietly()) {
    }
  }
  return finish();
}

absl::Status Dispatcher::finish() {
  if (!status_.ok()) return status_;
  PreparedShot& shot = stream_.shot();
  // A shot that max_hits cut has no terminal hit, whatever has been found: it ends with the line.
  if (result_.truncated) {
    status_ = stream_.findUnknownToEnd();
    if (!status_.ok()) return status_;
  }
  result_.unknown_from.reset();
  if (shot.unknown.has_value() && *shot.unknown < end_) {
    result_.unknown_from = shot.unknown->toDouble();
  }
  // Past the last candidate, status_ is that of the stream; max_hits may have cut the shot before.
  return result_.truncated ? stream_.status() : absl::OkStatus();
}

HitResponse Dispatcher::report(Candidate& candidate) {
  return candidate.isBlock() ? reportBlock(candidate) : reportEntity(candidate);
}

HitResponse Dispatcher::reportBlock(Candidate& candidate) {
  const Chunk* const chunk = context_.world.chunk(candidate.level, chunkOf(candidate.block));
  if (chunk == nullptr) return HitResponse::kContinue;
  const int index = indexInChunk(candidate.block);
  const BlockKind kind = context_.kindOf(candidate.level, *chunk, index);
  if (kind == BlockKind::kEmpty) return HitResponse::kContinue;
  if (const BlockTypeId type = chunk->block(index); type != candidate.type) {
    if (context_.shapeOf(type) != context_.shapeOf(candidate.type)) {
      is_reshaped_ = true;
      return HitResponse::kContinue;
    }
    candidate.type = type;
    if (!context_.classifyBlock(candidate, kind)) return HitResponse::kContinue;
  }
  return reportHit(candidate, context_.callbacks->blocks, candidate.type);
}

HitResponse Dispatcher::reportEntity(Candidate& candidate) {
  if (context_.entities.find(candidate.entity) == nullptr) return HitResponse::kContinue;
  return reportHit(candidate, context_.callbacks->entities, candidate.entity_class);
}

template <class Key>
HitResponse Dispatcher::reportHit(const Candidate& candidate, const CallbackTable<Key>& callbacks,
                                  Key key) {
  const std::size_t index = result_.hits.size();
  if (index - hits_before_ >= context_.options.max_hits) {
    result_.truncated = true;
    return HitResponse::kStop;
  }
  Hit hit = context_.hitOf(candidate);
  growForOne(result_.hits);
  if (context_.options.rules != nullptr && !hit.terminal) charge(hit);
  result_.hits.push_back(hit);
  const bool has_effects = context_.mayCallEffects();
  const HitResponse response =
      has_effects ? callEffects(hit, callbacks, key) : HitResponse::kContinue;
  const bool has_moved = has_effects && hasFrameMoved();
  if (has_moved) status_ = frameHasMoved();
  const bool is_open = response == HitResponse::kAgain && !has_moved && isOpen(hit);
  const bool is_terminal = (hit.terminal && !is_open) || response == HitResponse::kStop;
  result_.hits[index].terminal = is_terminal;
  stream_.shot().looks_again = response == HitResponse::kAgain;
  if (!is_terminal) return has_moved ? HitResponse::kStop : response;
  result_.terminated = true;
  end_ = candidate.time;
  return HitResponse::kStop;
}

template <class Key>
HitResponse Dispatcher::callEffects(const Hit& hit, const CallbackTable<Key>& callbacks, Key key) {
  stream_.awaitEdits();
  const auto& visitor = context_.options.on_hit;
  const HitResponse of_visitor = visitor ? visitor(hit) : HitResponse::kContinue;
  if (visitor && hasFrameMoved()) return of_visitor;
  return stronger(of_visitor, callbacks.callEffect(key, hit));
}

bool Dispatcher::isOpen(const Hit& hit) const {
  if (!hit.isBlock() || context_.kindOf(hit.type) != BlockKind::kSolid) return false;
  const Chunk* const chunk = context_.world.chunk(hit.level, chunkOf(hit.block));
  if (chunk == nullptr) return true;
  const int index = indexInChunk(hit.block);
  if (context_.kindOf(hit.level, *chunk, index) != BlockKind::kSolid) return true;
  if (chunk->block(index) == hit.type) return false;
  // A block that the filter rejects is not there, even if it is solid.
  const absl::StatusOr<Candidate> found = candidateFromHit(hit, context_);
  if (!found.ok()) return false;
  Candidate now = *found;
  now.type = chunk->block(index);
  // A shape that the line enters later is found again.
  if (context_.shapeOf(now.type) != context_.shapeOf(hit.type)) {
    const std::optional<HitTime> enter = enterTime(context_, now);
    if (!enter.has_value() || *enter > now.time) return true;
  }
  return !context_.classifyBlock(now, BlockKind::kSolid);
}

void Dispatcher::charge(Hit& hit) {
  const TerminalRule* rule = costOf(context_, hit);
  TerminalRule of_pane;
  const bool continues_pane = rule != nullptr && continuesPane(*rule, hit);
  if (continues_pane) {
    of_pane = *rule;
    of_pane.per_hit = 0;
    rule = &of_pane;
  }
  if (charges_ != nullptr) noteCharge(hit, rule, continues_pane);
  if (rule == nullptr) return;
  if (!spending_.has_value()) spending_ = spendingOf(result_);
  const InsideHit inside(context_, hit);
  result_.stopped_at = spend(*rule, inside.geometry(), context_.line.lengthBlocks(), *spending_);
  if (result_.stopped_at.has_value()) result_.stopped_at = inside.timeOf(*result_.stopped_at);
  putSpending(*spending_, static_cast<std::size_t>(rule->budget), result_);
  hit.terminal = result_.stopped_at.has_value();
  if (charges_ == nullptr) return;
  Charge& charge = charges_->back();
  charge.is_too_much = hit.terminal;
  if (!hit.terminal) charge.left = (*result_.budgets)[charge.budget];
}

bool Dispatcher::continuesPane(const TerminalRule& rule, const Hit& hit) {
  if (!rule.per_pane || !hit.isBlock()) return false;
  if (!panes_.has_value()) panes_.emplace(context_, context_.after, result_.hits);
  return panes_->takeBlock(hit);
}

void Dispatcher::noteCharge(const Hit& hit, const TerminalRule* charged, bool continues_pane) {
  const TerminalRule& rule = ruleOf(context_, hit);
  if (rule.kind != TerminalRule::Kind::kCost) return;
  Charge& charge = charges_->emplace_back();
  charge.hit = result_.hits.size();
  charge.budget = static_cast<std::size_t>(rule.budget);
  charge.left = (*result_.budgets)[charge.budget];
  charge.continues_pane = continues_pane;
  if (charged == nullptr) return;
  const HitGeometry inside = InsideHit(context_, hit).geometry();
  charge.cost = amountOf(*charged, inside, context_.line.lengthBlocks());
}

absl::Status frameHasMoved() {
  return absl::FailedPreconditionError(
      "the frame has moved since the query began, and its line is of the frame before the move; "
      "convert the line by WindowMove::frame_move, and query again");
}

void startResult(const QueryContext& context, ShotResult& result) {
  result.hits.clear();
  startSummary(context, std::nullopt, result);
}

absl::Status dispatch(const QueryContext& context, CandidateStream& stream, ShotResult& result,
                      std::vector<Charge>* charges) {
  return Dispatcher(context, stream, result, charges).run();
}

namespace {

// Returns true if the block of a direct search is the only hit of a shot, and nothing is called for
// it; or, if there is no block, if there is no hit.
bool isWholeAnswer(const QueryContext& context, const DirectResult& direct) {
  if (!direct.isDecided() || !direct.passed.empty()) return false;
  if (hitsEntities(context) || context.needsUnknown()) return false;
  if (!direct.isFound()) return true;
  const QueryOptions& options = context.options;
  return options.max_hits != 0 && !options.on_hit &&
         !context.callbacks->blocks.hasEffect(direct.block.type);
}

}  // namespace

bool answerDirectly(const QueryContext& context, PreparedShot& shot, DirectResult& direct,
                    ShotResult& result) {
  searchDirectly(context, direct, shot.passed, result.stats);
  if (direct.isFound() && !direct.block.is_solid) {
    result.stats = {};
    direct.leaveOthers();
  }
  if (!isWholeAnswer(context, direct)) return false;
  shot.start(context.line);
  result.terminated = direct.isFound();
  if (direct.isFound()) {
    setHit(context.line.segment(), direct.block, result.hits.emplace_back());
  }
  return true;
}

absl::Status runShot(const QueryContext& context, PreparedShot& shot, ShotResult& result,
                     std::vector<Charge>* charges) {
  startResult(context, result);
  DirectResult direct;
  if (answerDirectly(context, shot, direct, result)) return absl::OkStatus();
  CandidateStream stream(context, shot, result.stats);
  absl::Status status = stream.begin(direct);
  return status.ok() ? dispatch(context, stream, result, charges) : status;
}

namespace {

// Begins to resume a shot: sets everything in its result but its hits.
void restartSummary(const QueryContext& context, ShotResult& result) {
  // The options' budgets are those with which the whole shot started.
  std::optional<Spending> spending;
  if (result.budgets.has_value()) spending = spendingOf(result);
  startSummary(context, spending, result);
}

}  // namespace

absl::Status resumeShot(const QueryContext& context, PreparedShot& shot, ShotResult& result) {
  if (result.hits.empty()) {
    // A wrong `after` leaves the result as it is.
    if (!context.after.empty()) {
      const absl::StatusOr<Candidate> after = candidateFromHit(context.after.back(), context);
      if (!after.ok()) return after.status();
    }
    return runShot(context, shot, result);
  }
  const absl::StatusOr<Candidate> after = candidateFromHit(result.hits.back(), context);
  if (!after.ok()) return after.status();
  restartSummary(context, result);
  // The unknown is that of the whole shot.
  shot.start(context.line);
  CandidateStream stream(context, shot, result.stats);
  absl::Status status = stream.beginAfter(*after, shot.begin(), result.hits);
  return status.ok() ? dispatch(context, stream, result) : status;
}

absl::Status advanceShot(const QueryContext& context, TickRead read, PreparedShot& shot,
                         ShotResult& result) {
  if (read.until == 0 && result.hits.empty()) return runShot(context, shot, result);
  const HitTime begin(Fraction{read.until, kWholeLine});
  Candidate after = Candidate::endOf(begin);
  if (!result.hits.empty()) {
    absl::StatusOr<Candidate> last = candidateFromHit(result.hits.back(), context);
    if (!last.ok()) return last.status();
    if (read.until == 0 || comesBefore(after, *last))
      after = read.looks_again ? startOfAgain(context, shot, last->time) : *std::move(last);
  }
  // A shot that unloaded space stops waits there, and the next tick looks again.
  if (context.options.stop_at_unknown) read.unknown_before.reset();
  restartSummary(context, result);
  shot.start(context.line);
  shot.looks_again = read.looks_again;
  if (begin > shot.begin()) shot.resumes_at = begin;
  CandidateStream stream(context, shot, result.stats);
  absl::Status status = stream.beginAfter(after, shot.begin(), result.hits);
  if (status.ok()) status = dispatch(context, stream, result);
  if (read.unknown_before.has_value()) result.unknown_from = read.unknown_before;
  return status;
}

absl::Status continueShot(const QueryContext& context, bool looks_again, PreparedShot& shot,
                          ShotResult& result) {
  if (result.hits.empty()) return runShot(context, shot, result);
  absl::StatusOr<Candidate> after = candidateFromHit(result.hits.back(), context);
  if (!after.ok()) return after.status();
  shot.start(context.line);
  if (!context.after.empty()) {
    const absl::StatusOr<Candidate> begin = candidateFromHit(context.after.back(), context);
    if (!begin.ok()) return begin.status();
    shot.resumes_at = begin->time;
  }
  if (looks_again) after = startOfAgain(context, shot, after->time);
  shot.looks_again = looks_again;
  const SceneVersion version = result.version;
  std::vector<LevelSpan> spans = std::move(result.level_spans);
  restartSummary(context, result);
  result.version = version;
  result.level_spans = std::move(spans);
  CandidateStream stream(context, shot, result.stats);
  absl::Status status = stream.beginAfter(*after, shot.begin(), result.hits);
  if (!status.ok()) return status;
  Dispatcher dispatcher(context, stream, result);
  dispatcher.countAllHits();
  return dispatcher.run();
}

bool hasEffects(const QueryContext& context, std::span<const Candidate> candidates) {
  if (candidates.empty()) return false;
  if (context.options.on_hit) return true;
  return std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
    return candidate.isBlock() ? context.callbacks->blocks.hasEffect(candidate.type)
                               : context.callbacks->entities.hasEffect(candidate.entity_class);
  });
}

}  // namespace fractalray::internal
