// SPDX-License-Identifier: Apache-2.0
// The answers of lines of sight.
#pragma once

#include <cstdint>
#include <optional>

#include "hit.h"
#include "query_stats.h"

namespace fractalray {

// The answer of a line of sight.
enum class Occlusion : std::uint8_t {
  kClear,
  kBlocked,
  kUnknown,  // nothing known blocks it, but part of it runs where no level of the mask is loaded
};

// The answer of a line of sight and its cost.
struct OcclusionResult {
  SceneVersion version;
  Occlusion occlusion = Occlusion::kUnknown;
  // A hit that blocks the line, if there is one and the options request it: any one, not
  // necessarily the nearest (use closestHit() with filter.solid_only for that).
  std::optional<Hit> blocker;
  QueryStats stats;
};

}  // namespace fractalray
