// SPDX-License-Identifier: Apache-2.0
// The last stage of a shot: takes prepared candidates to callbacks and into the result, in order,
// in a world that the callbacks may change between two hits.
//
// Single shots, batches, resume and explain all end here; nothing else calls an effect. A candidate
// is judged again as the world is when it is reported:
//
//   candidate -- block as it is now --> gone, defers, refused by a filter: skipped
//             -- entity removed ------> skipped
//             -- max_hits reached ----> the shot is truncated
//             -- costs a budget ------> terminal if the budget does not cover it
//             -- effects -------------> terminal if on_hit or the callback returns kStop; not
//                                       terminal if kAgain, of a solid block that is open now
//
// If the candidate that was to end the shot does not, the rest of the shot is prepared again after
// it, in the world as it is now. If a callback returns kAgain, everything is that comes at its time
// or later and has not been hit.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/status.h"

#include "../shot_result.h"
#include "prepared_shot.h"
#include "query_context.h"

namespace fractalray::internal {

// What a hit was charged by a terminal rule.
struct Charge {
  std::size_t hit = 0;  // its index in the result
  std::size_t budget = 0;
  double cost = 0;  // 0 of a block that is only touched, and whose rule exempts that
  double left = 0;  // after it; before it, if that was too little
  bool is_too_much = false;
};

// Empties a result and sets what holds before the first hit: versions, segment, budgets and level
// parts. Requires: the context has callbacks.
void startResult(const QueryContext& context, ShotResult& result);

// Reports the candidates of a prepared shot, and what has to be prepared after them. `result` has
// been started, and has the stats of the preparation. On an error it holds what was reported before
// it. Notes what hits were charged in `charges` if it is not null. An exception of a callback
// passes through.
absl::Status dispatch(const QueryContext& context, PreparedShot& shot, ShotResult& result,
                      std::vector<Charge>* charges = nullptr);

// Starts, prepares and dispatches a whole shot.
absl::Status runShot(const QueryContext& context, PreparedShot& shot, ShotResult& result);

// Resumes a shot after its last hit: keeps its hits, hits none of their entities again, and
// appends; a shot without hits is run again. max_hits counts what is appended; everything else in
// `result` describes the whole shot. INVALID_ARGUMENT, and no change, for a hit that is not of the
// line.
absl::Status resumeShot(const QueryContext& context, PreparedShot& shot, ShotResult& result);

// Returns true if any of the candidates has an effect to be called.
bool hasEffects(const QueryContext& context, const CandidateList& candidates);

}  // namespace fractalray::internal
