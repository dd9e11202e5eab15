// SPDX-License-Identifier: Apache-2.0
// Lines of sight: options and answers.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "../core/corner_policy.h"
#include "hit.h"
#include "query_filter.h"
#include "query_stats.h"
#include "shot_options.h"

namespace fractalray {

// Whether anything stands between two points.
enum class Occlusion : std::uint8_t {
  kClear,
  kBlocked,
  kUnknown,  // nothing known blocks it, but part of it runs where no level of the mask is loaded
};

struct OcclusionOptions {
  // What can block the sight: solid blocks of its channel, and entities if `entities_block` is set
  // as well. Permeable blocks never do.
  QueryFilter filter{};
  bool entities_block = false;
  CornerPolicy corner = CornerPolicy::kBoth;
  // Asks for OcclusionResult::blocker; of a batch for OcclusionBatch::blockers.
  bool report_blocker = false;
  // Only what follows the last of these hits blocks, and none of their entities; as in ShotOptions.
  std::span<const Hit> after{};
  // The most steps (see QueryStats) that the query may take; past them it is RESOURCE_EXHAUSTED.
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
  // Of a batch: the most steps of all its queries together; as in ShotOptions.
  std::uint64_t max_batch_steps = std::numeric_limits<std::uint64_t>::max();
  SearchPass pass = SearchPass::kFast;
};

// The answer of a line of sight and its cost.
struct OcclusionResult {
  SceneVersion version;
  Occlusion occlusion = Occlusion::kUnknown;
  // What blocks the line, and where, if something does and the options ask for it: any one thing
  // that does, not the nearest (that is closestHit() with filter.solid_only).
  std::optional<Hit> blocker;
  QueryStats stats;
};

}  // namespace fractalray
