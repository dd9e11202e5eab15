// SPDX-License-Identifier: Apache-2.0
#include "first_hit.h"

#include <optional>

#include "../../core/check.h"
#include "coverage.h"

namespace fractalray::internal {

namespace {

using Outcome = FirstBlock::Outcome;

// Searches for the first block directly, if the query can be searched so.
void searchDirectly(const QueryContext& context, DirectSearch& direct, QueryStats& stats) {
  if (canSearchDirectly(context)) direct.outcome = findFirstBlock(context, direct.block, stats);
}

}  // namespace

absl::Status findClosest(const QueryContext& context, PreparedShot& shot, ClosestHit& result) {
  FRACTALRAY_DCHECK(context.mode == HitMode::kClosest, context.mode);
  result.version = context.version();
  result.segment = context.line.segment();
  result.unknown_from.reset();
  result.stats = {};
  DirectSearch direct;
  searchDirectly(context, direct, result.stats);
  if (direct.outcome != Outcome::kUnclear && !context.needsUnknown() && !hitsEntities(context)) {
    if (direct.outcome == Outcome::kFound) {
      result.hit = context.hitOf(direct.block);
    } else {
      result.hit.reset();
    }
    return absl::OkStatus();
  }
  absl::Status status = prepareFirst(context, direct, shot, result.stats);
  // Reset only here: it may be the hit after which the query resumes.
  result.hit.reset();
  if (!status.ok()) return status;
  if (shot.unknown.has_value()) result.unknown_from = shot.unknown->toDouble();
  const Candidate* const closest = shot.candidates().last();
  if (closest != nullptr) result.hit = context.hitOf(*closest);
  return absl::OkStatus();
}

absl::StatusOr<Occlusion> findOcclusion(const QueryContext& context, PreparedShot& shot,
                                        QueryStats& stats, std::optional<Hit>* blocker) {
  FRACTALRAY_DCHECK(context.mode == HitMode::kAny && context.options.filter.solid_only,
                    context.mode);
  stats = {};
  DirectSearch direct;
  searchDirectly(context, direct, stats);
  if (direct.outcome == Outcome::kFound) {
    if (blocker != nullptr) *blocker = context.hitOf(direct.block);
    return Occlusion::kBlocked;
  }
  absl::Status status = prepareFirst(context, direct, shot, stats);
  if (!status.ok()) return status;
  if (const Candidate* const found = shot.candidates().last(); found != nullptr) {
    if (blocker != nullptr) *blocker = context.hitOf(*found);
    return Occlusion::kBlocked;
  }
  const HitTime end(context.line.end());
  if (shot.begin() == end) return Occlusion::kClear;
  // The time at which the unknown begins does not matter.
  if (!context.line.endsEarly() && isOutsideBounds(context, context.line.segment().to))
    return Occlusion::kUnknown;
  const absl::StatusOr<std::optional<HitTime>> unknown =
      firstUnknown(context, shot.begin(), end, stats);
  if (!unknown.ok()) return unknown.status();
  return unknown->has_value() ? Occlusion::kUnknown : Occlusion::kClear;
}

}  // namespace fractalray::internal
