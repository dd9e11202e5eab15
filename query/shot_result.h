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
struct LevelSpan {
  int level = 0;
  double t0 = 0;
  double t1 = 1;
};

struct ShotResult {
  // The versions when the shot began: its effects may have changed both since.
  SceneVersion version;
  // The segment that was shot, in units; for a ray, the segment to which it was converted.
  FixedSegment segment;
  // Every hit in its order: by t; at equal t entities before blocks, then the finer level first,
  // then blocks in walk order and entities by id.
  std::vector<Hit> hits;
  // True if the last hit was terminal.
  bool terminated = false;
  // True if max_hits kept the result from reporting more.
  bool truncated = false;
  // If the shot has rules, the rest of each of their budgets; 0 for a budget that has ended the
  // shot.
  std::optional<Budgets> budgets;
  // For resume(shot, ...), in addition to `budgets`: the amounts with which the shot started, and
  // by how much its costs have exceeded them, within the slack of TerminalRules::spend().
  Budgets budgets_at_start{};
  Budgets overdrawn{};
  // If a budget has ended the shot, the t at which it was used up, at or inside the last hit.
  std::optional<double> stopped_at;
  // The first t, before the end of the shot, at which the line enters (or starts in) space where no
  // level of the mask has a loaded chunk; only if requested. With ShotOptions::after, the first
  // such t not earlier than that hit.
  std::optional<double> unknown_from;
  // For each level of the mask, the coarsest first, the part of the whole segment in the box of the
  // level's loaded chunks; levels that the segment misses are left out. Only if requested.
  std::vector<LevelSpan> level_spans;
  QueryStats stats;
};

// The first thing that a segment hits.
struct ClosestHit {
  SceneVersion version;
  // The segment of the query, in units.
  FixedSegment segment;
  // Empty if nothing is hit. `terminal` is true for a solid block.
  std::optional<Hit> hit;
  // The first t, before the hit (or the end of the line), at which the line enters (or starts in)
  // space where no level of the mask has a loaded chunk; only if requested.
  std::optional<double> unknown_from;
  QueryStats stats;
};

}  // namespace fractalray
