// SPDX-License-Identifier: Apache-2.0
// Dispatch: takes gathered candidates to callbacks and into the result, in order, in a world that
// the callbacks may change on the way.
#pragma once

#include <cstddef>
#include <optional>

#include "absl/status/status.h"
#include "fractalray/core/fraction.h"
#include "fractalray/query/gathering.h"
#include "fractalray/query/scene.h"
#include "fractalray/query/shot.h"

namespace fractalray::internal {

// Gathers and dispatches the whole shot. Requires: the scene has callbacks. `result` is filled
// anew, its memory reused; on an error it holds what was dispatched before it. An exception of a
// callback passes through.
absl::Status runShot(const Scene& scene, ShotScratch& scratch, ShotResult& result);

// The same in two parts, of which the first calls no effect.
struct BegunShot {
  // Whether a hit with an effect is next, for finishShot to go on at; else the shot is over.
  bool is_paused = false;
  std::size_t next = 0;  // that hit, in the scratch's candidates
  std::optional<Fraction> unknown{};
};

// Gathers, and puts into the result what comes before the first hit that has an effect. Changes
// nothing else, so that many shots may be begun at once; predicates and filters are asked.
absl::Status beginShot(const Scene& scene, ShotScratch& scratch, ShotResult& result,
                       BegunShot& begun);

// Dispatches the rest. Requires: is_paused, all as beginShot left it, and in the world as it is by
// now the gathering would come out the same.
absl::Status finishShot(const Scene& scene, ShotScratch& scratch, ShotResult& result,
                        const BegunShot& begun);

}  // namespace fractalray::internal
