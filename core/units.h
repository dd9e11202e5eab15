// SPDX-License-Identifier: Apache-2.0
// Units: the integers in which everything is decided. Reals enter here, once, and are checked.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/numeric/int128.h"
#include "absl/status/statusor.h"
#include "fractalray/core/vec.h"

namespace fractalray {

// A finest-level block is this many units wide.
inline constexpr std::int64_t kUnitsPerBlock = 65536;
// The largest absolute coordinate, in units: differences fit 63 bits, products of two of them
// signed 128 bits.
inline constexpr std::int64_t kMaxCoordinate = std::int64_t{1} << 61;
// Blocks along the edge of a chunk.
inline constexpr std::int64_t kChunkSize = 16;
inline constexpr int kMaxLevels = 10;

// The nearest unit to `blocks` finest-block widths, halves away from zero. `what` names the
// quantity in the error. INVALID_ARGUMENT for NaN and infinity, OUT_OF_RANGE beyond kMaxCoordinate.
absl::StatusOr<std::int64_t> unitsFromBlocks(double blocks, std::string_view what);
// The same for each component of a point.
absl::StatusOr<Vec3i> unitsFromBlocks(const Vec3d& blocks, std::string_view what);

// In finest-block widths, rounded to the nearest double.
inline double blocksFromUnits(std::int64_t units) {
  return static_cast<double>(units) / static_cast<double>(kUnitsPerBlock);
}
inline Vec3d blocksFromUnits(const Vec3i& units) {
  return {blocksFromUnits(units[0]), blocksFromUnits(units[1]), blocksFromUnits(units[2])};
}

// Quotients rounded down and up, for a positive divisor.
constexpr std::int64_t floorDiv(std::int64_t value, std::int64_t divisor) {
  const std::int64_t quotient = value / divisor;
  return quotient - ((value % divisor) < 0 ? 1 : 0);
}
constexpr std::int64_t ceilDiv(std::int64_t value, std::int64_t divisor) {
  const std::int64_t quotient = value / divisor;
  return quotient + ((value % divisor) > 0 ? 1 : 0);
}
inline absl::int128 floorDiv(absl::int128 value, absl::int128 divisor) {
  const absl::int128 quotient = value / divisor;
  return (value % divisor) < 0 ? quotient - 1 : quotient;
}
inline absl::int128 ceilDiv(absl::int128 value, absl::int128 divisor) {
  const absl::int128 quotient = value / divisor;
  return (value % divisor) > 0 ? quotient + 1 : quotient;
}

}  // namespace fractalray
