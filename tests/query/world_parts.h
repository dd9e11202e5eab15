// SPDX-License-Identifier: Apache-2.0
// Copies of a world and its entities, whole or in parts, as several processes have them: with the
// same blocks, shapes and ids, and with other handles.
#pragma once

#include <memory>
#include <vector>

#include "../../entities/entity_index.h"
#include "../../levels/world.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"

namespace fractalray::oracle {

// Returns a copy whose entities were added in another order.
std::unique_ptr<RandomScene> reordered(Rng& rng, const World& world, const EntityIndex& entities);

// Returns parts that together are the world: each chunk and each entity is in one of them or in
// several; perhaps all of the coarser levels are in every part. On several levels each part has an
// empty chunk for one that only others have, so that its coarser blocks defer.
std::vector<std::unique_ptr<RandomScene>> partsOf(Rng& rng, const World& world,
                                                  const EntityIndex& entities, int count);

}  // namespace fractalray::oracle
