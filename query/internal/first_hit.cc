// SPDX-License-Identifier: Apache-2.0
#include "first_hit.h"

#include <optional>

#include "coverage.h"
#include "resume_point.h"

namespace fractalray::internal {
namespace {

// Gathers what the query asks for. `begin` is when it begins: at the hit that it goes on behind, 0
// where there is none.
absl::Status gatherFrom(const Scene& scene, ShotScratch& scratch, QueryStats& stats,
                        HitTime& begin) {
  begin = HitTime();
  if (scene.after.empty()) return gather(scene, nullptr, {}, scratch, stats);
  const absl::StatusOr<Candidate> place = placeOf(scene.after.back(), scene);
  if (!place.ok()) return place.status();
  begin = place->time;
  return gather(scene, &*place, {}, scratch, stats);
}

HitTime endOfSegment() {
  return HitTime(Fraction::one());
}

}  // namespace

absl::Status findClosest(const Scene& scene, ShotScratch& scratch, ClosestHit& result) {
  result.version = scene.version();
  result.segment = scene.line.segment();
  result.unknown_from.reset();
  result.stats = {};
  HitTime begin;
  absl::Status status = gatherFrom(scene, scratch, result.stats, begin);
  // Not before: it may be the hit that the query goes on behind.
  result.hit.reset();
  if (!status.ok()) return status;
  const Candidate* closest = scratch.candidates.take(0);
  if (scene.options.report_unknown || scene.options.stop_at_unknown) {
    const HitTime end = closest == nullptr ? endOfSegment() : closest->time;
    const absl::StatusOr<std::optional<HitTime>> unknown =
        firstUnknown(scene, begin, end, result.stats);
    if (!unknown.ok()) return unknown.status();
    if (unknown->has_value()) {
      result.unknown_from = (*unknown)->toDouble();
      if (scene.options.stop_at_unknown) closest = nullptr;
    }
  }
  if (closest == nullptr) return absl::OkStatus();
  if (closest->isBlock()) {
    result.hit.emplace(scene.blockHit(*closest));
  } else {
    result.hit.emplace(scene.entityHit(*closest));
  }
  return absl::OkStatus();
}

absl::StatusOr<Occlusion> findOcclusion(const Scene& scene, ShotScratch& scratch,
                                        QueryStats& stats) {
  stats = {};
  HitTime begin;
  absl::Status status = gatherFrom(scene, scratch, stats, begin);
  if (!status.ok()) return status;
  if (!scratch.candidates.empty()) return Occlusion::kBlocked;
  if (begin == endOfSegment()) return Occlusion::kClear;
  // Here it does not matter where the unknown begins.
  if (isOutsideBounds(scene, scene.line.segment().to)) return Occlusion::kUnknown;
  const absl::StatusOr<std::optional<HitTime>> unknown =
      firstUnknown(scene, begin, endOfSegment(), stats);
  if (!unknown.ok()) return unknown.status();
  return unknown->has_value() ? Occlusion::kUnknown : Occlusion::kClear;
}

}  // namespace fractalray::internal
