// SPDX-License-Identifier: Apache-2.0
#include "hit_cursor_state.h"

#include <utility>

#include "../../core/internal/access.h"
#include "../../entities/internal/entity_store.h"
#include "search/coverage.h"
#include "shot/resume_point.h"

namespace fractalray::internal {

HitCursorState::HitCursorState(const ServiceState& service, const Query& query,
                               QueryOptions options)
    : service_(service),
      options_(std::move(options)),
      context_(contextOf(query)),
      stream_(context_, shot_, result_.stats),
      dispatcher_(context_, stream_, result_) {}

QueryContext HitCursorState::contextOf(const Query& query) const {
  QueryContext context = service_.shotContext(query, options_);
  context.calls_effects = false;
  return context;
}

HitCursorState::~HitCursorState() {
  const bool has_ended = is_at_end_ || !result_.hits.empty();
  if (service_.observer != nullptr && has_ended && !is_in_call_) observe();
}

HitCursorState::Scene HitCursorState::scene() const {
  return {.version = service_.version(),
          .callback_changes = service_.callbacks.changes(),
          .entity_refinements = Access::store(service_.entities).refinements()};
}

absl::Status HitCursorState::begin() {
  seen_ = scene();
  first_version_ = seen_.version;
  startResult(context_, result_);
  return stream_.begin();
}

absl::Status HitCursorState::beginAgain() {
  seen_ = scene();
  result_.version = seen_.version;
  findLevelSpans(context_, result_.level_spans);
  if (result_.hits.empty()) return stream_.begin();
  const absl::StatusOr<Candidate> last = candidateFromHit(result_.hits.back(), context_);
  if (!last.ok()) return last.status();
  dispatcher_.beginAfter(*last);
  return dispatcher_.status();
}

absl::StatusOr<const Hit*> HitCursorState::next() {
  if (is_in_call_) {
    return absl::FailedPreconditionError(
        "the cursor is finding a hit already, or an exception of a filter or a terminal test has "
        "ended it: make another one");
  }
  is_in_call_ = true;
  absl::StatusOr<const Hit*> hit = findNext();
  is_in_call_ = false;
  is_at_end_ = hit.ok() && *hit == nullptr;
  return hit;
}

absl::StatusOr<const Hit*> HitCursorState::findNext() {
  if (dispatcher_.hasFrameMoved()) return frameHasMoved();
  if (!dispatcher_.status().ok()) return dispatcher_.status();
  if (result_.truncated) return nullptr;
  if (scene() != seen_) {
    // Hits that were settled before the steps ran out may be gone.
    if (!stream_.status().ok()) return stream_.status();
    if (result_.terminated) {
      if (!dispatcher_.isOpen(result_.hits.back())) return nullptr;
      result_.terminated = false;
      result_.hits.back().terminal = false;
    }
    if (absl::Status status = beginAgain(); !status.ok()) return status;
  }
  if (result_.terminated) return nullptr;
  const std::size_t hits = result_.hits.size();
  while (dispatcher_.reportNext() && result_.hits.size() == hits) {
  }
  absl::Status status = dispatcher_.finish();
  if (!status.ok()) return status;
  return result_.hits.size() > hits ? &result_.hits.back() : nullptr;
}

void HitCursorState::endAtLastHit() {
  Hit& last = result_.hits.back();
  if (last.terminal) return;
  last.terminal = true;
  result_.terminated = true;
  // The search for the unknown may have been ahead of the hit, or have failed since.
  const absl::StatusOr<Candidate> end = candidateFromHit(last, context_);
  const bool is_before = end.ok() && shot_.unknown.has_value() && *shot_.unknown < end->time;
  if (!is_before) result_.unknown_from.reset();
}

void HitCursorState::observe() {
  if (!is_at_end_) endAtLastHit();
  // The steps of the calls together need not be those of one shot.
  options_.max_steps = QueryOptions().max_steps;
  service_.observer->onQuery(
      {.query = {.segment = context_.line.segment(), .levels = context_.levels},
       .verb = QueryVerb::kShoot,
       .options = options_,
       .version = first_version_,
       .has_edited = result_.version != first_version_},
      observed(absl::OkStatus(), result_));
}

}  // namespace fractalray::internal
