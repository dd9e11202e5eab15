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
  // The first of the hits that has an effect; nothing where none of them has.
  std::optional<std::size_t> first_effect{};
  // The exact time of the first place that is unknown, wherever the shot ends.
  std::optional<Fraction> unknown{};
};

// Gathers, and fills the result as if no hit had an effect: hit i is then of the scratch's
// candidate i. Changes nothing else, so that many shots may be begun at once; predicates and
// filters are asked.
absl::Status beginShot(const Scene& scene, ShotScratch& scratch, ShotResult& result,
                       BegunShot& begun);

// Goes on behind a hit of such a shot whose effect has been called and does not end it, in the
// world as it is by now. `result` is as beginShot has left it but for what is behind that hit: hits
// and ends that have been taken back. `scratch` has the candidates behind it.
absl::Status finishShot(const Scene& scene, ShotScratch& scratch, ShotResult& result,
                        const BegunShot& begun);

}  // namespace fractalray::internal
