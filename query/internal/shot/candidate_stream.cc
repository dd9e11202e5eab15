// SPDX-License-Identifier: Apache-2.0
#include "candidate_stream.h"

#include <algorithm>
#include <utility>

#include "absl/cleanup/cleanup.h"

#include "../../../core/check.h"
#include "../../../core/internal/access.h"
#include "../../../levels/internal/world_content.h"
#include "resume_point.h"

namespace fractalray::internal {
namespace {

constexpr std::size_t kAll = CandidateCollector::kNeverEnough;
constexpr std::uint64_t kNoLimit = CandidateCollector::kNoLimit;

// The factor by which a slice has more candidates, or steps, than the one before.
constexpr std::size_t kGrowth = 4;
// Descending the tree again costs little compared with this many candidates, which still fit in a
// core's cache; and compared with this many steps.
constexpr std::size_t kMostInSlice = 256;
constexpr std::uint64_t kMostSteps = 1024;
// The steps of each pass in the first slice, if steps are limited: most shots need no more.
constexpr std::uint64_t kFirstSteps = 64;

// Returns the number of candidates that each pass of the first slice is to find: as many as can be
// reported, and one more that shows if others would follow; a few if user code or a budget may end
// the shot at any of them.
std::size_t enoughAtFirst(const QueryContext& context) {
  if (!canPause(context.options.pass)) return kAll;
  const std::size_t most = context.options.max_hits;
  const std::size_t reported = most == kAll ? kAll : most + 1;
  const bool may_end_anywhere =
      !context.calls_effects || context.mayCallEffects() || context.hasRules();
  if (may_end_anywhere) return std::min(context.few, reported);
  return context.limitsSteps() ? std::min(kMostInSlice, reported) : reported;
}

}  // namespace

CandidateStream::CandidateStream(const QueryContext& context, PreparedShot& shot, QueryStats& stats)
    : context_(context), shot_(shot), stats_(stats) {
  FRACTALRAY_DCHECK(context.mode == HitMode::kAll);
}

absl::Status CandidateStream::begin(const DirectResult& direct) {
  shot_.start(context_.line);
  hits_ = nullptr;
  unknown_until_.reset();
  if (direct.has_others && !hitsEntities(context_)) {
    // The passes skip the blocks before the first one, which are empty.
    after_ = Candidate::startOf(HitTime(direct.block.enter));
    return beginSlices(&*after_);
  }
  if (context_.after.empty()) return beginSlices(nullptr, direct);
  FRACTALRAY_DCHECK(!direct.isDecided());
  absl::StatusOr<Candidate> after = candidateFromHit(context_.after.back(), context_);
  if (!after.ok()) return status_ = after.status();
  after_ = *std::move(after);
  shot_.resumes_at = after_->time;
  if (context_.needsUnknown()) unknown_until_ = after_->time;
  return beginSlices(&*after_);
}

absl::Status CandidateStream::beginAfter(const Candidate& after, const HitTime& unknown_from,
                                         const std::vector<Hit>& hits) {
  hits_ = &hits;
  hits_count_ = hits.size();
  after_ = after;
  if (context_.needsUnknown()) unknown_until_ = unknown_from;
  // Unknown space farther along may be loaded by now.
  if (shot_.unknown.has_value() && *shot_.unknown >= unknown_from) shot_.unknown.reset();
  return beginSlices(&*after_);
}

void CandidateStream::beginWith(std::span<const Candidate> candidates, bool ends_at_last,
                                const std::optional<Fraction>& horizon) {
  next_ = 0;
  has_settled_ = true;
  slices_.reset();
  if (horizon.has_value()) {
    // Empties the candidates.
    collector_.emplace(context_, nullptr, std::span<const Hit>(), shot_.memory, stats_);
  }
  shot_.candidates().assign(candidates, ends_at_last);
  if (horizon.has_value()) {
    enough_ = enoughAtFirst(context_);
    most_steps_ = context_.limitsSteps() ? kMostSteps : kNoLimit;
    openAllAt(context_, *horizon, slices_.emplace().progress);
  }
  unknown_until_ = readUntil();
}

absl::Status CandidateStream::beginSlices(const Candidate* after, const DirectResult& direct) {
  next_ = 0;
  has_settled_ = false;
  exception_ = nullptr;
  slices_.reset();
  const bool has_passes = !direct.isDecided() || hitsEntities(context_);
  enough_ = has_passes ? enoughAtFirst(context_) : kAll;
  const std::size_t more_than_passed = direct.passed.size() + 1;
  if (direct.isCut()) {
    enough_ = more_than_passed;
  } else if (enough_ != kAll) {
    enough_ = std::max(enough_, more_than_passed);
  }
  if (enough_ == kAll) {
    // Created here, where the compiler sees all of it, and without the members for slices.
    CandidateCollector collector(context_, after, earlierHits(), shot_.memory, stats_);
    runPasses(direct, collector);
    settleFirst(direct, collector);
    return statusOfBegin();
  }
  collector_.emplace(context_, after, earlierHits(), shot_.memory, stats_);
  slices_.emplace();
  most_steps_ = context_.limitsSteps() ? kFirstSteps : kNoLimit;
  collector_->beginSlice(slices_->slice, nullptr, nullptr, enough_, most_steps_);
  runFirstSlice(direct, *collector_, slices_->progress);
  settleFirst(direct, *collector_);
  return statusOfBegin();
}

const Candidate* CandidateStream::nextOfSlices() {
  while (status_.ok()) {
    if (exception_ != nullptr) std::rethrow_exception(std::exchange(exception_, nullptr));
    if (isComplete()) return nullptr;
    enough_ = std::min(enough_ * kGrowth, std::max(enough_, kMostInSlice));
    if (context_.limitsSteps()) most_steps_ = std::min(most_steps_ * kGrowth, kMostSteps);
    candidates().dropTaken(std::exchange(next_, 0));
    readSlice(enough_, most_steps_);
    if (const Candidate* const candidate = candidates().take(next_); candidate != nullptr) {
      ++next_;
      return candidate;
    }
  }
  return nullptr;
}

void CandidateStream::readSlice(std::size_t enough, std::uint64_t most_steps) {
  PassProgress& progress = slices_->progress;
  const Fraction from = *progress.horizon();
  const std::optional<Fraction> until = progress.nextAfter(from);
  const bool has_pending = candidates().size() > candidates().settled().size();
  finds_in_order_ = !has_pending && findsInOrder(progress, from);
  collector_->recountSteps();
  collector_->beginSlice(slices_->slice, &from, until.has_value() ? &*until : nullptr, enough,
                         most_steps);
  if (hits_ != nullptr) collector_->setHits(earlierHits());
  is_reading_ = true;
  const absl::Cleanup has_read = [this] { is_reading_ = false; };
  runNextSlice(*collector_, progress);
  settle(*collector_);
}

void CandidateStream::prepareForEdits() {
  // An effect may have loaded the first borrowed chunk of the world.
  if (!Access::content(context_.world).borrowed.empty()) return readAll();
  if (scope_.has_value()) return;
  frame_moves_ = context_.frameMoves();
  scope_.emplace(static_cast<LazyReader&>(*this));
}

void CandidateStream::readAll() noexcept {
  // Reached while reading only if a filter or a terminal test edits, which is forbidden.
  if (is_reading_) return;
  // With everything read, the world or the index may have been moved from.
  if (isComplete() || !status_.ok()) return;
  if (context_.frameMoves() != frame_moves_ && scope_.has_value()) return complete();
  try {
    do {
      readSlice(kAll, kNoLimit);
    } while (status_.ok() && !isComplete());
  } catch (...) {
    exception_ = std::current_exception();
    complete();
  }
}

void CandidateStream::settleFirst(const DirectResult& direct, CandidateCollector& collector) {
  if (!collector.status().ok()) [[unlikely]]
    finds_in_order_ = !direct.isDecided() && findsInOrder(context_);
  settle(collector);
}

void CandidateStream::settle(CandidateCollector& collector) {
  if (!collector.status().ok()) return settleUnfinished(collector);
  collector.cut();
  if (!isComplete() && collector.end().is_early) {
    slices_->progress.blocks.finishFrom(collector.end().time);
    slices_->progress.entities.finishFrom(collector.end().time);
  }
  const std::optional<Fraction> horizon = this->horizon();
  const bool is_first = !std::exchange(has_settled_, true);
  const std::size_t settled =
      horizon.has_value() ? candidates().settle(HitTime(*horizon)) : candidates().settleAll();
  // A single candidate needs no order.
  const bool is_ordered = settled > 1 || (settled == 1 && !is_first);
  if (is_ordered && !collector.spend(stats_.ordered, settled)) {
    status_ = collector.status();
    candidates().dropLast();  // a shot with an error has not ended
  }
  if (context_.needsUnknown()) findUnknownOfSlice();
}

void CandidateStream::settleUnfinished(CandidateCollector& collector) {
  status_ = collector.status();
  // Nothing is known of passes that have not run.
  if (!finds_in_order_) return;
  candidates().settleBeforeNewest();
  if (context_.needsUnknown()) findUnknownOfSlice();
}

HitTime CandidateStream::readUntil() {
  if (const std::optional<Fraction> horizon = this->horizon(); horizon.has_value())
    return HitTime(*horizon);
  const Candidate* const last = candidates().last();
  return last != nullptr ? last->time : HitTime(context_.line.end());
}

absl::Status CandidateStream::findUnknownToEnd() {
  return findUnknown(context_, unknown_until_.value_or(shot_.begin()), HitTime(context_.line.end()),
                     shot_, stats_);
}

void CandidateStream::findUnknownOfSlice() {
  const HitTime end = readUntil();
  const HitTime begin = unknown_until_.value_or(shot_.begin());
  HitTime known_until = begin;
  absl::Status status = findUnknown(context_, begin, end, shot_, stats_, &known_until);
  if (!status.ok()) {
    if (status_.ok()) status_ = std::move(status);
    return candidates().dropLater(known_until);
  }
  unknown_until_ = end;
  if (!shot_.unknown.has_value() || !context_.options.stop_at_unknown) return;
  candidates().dropLater(*shot_.unknown);
  complete();
}

std::span<const Hit> CandidateStream::earlierHits() const {
  return hits_ == nullptr ? std::span<const Hit>() : std::span(*hits_).first(hits_count_);
}

}  // namespace fractalray::internal
