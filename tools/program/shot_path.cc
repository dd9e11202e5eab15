// SPDX-License-Identifier: Apache-2.0
#include "shot_path.h"

#include "absl/status/statusor.h"

namespace fractalray {

absl::Status shootPath(const RayQueryService& service, FixedSegment line, LevelMask levels,
                       QueryOptions options, int bounces,
                       absl::FunctionRef<void(const ShotResult&)> report) {
  Budgets left{};
  ShotResult shot;
  while (true) {
    absl::Status status = service.shootSegment(line, levels, options, shot);
    if (!status.ok()) return status;
    report(shot);
    const bool may_bounce = bounces-- > 0 && shot.terminated && !shot.stopped_at.has_value();
    if (!may_bounce || !shot.hits.back().face.exists()) return status;
    const absl::StatusOr<FixedSegment> image = service.reflect(line, shot.hits.back());
    if (!image.ok()) return image.status();
    line = *image;
    if (!shot.budgets.has_value()) continue;
    left = *shot.budgets;
    options.budgets = &left;
  }
}

}  // namespace fractalray
