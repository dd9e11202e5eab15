// SPDX-License-Identifier: Apache-2.0
// A set of levels that a query interacts with.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

#include "check.h"
#include "frame.h"
#include "units.h"

namespace fractalray {

// A set of levels 0 .. kMaxLevels - 1, as bits. A value type.
class LevelMask {
 public:
  constexpr LevelMask() = default;
  // Requires: every level in 0 .. kMaxLevels - 1.
  constexpr LevelMask(std::initializer_list<int> levels) {
    for (const int level : levels)
      add(level);
  }
  // Returns every level from `first` to `last`, inclusive.
  static constexpr LevelMask range(int first, int last) {
    LevelMask mask;
    for (int level = first; level <= last; ++level)
      mask.add(level);
    return mask;
  }
  // Returns the `count` levels from `level` on, toward the finer ones: level, level + 1, ...
  // Requires: count >= 0, and every one of them in 0 .. kMaxLevels - 1.
  static constexpr LevelMask from(int level, int count) {
    FRACTALRAY_DCHECK(level >= 0 && count >= 0 && count <= kMaxLevels - level, level, count);
    return range(level, level + count - 1);
  }
  static constexpr LevelMask all() { return range(0, kMaxLevels - 1); }

  constexpr void add(int level) {
    FRACTALRAY_DCHECK(level >= 0 && level < kMaxLevels, level);
    bits_ |= std::uint32_t{1} << level;
  }
  constexpr bool contains(int level) const {
    return level >= 0 && level < kMaxLevels && ((bits_ >> level) & 1) != 0;
  }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr int count() const { return std::popcount(bits_); }
  // Returns the members that are active in a frame.
  constexpr LevelMask activeIn(const Frame& frame) const {
    LevelMask mask;
    mask.bits_ = bits_ & ((std::uint32_t{1} << frame.levels()) - 1);
    return mask;
  }
  // Returns the members that `other` does not have.
  constexpr LevelMask without(LevelMask other) const {
    LevelMask mask;
    mask.bits_ = bits_ & ~other.bits_;
    return mask;
  }
  constexpr std::uint32_t bits() const { return bits_; }

  friend constexpr bool operator==(const LevelMask&, const LevelMask&) = default;
  friend constexpr LevelMask operator&(LevelMask a, LevelMask b) {
    a.bits_ &= b.bits_;
    return a;
  }
  friend constexpr LevelMask operator|(LevelMask a, LevelMask b) {
    a.bits_ |= b.bits_;
    return a;
  }

 private:
  std::uint32_t bits_ = 0;
};

// Parses "2-3,0": level numbers and inclusive ranges, separated by commas. Returns INVALID_ARGUMENT
// with the offending part for anything else.
absl::StatusOr<LevelMask> parseLevelMask(std::string_view text);
// Returns the shortest such text: "0,2-3"; "" for the empty mask.
std::string formatLevelMask(LevelMask mask);

}  // namespace fractalray
