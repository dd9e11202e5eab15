// SPDX-License-Identifier: Apache-2.0
#include "first_hit.h"

#include <cstdint>
#include <optional>

#include "../../../core/check.h"
#include "../search/coverage.h"

namespace fractalray::internal {

namespace {

// Returns whether a line that nothing blocks from a time on (from its start if that is null) is
// known from there to its end.
absl::StatusOr<Occlusion> occlusionOfUnblocked(const QueryContext& context, const HitTime* begin,
                                               QueryStats& stats) {
  if (begin != nullptr && *begin == HitTime(context.line.end())) return Occlusion::kClear;
  // The time at which the unknown begins does not matter.
  if (endsOutsideBounds(context)) return Occlusion::kUnknown;
  const absl::StatusOr<std::optional<HitTime>> unknown = firstUnknown(
      context, begin != nullptr ? *begin : HitTime(), HitTime(context.line.end()), stats);
  if (!unknown.ok()) return unknown.status();
  return unknown->has_value() ? Occlusion::kUnknown : Occlusion::kClear;
}

}  // namespace

void FirstHit::setFull(const QueryContext& context, Hit& hit) const {
  FRACTALRAY_DCHECK(exists());
  if (is_direct_) return setHit(context.line.segment(), direct_.block, hit);
  hit = context.hitOf(*candidate_);
}

CompactHit FirstHit::compact(const QueryContext& context) const {
  FRACTALRAY_DCHECK(exists());
  if (!is_direct_) return toCompact(context.hitOf(*candidate_));
  return compactHitOf(direct_.block);
}

absl::Status closestHit(const QueryContext& context, PreparedShot& shot, FirstHit& found,
                        QueryStats& stats) {
  FRACTALRAY_DCHECK(context.mode == HitMode::kClosest, context.mode);
  shot.unknown.reset();
  if (!found.is_searched_) searchDirectly(context, found.direct_, stats);
  if (found.direct_.isDecided() && !context.needsUnknown() && !hitsEntities(context)) {
    found.is_direct_ = found.direct_.isFound();
    return absl::OkStatus();
  }
  absl::Status status = prepareFirst(context, found.direct_, shot, stats);
  if (!status.ok()) return status;
  found.candidate_ = shot.candidates().last();
  const bool is_block = found.candidate_ != nullptr && found.candidate_->isBlock();
  found.is_direct_ = is_block && found.direct_.isFound();
  return status;
}

absl::StatusOr<Occlusion> occluded(const QueryContext& context, PreparedShot& shot,
                                   FirstHit& blocker, QueryStats& stats) {
  FRACTALRAY_DCHECK(context.mode == HitMode::kAny, context.mode);
  if (!blocker.is_searched_) searchDirectly(context, blocker.direct_, stats);
  const DirectResult& direct = blocker.direct_;
  blocker.is_direct_ = direct.isFound();
  if (blocker.exists()) return Occlusion::kBlocked;
  std::optional<HitTime> begin;
  if (!direct.isDecided() || hitsEntities(context)) {
    absl::Status status = prepareFirst(context, direct, shot, stats);
    if (!status.ok()) return status;
    blocker.candidate_ = shot.candidates().last();
    if (blocker.exists()) return Occlusion::kBlocked;
    begin = shot.begin();
  }
  if (direct.block.is_line_loaded) return Occlusion::kClear;
  return occlusionOfUnblocked(context, begin.has_value() ? &*begin : nullptr, stats);
}

}  // namespace fractalray::internal
