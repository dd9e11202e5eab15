// SPDX-License-Identifier: Apache-2.0
#include "sight.h"

#include "../core/units.h"

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

}  // namespace fractalray
