// SPDX-License-Identifier: Apache-2.0
// The options of shots and of queries for the closest hit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>

#include "../core/corner_policy.h"
#include "hit.h"
#include "query_filter.h"
#include "terminal_rules.h"

namespace fractalray {

// What a callback wants of the shot.
enum class HitResponse : std::uint8_t {
  kContinue,
  kStop,
  // Continues in the world as it is now: what has been found ahead is discarded, and the shot hits
  // what is there at the time of this hit or later, but nothing twice. So it flies on through what
  // the callback has opened, and hits what it has put there. A solid block does not end the shot if
  // it is gone, no longer solid, or expanded by now.
  kAgain,
};

// How blocks are found. Every pass gives the same answer; they differ in cost.
enum class SearchPass : std::uint8_t {
  kFast,   // whole chunks and bricks at once, by their occupancy
  kPlain,  // block by block: the reference that the fast pass is tested against
};

// The defaults are a plain bullet that hits everything.
struct ShotOptions {
  QueryFilter filter{};
  // Which blocks a line hits that runs exactly through a corner or along an edge.
  CornerPolicy corner = CornerPolicy::kBoth;
  // Resumes after a hit: only what follows the last of these in the order of hits, and none of
  // their entities again. They are hits of this segment under this corner policy; empty for a query
  // from the start. They must outlive the query, and may lie in the result that it fills.
  std::span<const Hit> after{};
  // Called for every hit of this shot, in order, before the callback registered for what was hit;
  // the shot ends if either returns kStop. Not called by queries for the closest hit.
  std::function<HitResponse(const Hit&)> on_hit{};
  // Where the shot ends, and what it costs to continue, in addition to what callbacks say: a hit is
  // terminal if any of them says so. A rule is asked before the effect of the hit. Must stay as it
  // is, and outlive the query.
  const TerminalRules* rules = nullptr;
  // What the shot starts with of the rules' budgets; their own amounts if it is null.
  const Budgets* budgets = nullptr;
  // At most this many hits, the nearest; the result then says `truncated` if more would have
  // followed.
  std::size_t max_hits = std::numeric_limits<std::size_t>::max();
  // Asks for `unknown_from`, and to stop there: hits at exactly that t still count.
  bool report_unknown = false;
  bool stop_at_unknown = false;
  // The most steps (see QueryStats) that the query may take; past them it is RESOURCE_EXHAUSTED.
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
  // Of a batch: the most steps that all its queries may take together, in their order; see batch.h.
  // No matter to single queries.
  std::uint64_t max_batch_steps = std::numeric_limits<std::uint64_t>::max();
  SearchPass pass = SearchPass::kFast;
};

}  // namespace fractalray
