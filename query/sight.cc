// SPDX-License-Identifier: Apache-2.0
#include "sight.h"

#include <cstdint>
#include <limits>

#include "../core/units.h"
#include "internal/sight/open_zones.h"
#include "internal/sight/sight_checks.h"
#include "internal/sight/sight_steps.h"

namespace fractalray {

absl::StatusOr<FixedBox> toFixedBox(const Bounds& box) {
  const absl::StatusOr<Vec3i> min = toUnits(box.min, "the box's min");
  const absl::StatusOr<Vec3i> max = toUnits(box.max, "the box's max");
  absl::Status status = errorToReport({min.status(), max.status()});
  if (!status.ok()) return status;
  return FixedBox{.min = *min, .max = *max};
}

absl::StatusOr<SightQuery> toSightQuery(const Vec3d& eye, const Bounds& box) {
  const absl::StatusOr<Vec3i> point = toUnits(eye, "the eye");
  const absl::StatusOr<FixedBox> units = toFixedBox(box);
  absl::Status status = errorToReport({point.status(), units.status()});
  if (!status.ok()) return status;
  return SightQuery{.eye = *point, .box = *units};
}

absl::StatusOr<bool> hides(std::span<const FixedBox> boxes, const SightQuery& query) {
  absl::Status status =
      errorToReport({internal::checkSightQuery(query), internal::checkOccluders(boxes)});
  if (!status.ok()) return status;
  if (internal::contains(query.box, query.eye)) return false;
  SightStats stats;
  internal::SightSteps steps(stats, std::numeric_limits<std::uint64_t>::max());
  internal::OpenZones zones;
  zones.begin(query);
  for (const FixedBox& box : boxes) {
    if (internal::hasInterior(box)) zones.cut({&box, 1}, 0, steps);
  }
  return zones.empty();
}

}  // namespace fractalray
