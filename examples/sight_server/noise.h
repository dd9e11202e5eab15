// SPDX-License-Identifier: Apache-2.0
// Hashes of blocks, and noise.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace sight_server {

// Applies the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
constexpr std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

// Returns a number for a block: always the same for the same arguments.
constexpr std::uint64_t hashOf(std::uint64_t seed, std::int64_t x, std::int64_t y, std::int64_t z) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15U;
  std::uint64_t hash = mixed(seed + kGolden);
  for (const std::int64_t index : {x, y, z})
    hash = mixed(hash + kGolden + static_cast<std::uint64_t>(index));
  return hash;
}

// Returns value noise in [0, 1): random values at whole numbers, smoothly joined.
inline double noise(double x, double y, double z, std::uint64_t seed) {
  const std::array floors = {std::floor(x), std::floor(y), std::floor(z)};
  std::array shares = {x - floors[0], y - floors[1], z - floors[2]};
  for (double& share : shares)
    share = share * share * (3 - 2 * share);
  double sum = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    double weight = 1;
    std::array<std::int64_t, 3> at{};
    for (unsigned axis = 0; axis < 3; ++axis) {
      const unsigned is_far = (corner >> axis) & 1U;
      weight *= is_far != 0 ? shares[axis] : 1 - shares[axis];
      at[axis] = static_cast<std::int64_t>(floors[axis]) + is_far;
    }
    sum += weight * static_cast<double>(hashOf(seed, at[0], at[1], at[2]) >> 11U) * 0x1p-53;
  }
  return sum;
}

}  // namespace sight_server
