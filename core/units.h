// SPDX-License-Identifier: Apache-2.0
// Units: the integers on which every decision is made. Real numbers enter here, once, and are
// checked.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "arithmetic/fixed_point.h"  // IWYU pragma: export
#include "arithmetic/floor_div.h"    // IWYU pragma: export
#include "vec.h"

namespace fractalray {

// Blocks along the edge of a chunk.
inline constexpr std::int64_t kChunkSize = 16;
inline constexpr int kMaxLevels = 10;

// toUnits() and toBlocks() convert everything that has a size or a position: numbers and points
// here, segments (segment.h) and shapes (entities/shape.h).

// Returns the nearest unit to `blocks` finest-block widths, as roundedUnits() does. `what` names
// the quantity in the error. INVALID_ARGUMENT for NaN and infinity, OUT_OF_RANGE beyond
// kMaxCoordinate.
absl::StatusOr<std::int64_t> toUnits(double blocks, std::string_view what);
// Rounds each component of a point likewise.
absl::StatusOr<Vec3i> toUnits(const Vec3d& blocks, std::string_view what = "the position");
// Returns the error to report for several values: the first INVALID_ARGUMENT, which wins over
// OUT_OF_RANGE; else the first error; OK if there is none.
absl::Status errorToReport(std::initializer_list<absl::Status> statuses);

// Returns finest-block widths, rounded to the nearest double.
inline double toBlocks(std::int64_t units) {
  return static_cast<double>(units) / static_cast<double>(kUnitsPerBlock);
}
inline Vec3d toBlocks(const Vec3i& units) {
  return {toBlocks(units[0]), toBlocks(units[1]), toBlocks(units[2])};
}

}  // namespace fractalray
