// SPDX-License-Identifier: Apache-2.0
// Conversions of 128-bit integers.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "absl/numeric/int128.h"

namespace fractalray::internal {

// Returns the nearest double, the even one on a tie. The conversion of absl::int128 would make
// answers depend on the compiler: under g++ it converts two halves, and so rounds twice.
inline double toDouble(absl::int128 value) {
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  if (value <= kMax && value >= -kMax) return static_cast<double>(static_cast<std::int64_t>(value));
  const auto bits = static_cast<absl::uint128>(value);
  const absl::uint128 magnitude = value < 0 ? -bits : bits;
  const auto high = absl::Uint128High64(magnitude);
  const int shift = static_cast<int>(std::bit_width(high)) + 1;
  // The highest 63 bits; the lowest one also stands for all that are cut off.
  auto kept = static_cast<std::int64_t>(absl::Uint128Low64(magnitude >> shift));
  if ((static_cast<absl::uint128>(kept) << shift) != magnitude) kept |= 1;
  // 2^shift, which is a double.
  const auto scale = std::bit_cast<double>(static_cast<std::uint64_t>(1023 + shift) << 52);
  const double rounded = static_cast<double>(kept) * scale;
  return value < 0 ? -rounded : rounded;
}

}  // namespace fractalray::internal
