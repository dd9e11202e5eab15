// SPDX-License-Identifier: Apache-2.0
// Which cells a walk visits when it crosses several grid planes at exactly the same time.
#pragma once

#include <array>
#include <cstdint>

namespace fractalray {

enum class CornerPolicy : std::uint8_t {
  kNeither,  // only the diagonal cell
  // All cells around the edge or vertex except for the one that the line leaves: first those for
  // which fewer axes are crossed, the diagonal cell last.
  kBoth,
  // One axis after another, x before y before z: not the same cells as on the way back, so not for
  // sight.
  kStaircase,
};

namespace internal {

// Returns the cells visited at a corner crossing of the axes in `tied` (bit i is axis i), each as
// the set of axes that have been crossed when it is reached: a list of nibbles, lowest first, ended
// by 0.
constexpr std::uint32_t cornerSteps(CornerPolicy policy, unsigned tied) {
  std::uint32_t steps = 0;
  int count = 0;
  const auto append = [&](unsigned crossed) { steps |= crossed << (4 * count++); };
  if (policy == CornerPolicy::kNeither) {
    append(tied);
  } else if (policy == CornerPolicy::kBoth) {
    // Smaller subsets first, then in axis order; the whole of `tied` comes last by itself.
    for (const unsigned subset : {1U, 2U, 4U, 3U, 5U, 6U, 7U}) {
      if ((subset & ~tied) == 0) append(subset);
    }
  } else {
    unsigned crossed = 0;
    for (const unsigned axis : {1U, 2U, 4U}) {
      if ((tied & axis) == 0) continue;
      crossed |= axis;
      append(crossed);
    }
  }
  return steps;
}

inline constexpr auto kCornerSteps = [] {
  std::array<std::array<std::uint32_t, 8>, 3> table{};
  for (unsigned policy = 0; policy < 3; ++policy) {
    for (unsigned tied = 1; tied < 8; ++tied) {
      table[policy][tied] = cornerSteps(static_cast<CornerPolicy>(policy), tied);
    }
  }
  return table;
}();

}  // namespace internal
}  // namespace fractalray
