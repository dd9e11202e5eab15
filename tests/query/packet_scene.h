// SPDX-License-Identifier: Apache-2.0
// Rays from one eye in a hard scene: those of a camera, and those that are hard for a packet.
#pragma once

#include <vector>

#include "../../core/segment.h"
#include "../oracle/rng.h"
#include "hard_scene.h"

namespace fractalray::oracle {

// Returns up to `most` rays from one point, at least one, towards points near each other: a unit, a
// fraction of a block or many blocks apart, on the corners of blocks or anywhere, of different
// lengths. Some end early; a few have no length, another start, or run elsewhere.
std::vector<FixedSegment> raysOfEye(Rng& rng, const HardScene& scene, int most);

}  // namespace fractalray::oracle
