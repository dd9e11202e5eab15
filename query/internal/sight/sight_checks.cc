// SPDX-License-Identifier: Apache-2.0
#include "sight_checks.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

#include "../../../core/internal/number_text.h"
#include "../../../core/units.h"
#include "../search/query_checks.h"

namespace fractalray::internal {
namespace {

absl::Status checkOrder(const FixedBox& box, std::string_view what) {
  for (int axis = 0; axis < 3; ++axis) {
    if (box.min[axis] <= box.max[axis]) continue;
    const absl::string_view name = axisName(axis);
    return absl::InvalidArgumentError(absl::StrCat(std::string(what), "'s min.", name, " is ",
                                                   box.min[axis], " units, above its max.", name,
                                                   ", ", box.max[axis], "; exchange them"));
  }
  return absl::OkStatus();
}

absl::Status checkBox(const FixedBox& box, const std::string& what) {
  return errorToReport({checkPoint(box.min, what + "'s min"), checkPoint(box.max, what + "'s max"),
                        checkOrder(box, what)});
}

// A point or a line has no solid angle.
absl::Status checkFlatness(const FixedBox& box) {
  std::string flat;
  for (int axis = 0; axis < 3; ++axis) {
    if (box.min[axis] == box.max[axis]) absl::StrAppend(&flat, axisName(axis));
  }
  if (flat.size() <= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the box has no width along the axes ", flat,
                   "; it may be flat on one axis (ask occluded() whether a point is in sight)"));
}

}  // namespace

absl::Status checkSightQuery(const SightQuery& query) {
  return errorToReport(
      {checkPoint(query.eye, "the eye"), checkBox(query.box, "the box"), checkFlatness(query.box)});
}

absl::Status checkOccluders(std::span<const FixedBox> boxes) {
  absl::Status worst;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const absl::Status status = checkBox(boxes[i], "the occluder");
    if (status.ok()) continue;
    const absl::Status named(status.code(),
                             absl::StrCat("occluders[", i, "]: ", std::string(status.message())));
    worst = errorToReport({worst, named});
  }
  return worst;
}

absl::Status checkSight(const ServiceState& state, const SightQuery& query, LevelMask levels,
                        const SightOptions& options) {
  absl::Status status =
      errorToReport({checkSightQuery(query), checkLevels(levels, state.world.frame()),
                     checkChannel(options.filter.channel, state.world.blockTypes()),
                     checkOccluders(options.occluders)});
  // Its line is right, so this checks only the depth of nesting.
  return status.ok() ? state.check({.levels = levels}, options.filter.channel) : status;
}

}  // namespace fractalray::internal
