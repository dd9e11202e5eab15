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

// The answer of a line of sight.
enum class Occlusion : std::uint8_t {
  kClear,
  kBlocked,
  kUnknown,  // nothing known blocks it, but part of it runs where no level of the mask is loaded
};

struct OcclusionOptions {
  // Selects the things that can block: solid blocks of its channel, and entities if
  // `entities_block` is set as well. Permeable blocks never block.
  QueryFilter filter{};
  bool entities_block = false;
  CornerPolicy corner = CornerPolicy::kBoth;
  // Requests OcclusionResult::blocker; in a batch, OcclusionBatch::blockers.
  bool report_blocker = false;
  // Resumes after the last of these hits: nothing up to it blocks, nor does any entity among them.
  // As in ShotOptions.
  std::span<const Hit> after{};
  // The most steps (see QueryStats) that the query may take; beyond, it ends with
  // RESOURCE_EXHAUSTED.
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
  // For a batch, the most steps of all its queries together; as in ShotOptions.
  std::uint64_t max_batch_steps = std::numeric_limits<std::uint64_t>::max();
  SearchPass pass = SearchPass::kFast;
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
