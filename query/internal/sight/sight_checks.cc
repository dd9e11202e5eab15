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
  const bool is_ordered =
      box.min[0] <= box.max[0] && box.min[1] <= box.max[1] && box.min[2] <= box.max[2];
  if (is_ordered && isInFrame(box.min) && isInFrame(box.max)) return absl::OkStatus();
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

// Returns the error to report of those of the elements of an array, with the element's name.
template <class Element, class Check>
absl::Status checkEach(std::span<const Element> elements, const std::string& name,
                       const Check& check) {
  absl::Status worst;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const absl::Status status = check(elements[i]);
    if (status.ok()) continue;
    const absl::Status named(status.code(),
                             absl::StrCat(name, "[", i, "]: ", std::string(status.message())));
    worst = errorToReport({worst, named});
  }
  return worst;
}

absl::Status checkEyes(std::span<const SightViewer> viewers) {
  const auto check_eye = [](const Vec3i& eye) { return checkPoint(eye, "the eye"); };
  return checkEach(viewers, "viewers", [&](const SightViewer& viewer) {
    return checkEach(viewer.eyes, "eyes", check_eye);
  });
}

absl::Status checkTableOptions(const SightTableOptions& options) {
  const Sight sight = options.if_undecided;
  if (sight != Sight::kHidden && sight != Sight::kVisible && sight != Sight::kUndecided) {
    return absl::InvalidArgumentError(absl::StrCat("if_undecided is ", static_cast<int>(sight),
                                                   "; it must be kHidden, kVisible or kUndecided"));
  }
  if (options.max_distance >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("max_distance is ", options.max_distance, " units; it must be 0 or more"));
}

}  // namespace

absl::Status checkSightQuery(const SightQuery& query) {
  return errorToReport(
      {checkPoint(query.eye, "the eye"), checkBox(query.box, "the box"), checkFlatness(query.box)});
}

absl::Status checkOccluders(std::span<const FixedBox> boxes) {
  return checkEach(boxes, "occluders",
                   [](const FixedBox& box) { return checkBox(box, "the occluder"); });
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

absl::Status checkSightTable(const ServiceState& state, std::span<const SightViewer> viewers,
                             std::span<const FixedBox> boxes, LevelMask levels,
                             const SightTableOptions& options) {
  const auto check_box = [](const FixedBox& box) {
    return errorToReport({checkBox(box, "the box"), checkFlatness(box)});
  };
  absl::Status status =
      errorToReport({checkLevels(levels, state.world.frame()),
                     checkChannel(options.each.filter.channel, state.world.blockTypes()),
                     checkOccluders(options.each.occluders), checkTableOptions(options),
                     checkEyes(viewers), checkEach(boxes, "boxes", check_box)});
  return status.ok() ? state.check({.levels = levels}, options.each.filter.channel) : status;
}

}  // namespace fractalray::internal
