// SPDX-License-Identifier: Apache-2.0
#include "fractalray/query/sight.h"

#include <optional>

#include "fractalray/query/known_part.h"

namespace fractalray::internal {

absl::Status findClosest(const Scene& scene, ShotScratch& scratch, ClosestHit& result) {
  result.segment = scene.line.segment();
  result.hit.reset();
  result.unknown_from.reset();
  result.stats = {};
  absl::Status status = gather(scene, nullptr, {}, scratch, result.stats);
  if (!status.ok()) return status;
  const Candidate* closest = scratch.candidates.empty() ? nullptr : &scratch.candidates.front();
  if (scene.options.report_unknown || scene.options.stop_at_unknown) {
    const HitTime end = closest == nullptr ? HitTime(Fraction::one()) : closest->time;
    const absl::StatusOr<std::optional<Fraction>> unknown =
        firstUnknown(scene, Fraction::zero(), end, result.stats);
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

absl::StatusOr<Occlusion> findOcclusion(const Scene& scene, ShotScratch& scratch) {
  QueryStats stats;
  absl::Status status = gather(scene, nullptr, {}, scratch, stats);
  if (!status.ok()) return status;
  if (!scratch.candidates.empty()) return Occlusion::kBlocked;
  // Here it does not matter where the unknown begins.
  if (isOutsideBounds(scene, scene.line.segment().to)) return Occlusion::kUnknown;
  const absl::StatusOr<std::optional<Fraction>> unknown =
      firstUnknown(scene, Fraction::zero(), HitTime(Fraction::one()), stats);
  if (!unknown.ok()) return unknown.status();
  return unknown->has_value() ? Occlusion::kUnknown : Occlusion::kClear;
}

}  // namespace fractalray::internal
