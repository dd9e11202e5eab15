// SPDX-License-Identifier: Apache-2.0
// The options of all queries along a line: shots, closest hits and lines of sight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "../core/corner_policy.h"
#include "callbacks.h"
#include "hit.h"
#include "query_filter.h"
#include "terminal_rules.h"

namespace fractalray {

// The algorithm that finds blocks and entities. All passes give the same answer; they differ in
// cost.
enum class SearchPass : std::uint8_t {
  kFast,   // whole chunks and bricks at once, by their occupancy
  kPlain,  // block by block: the reference with which the fast pass is compared in tests
};

// The defaults are a bullet that hits every entity and every block that is not empty, up to the
// first solid block; and a line of sight that solid blocks occlude. Each verb says which members it
// ignores.
struct QueryOptions {
  QueryFilter filter{};
  // Lets entities occlude a line of sight; other queries ignore it. Whatever the filter says, only
  // solid blocks do.
  bool entities_block = false;
  // Selects the blocks hit by a line that runs exactly through a corner or along an edge.
  CornerPolicy corner = CornerPolicy::kBoth;
  // Requests OcclusionResult::blocker of a line of sight, or OcclusionBatch::blockers; other
  // queries ignore it.
  bool report_blocker = false;
  // Resumes after the last of these hits: the query hits only what follows it in the order of hits,
  // and no entity among them again. They are hits of this line under this corner policy; empty for
  // a query from the start. The hits must outlive the query, and may lie in the result
  // that it fills.
  std::span<const Hit> after{};
  // Recognizes the entities of earlier hits, those of `after` and of a result that is resumed, by
  // their ids in place of their handles, which are of one index: for hits of another process, or of
  // another index. An entity that was removed and added again with its id is then the same one.
  bool after_by_id = false;
  // Called for every hit of this shot, in order, before the callback registered for the block type
  // or entity class; the shot ends if either returns kStop. Not called by queries for the closest
  // hit.
  HitEffect on_hit{};
  // Rules that end the shot, or charge for continuing, in addition to callbacks: a hit is terminal
  // if any of these ends the shot. A rule is applied before the effect of the hit is called. The
  // rules must outlive the query, and not change while it runs.
  const TerminalRules* rules = nullptr;
  // The amounts of the rules' budgets with which the shot starts; if null, those of the rules. Not
  // those of the result that the query fills: copy them.
  const Budgets* budgets = nullptr;
  // The maximum number of hits, the nearest ones; the result is `truncated` if more would have
  // followed.
  std::size_t max_hits = std::numeric_limits<std::size_t>::max();
  // `report_unknown` sets unknown_from in the result. `stop_at_unknown` sets it too, and ends the
  // shot there; hits at exactly that t still count.
  bool report_unknown = false;
  bool stop_at_unknown = false;
  // Sets level_spans in the result of a shot: on each level, the part of the line in the box of the
  // loaded chunks.
  bool report_level_spans = false;
  // The most steps (see QueryStats) that the query may take; beyond, it ends with
  // RESOURCE_EXHAUSTED.
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
  // For a batch, the most steps that all its queries may take together, in their order; see
  // batch.h. Ignored by single queries.
  std::uint64_t max_batch_steps = std::numeric_limits<std::uint64_t>::max();
  SearchPass pass = SearchPass::kFast;
};

}  // namespace fractalray
