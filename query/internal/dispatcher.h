// SPDX-License-Identifier: Apache-2.0
// Dispatch: takes gathered candidates to callbacks and into the result, in order, in a world that
// the callbacks may change on the way.
#pragma once

#include <cstddef>
#include <optional>

#include "absl/status/status.h"

#include "../../core/internal/geometry/hit_time.h"
#include "../shot.h"
#include "candidate_collector.h"
#include "query_context.h"

namespace fractalray::internal {

// Gathers and dispatches the whole shot. Requires: the scene has callbacks. `result` is filled
// anew, its memory reused; on an error it holds what was dispatched before it. An exception of a
// callback passes through.
absl::Status runShot(const Scene& scene, ShotScratch& scratch, ShotResult& result);

// Goes on with a shot behind its last hit, from the scene's own beginning where it has none: keeps
// its hits, meets none of their entities again, and appends. max_hits is for what is appended. All
// else of `result` is told anew. INVALID_ARGUMENT, and no change, for a hit that is not of the
// scene's line.
absl::Status resumeShot(const Scene& scene, ShotScratch& scratch, ShotResult& result);

// The same in two parts, of which the first calls no effect.
struct BegunShot {
  // The first of the hits that has an effect; nothing where none of them has.
  std::optional<std::size_t> first_effect{};
  // What is unknown is looked for from `begin` on, or from the start; the first such place,
  // wherever the shot ends.
  std::optional<HitTime> begin{};
  std::optional<HitTime> unknown{};

  // Makes it as new. Times are large, and few shots have them.
  void reset() {
    first_effect.reset();
    begin.reset();
    unknown.reset();
  }
};

// Gathers, and fills the result as if no hit had an effect: hit i is then of the scratch's
// candidate i. Changes nothing else, so that many shots may be begun at once; predicates and
// filters are asked.
absl::Status beginShot(const Scene& scene, ShotScratch& scratch, ShotResult& result,
                       BegunShot& begun);

// Goes on behind a hit of such a shot whose effect has been called and does not end it, in the
// world as it is by now. `result` is as beginShot has left it but for what is behind that hit:
// hits, ends and budgets that have been taken back. `scratch` has the candidates behind it.
absl::Status finishShot(const Scene& scene, ShotScratch& scratch, ShotResult& result,
                        const BegunShot& begun);

}  // namespace fractalray::internal
