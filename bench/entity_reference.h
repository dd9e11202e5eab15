// SPDX-License-Identifier: Apache-2.0
// The right answers: every entity against every segment, in integers. It knows nothing of indexes.
#pragma once

#include <vector>

#include "fractalray/bench/entity_scene.h"
#include "fractalray/bench/entity_system.h"
#include "fractalray/bench/rays.h"

namespace fractalray::bench {

std::vector<EntityAnswer> expectedAnswers(const EntityScene& scene, const Rays& rays);

}  // namespace fractalray::bench
