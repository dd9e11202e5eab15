// SPDX-License-Identifier: Apache-2.0
// Boxes in units.
#pragma once

#include "vec.h"

namespace fractalray {

// An axis-aligned box, in units; its users say which of its faces it owns.
struct FixedBox {
  Vec3i min{};
  Vec3i max{};

  friend constexpr bool operator==(const FixedBox&, const FixedBox&) = default;
};

}  // namespace fractalray
