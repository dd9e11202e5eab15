// SPDX-License-Identifier: Apache-2.0
// The name of boxes in units within the library.
#pragma once

#include "../../fixed_box.h"  // IWYU pragma: export

namespace fractalray::internal {

using UnitBox = FixedBox;

}  // namespace fractalray::internal
