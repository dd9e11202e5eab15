// SPDX-License-Identifier: Apache-2.0
// The answers of shots and of queries for the closest hit.
#pragma once

#include <optional>
#include <vector>

#include "../core/segment.h"
#include "answer.h"
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

struct ShotResult : Answer {
  // Every hit in its order: by t; at equal t entities before blocks, then the finer level first,
  // then blocks in walk order and entities by id.
  std::vector<Hit> hits;
  // For each level of the mask, the coarsest first, the part of the whole segment in the box of the
  // level's loaded chunks; levels that the segment misses are left out. Only if requested.
  std::vector<LevelSpan> level_spans;
  // For resume(shot, ...), in addition to `budgets`: the amounts with which the shot started, and
  // by how much its costs have exceeded them: by no more than 2^-30 of them.
  Budgets budgets_at_start{};
  Budgets overdrawn{};
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
