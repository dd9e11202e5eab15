// SPDX-License-Identifier: Apache-2.0
#include "sight.h"

#include <cstdint>
#include <limits>

#include "absl/strings/str_cat.h"

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

namespace {

absl::Status checkMargin(std::int64_t margin) {
  if (margin >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the margin is ", margin, " units; it must be 0 or more"));
}

// Returns the box with a margin on each side, or, of a negative one, without it.
FixedBox widened(const FixedBox& box, std::int64_t margin) {
  const Vec3i all{margin, margin, margin};
  return {.min = box.min - all, .max = box.max + all};
}

}  // namespace

absl::StatusOr<bool> hides(std::span<const FixedBox> boxes, const SightQuery& query,
                           std::int64_t margin) {
  absl::Status status = errorToReport(
      {internal::checkSightQuery(query), internal::checkOccluders(boxes), checkMargin(margin)});
  if (!status.ok()) return status;
  // Eye and box that move past the boxes are the same as an eye that rests, and a box and boxes
  // that move: the box stays within a wider one, and the boxes keep their insides.
  SightQuery wide = query;
  if (margin <= kMaxCoordinate) wide.box = widened(query.box, margin);
  if (margin > kMaxCoordinate || !internal::checkSightQuery(wide).ok()) {
    return absl::OutOfRangeError(absl::StrCat("the box with a margin of ", margin,
                                              " units is not within the frame; use a smaller one"));
  }
  if (internal::contains(wide.box, wide.eye)) return false;
  SightStats stats;
  internal::SightSteps steps(stats, std::numeric_limits<std::uint64_t>::max());
  internal::OpenZones zones;
  zones.begin(wide);
  for (const FixedBox& box : boxes) {
    const FixedBox inside = widened(box, -margin);
    if (internal::hasInterior(inside)) zones.cut({&inside, 1}, 0, steps);
  }
  return zones.empty();
}

}  // namespace fractalray
