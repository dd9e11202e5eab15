// SPDX-License-Identifier: Apache-2.0
// Conversions of 128-bit integers.
#pragma once

#include <cstdint>
#include <limits>

#include "absl/numeric/int128.h"

namespace fractalray::internal {

// Converts to double as absl does, but without a call of the mathematics library if 64 bits hold
// the value.
inline double toDouble(absl::int128 value) {
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  if (value <= kMax && value >= -kMax) return static_cast<double>(static_cast<std::int64_t>(value));
  return static_cast<double>(value);
}

}  // namespace fractalray::internal
