// SPDX-License-Identifier: Apache-2.0
// A hash that is the same on every machine, by every compiler and in every run: of what processes
// compare and files keep. Not for tables in memory, and not safe against deliberate collisions.
#pragma once

#include <cstdint>
#include <string_view>

#include "../vec.h"

namespace fractalray::internal {

// Returns the 64-bit FNV-1a hash of a text.
constexpr std::uint64_t stableHashOf(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : text) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3U;
  }
  return hash;
}

// Hashes numbers, vectors and texts in their order: multiply and shift, as in SplitMix64.
class StableHash {
 public:
  constexpr void add(std::uint64_t value) {
    state_ = (state_ ^ value) + 0x9e3779b97f4a7c15U;
    state_ = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9U;
    state_ = (state_ ^ (state_ >> 27)) * 0x94d049bb133111ebU;
    state_ ^= state_ >> 31;
  }
  constexpr void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
  constexpr void add(std::string_view text) { add(stableHashOf(text)); }
  template <class Tag>
  constexpr void add(const Vec<std::int64_t, 3, Tag>& vector) {
    for (const std::int64_t component : vector.values)
      add(component);
  }
  constexpr std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace fractalray::internal
