// SPDX-License-Identifier: Apache-2.0
// The width of a unit, and the rounding of real numbers to units. Light: for the headers that do
// without Abseil; units.h has the checks.
#pragma once

#include <cstdint>

#include "../check.h"

namespace fractalray {

// A finest-level block is this many units wide.
inline constexpr std::int64_t kUnitsPerBlock = 65536;
// The largest absolute coordinate, in units: differences fit 63 bits, products of two of them
// signed 128 bits.
inline constexpr std::int64_t kMaxCoordinate = std::int64_t{1} << 61;

// Returns the nearest integer, halves away from zero. The same in every rounding mode, and without
// a call of the mathematics library. Requires: |value| < 2^62.
inline std::int64_t roundedToInteger(double value) {
  FRACTALRAY_DCHECK(value > -0x1p62 && value < 0x1p62, value);
  // Exact: a difference of numbers less than one apart.
  const auto towards_zero = static_cast<std::int64_t>(value);
  const double rest = value - static_cast<double>(towards_zero);
  return towards_zero + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
}

// Returns the nearest unit to `blocks` finest-block widths, halves away from zero; the same in
// every rounding mode. Requires: |blocks| < 2^46.
inline std::int64_t roundedUnits(double blocks) {
  FRACTALRAY_DCHECK(blocks > -0x1p46 && blocks < 0x1p46, blocks);
  // Exact: a multiplication by a power of two.
  return roundedToInteger(blocks * static_cast<double>(kUnitsPerBlock));
}

}  // namespace fractalray
