// SPDX-License-Identifier: Apache-2.0
// Dispatch: takes gathered candidates to callbacks and into the result, in order, in a world that
// the callbacks may change on the way.
#pragma once

#include "absl/status/status.h"
#include "fractalray/query/gathering.h"
#include "fractalray/query/scene.h"
#include "fractalray/query/shot.h"

namespace fractalray::internal {

// Gathers and dispatches the whole shot. Requires: the scene has callbacks. `result` is filled
// anew, its memory reused; on an error it holds what was dispatched before it. An exception of a
// callback passes through.
absl::Status runShot(const Scene& scene, ShotScratch& scratch, ShotResult& result);

}  // namespace fractalray::internal
