// SPDX-License-Identifier: Apache-2.0
// Worlds of the library as worlds of the C interface.
#pragma once

#include <memory>

#include "../../../entities/entity_index.h"
#include "../../../levels/world.h"
#include "../fractalray_c.h"

namespace fractalray::capi {

// Returns a world that shows these parts, for frDestroyWorld. Functions that would change it are
// FR_FAILED_PRECONDITION; the parts may be changed while no query runs. Requires: the index has the
// frame of the world. Throws std::bad_alloc.
frWorld* viewOf(std::shared_ptr<const World> world, std::shared_ptr<const EntityIndex> entities);

}  // namespace fractalray::capi
