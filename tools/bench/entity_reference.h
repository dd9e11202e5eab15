// SPDX-License-Identifier: Apache-2.0
// The right answers: every entity against every segment, in integers. Uses no index.
#pragma once

#include <vector>

#include "entity_scene.h"
#include "entity_system.h"
#include "rays.h"

namespace fractalray::bench {

std::vector<EntityAnswer> expectedAnswers(const EntityScene& scene, const Rays& rays);

}  // namespace fractalray::bench
