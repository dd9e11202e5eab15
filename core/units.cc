// SPDX-License-Identifier: Apache-2.0
#include "units.h"

#include <cmath>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "internal/number_text.h"
#include "internal/units_in_frame.h"

namespace fractalray {

absl::StatusOr<std::int64_t> toUnits(double blocks, std::string_view what) {
  if (!std::isfinite(blocks)) {
    return absl::InvalidArgumentError(absl::StrCat(
        std::string(what), " is ", std::isnan(blocks) ? "NaN" : "infinite", "; it must be finite"));
  }
  // Beyond 2^37 widths a double is a whole number of units, so that nothing is rounded to the
  // limit.
  if (std::abs(blocks) * static_cast<double>(kUnitsPerBlock) >
      static_cast<double>(kMaxCoordinate)) {
    return absl::OutOfRangeError(
        absl::StrCat(std::string(what), " is ", internal::numberText(blocks),
                     " finest-block widths from the origin; the frame ends at ",
                     kMaxCoordinate / kUnitsPerBlock, " (2^45)"));
  }
  return roundedUnits(blocks);
}

absl::StatusOr<Vec3i> toUnits(const Vec3d& blocks, std::string_view what) {
  Vec3i units;
  if (internal::roundedWithin(internal::kFrameEndBlocks, blocks, units)) return units;
  const auto error = [&](int of) {
    return toUnits(blocks[of], absl::StrCat(std::string(what), ".", internal::axisName(of)))
        .status();
  };
  return errorToReport({error(0), error(1), error(2)});
}

absl::Status errorToReport(std::initializer_list<absl::Status> statuses) {
  absl::Status first;
  for (const absl::Status& status : statuses) {
    if (absl::IsInvalidArgument(status)) return status;
    first.Update(status);
  }
  return first;
}

}  // namespace fractalray
