// SPDX-License-Identifier: Apache-2.0
// The share of a box's points that lie in open directions.
#pragma once

#include "../../../core/fixed_box.h"
#include "open_zones.h"

namespace fractalray::internal {

// Bounds of a share, multiples of 2^-30.
struct ShareBounds {
  double from = 0;
  double to = 0;
};

// Returns bounds of the share, by volume or, for a box that is flat, by area, of the points of the
// box that lie in the zones. They are the same in every build: each step is one rounding of IEEE
// doubles. If the rounding of many zones would leave more than 2^-20 between the bounds, it takes
// finer numbers, and some twenty times as long. Requires: the zones are of this box.
ShareBounds visibleShare(const OpenZones& zones, const FixedBox& box);

}  // namespace fractalray::internal
