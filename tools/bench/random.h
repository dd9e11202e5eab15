// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every machine: all scenes and rays are made of these.
#pragma once

#include <cstdint>

namespace fractalray::bench {

// Applies the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

// Returns a number for a cell: always the same for the same arguments.
constexpr std::uint64_t hashCell(std::uint64_t seed, std::int64_t x, std::int64_t y,
                                 std::int64_t z) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15U;
  std::uint64_t hash = mix(seed + kGolden);
  hash = mix(hash + kGolden + static_cast<std::uint64_t>(x));
  hash = mix(hash + kGolden + static_cast<std::uint64_t>(y));
  return mix(hash + kGolden + static_cast<std::uint64_t>(z));
}

// Returns the upper 53 bits as a number in [0, 1).
constexpr double toUnitInterval(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

// SplitMix64.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15U); }
  // Draws a number in [0, 1).
  constexpr double real() { return toUnitInterval(next()); }
  // Draws a number in [min, max].
  constexpr std::int64_t between(std::int64_t min, std::int64_t max) {
    return min + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(max - min + 1));
  }

 private:
  std::uint64_t state_;
};

}  // namespace fractalray::bench
