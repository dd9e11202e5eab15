// SPDX-License-Identifier: Apache-2.0
// Boxes in units.
#pragma once

#include "../../vec.h"

namespace fractalray::internal {

// A box in units; its users say which of its faces it owns.
struct UnitBox {
  Vec3i min;
  Vec3i max;
};

}  // namespace fractalray::internal
