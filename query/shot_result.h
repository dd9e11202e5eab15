// SPDX-License-Identifier: Apache-2.0
// The answers of shots and of queries for the closest hit.
#pragma once

#include <optional>
#include <vector>

#include "../core/segment.h"
#include "hit.h"
#include "query_stats.h"
#include "terminal_rules.h"

namespace fractalray {

// The closed part of a segment in the box of a level's loaded chunks.
struct LevelPart {
  int level = 0;
  double t0 = 0;
  double t1 = 1;
};

struct ShotResult {
  // As the shot began: its effects may have changed both since.
  SceneVersion version;
  // The segment that was shot, in units; of a ray, the one that it became.
  FixedSegment segment;
  // Every hit in its order: by t; at equal t entities before blocks, then the finer level first,
  // then blocks in walk order and entities by id.
  std::vector<Hit> hits;
  // True if the last hit was terminal.
  bool terminated = false;
  // True if max_hits kept the result from reporting more.
  bool truncated = false;
  // If the shot has rules: what is left of each of their budgets; 0 of one that has ended it.
  std::optional<Budgets> budgets;
  // What resume(shot, ...) needs in addition: what the shot started with, and by how much costs
  // have exceeded it, within the slack of TerminalRules::spend().
  Budgets budgets_at_start{};
  Budgets overdrawn{};
  // If a budget has ended the shot: the t at which it was used up, at or inside of the last hit.
  std::optional<double> stopped_at;
  // The first t before the end just after which no level of the mask is loaded; only if asked for.
  // After a hit (ShotOptions::after) the first one not earlier than that.
  std::optional<double> unknown_from;
  // The levels of the mask whose bounds the whole segment runs through, the coarsest first.
  std::vector<LevelPart> level_parts;
  QueryStats stats;
};

// The first thing that a segment hits.
struct ClosestHit {
  SceneVersion version;
  // The segment asked for, in units.
  FixedSegment segment;
  // Empty if nothing is hit. `terminal` is true if it is a solid block.
  std::optional<Hit> hit;
  // The first t before the hit (or the end) just after which no level of the mask is loaded; only
  // if asked for.
  std::optional<double> unknown_from;
  QueryStats stats;
};

}  // namespace fractalray
