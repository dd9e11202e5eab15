// SPDX-License-Identifier: Apache-2.0
#include "../../core/internal/geometry/path_lanes_x86.h"
#include "first_block_x86.h"

#ifdef FRACTALRAY_TARGET_V3

#define FRACTALRAY_TARGET FRACTALRAY_TARGET_V3
#include "first_block_search.h"

namespace fractalray::internal {

FindFirstBlock firstBlockV3() {
  __builtin_cpu_init();
  const bool is_supported = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                            __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  return is_supported ? searchFirstBlock<PathLanesV3> : nullptr;
}

}  // namespace fractalray::internal

#else

namespace fractalray::internal {

FindFirstBlock firstBlockV3() {
  return nullptr;
}

}  // namespace fractalray::internal

#endif
