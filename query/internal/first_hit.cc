// SPDX-License-Identifier: Apache-2.0
#include "first_hit.h"

#include <optional>

#include "../../core/check.h"
#include "coverage.h"

namespace fractalray::internal {

absl::Status findClosest(const QueryContext& context, PreparedShot& shot, ClosestHit& result) {
  FRACTALRAY_DCHECK(context.mode == HitMode::kClosest, context.mode);
  result.version = context.version();
  result.segment = context.line.segment();
  result.unknown_from.reset();
  result.stats = {};
  absl::Status status = prepareFirst(context, shot, result.stats);
  // Reset only here: it may be the hit after which the query resumes.
  result.hit.reset();
  if (!status.ok()) return status;
  if (shot.unknown.has_value()) result.unknown_from = shot.unknown->toDouble();
  const Candidate* const closest = shot.candidates().last();
  if (closest != nullptr) result.hit = context.hitOf(*closest);
  return absl::OkStatus();
}

absl::StatusOr<Occlusion> findOcclusion(const QueryContext& context, PreparedShot& shot,
                                        QueryStats& stats) {
  FRACTALRAY_DCHECK(context.mode == HitMode::kAny && context.options.filter.solid_only,
                    context.mode);
  stats = {};
  absl::Status status = prepareFirst(context, shot, stats);
  if (!status.ok()) return status;
  if (!shot.candidates().empty()) return Occlusion::kBlocked;
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
