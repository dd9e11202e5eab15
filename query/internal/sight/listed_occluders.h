// SPDX-License-Identifier: Apache-2.0
// The occluders of a query of sight that are boxes of their own: those of its options, and
// entities.
#pragma once

#include <span>

#include "../../../core/fixed_box.h"
#include "sight_memory.h"
#include "sight_scope.h"
#include "sight_steps.h"

namespace fractalray::internal {

// Collects these occluders into memory.listed, and returns them: those that have an interior and do
// not leave themselves out. Cost: a search of the index in the hull of eye and box, if box entities
// occlude, whose steps are counted.
std::span<const FixedBox> listOccluders(const SightScope& scope, SightMemory& memory,
                                        SightSteps& steps);

}  // namespace fractalray::internal
