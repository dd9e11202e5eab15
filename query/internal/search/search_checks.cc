// SPDX-License-Identifier: Apache-2.0
#include "search_checks.h"

#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"

#include "../../../core/internal/number_text.h"
#include "../../../core/units.h"
#include "../../../entities/internal/rounded_box.h"

namespace fractalray::internal {

absl::StatusOr<std::int64_t> unitsFromLength(double blocks, std::string_view what) {
  if (std::isnan(blocks) || blocks < 0) {
    return absl::InvalidArgumentError(absl::StrCat(std::string(what), " is ",
                                                   std::isnan(blocks) ? "NaN" : numberText(blocks),
                                                   "; it must be 0 or more, or infinite"));
  }
  if (blocks >= 0x1p47) return RoundedBox::kUnlimited;
  // Beyond 2^37 widths a double is a whole number of units.
  if (blocks >= 0x1p40) {
    return static_cast<std::int64_t>(blocks * static_cast<double>(kUnitsPerBlock));
  }
  return roundedUnits(blocks);
}

absl::Status checkSearchBox(const Vec3d& min, const Vec3d& max) {
  for (int axis = 0; axis < 3; ++axis) {
    if (min[axis] <= max[axis]) continue;
    const absl::string_view name = axisName(axis);
    return absl::InvalidArgumentError(absl::StrCat("the box's min.", name, " is ",
                                                   numberText(min[axis]), ", above its max.", name,
                                                   ", ", numberText(max[axis])));
  }
  return absl::OkStatus();
}

}  // namespace fractalray::internal
