// SPDX-License-Identifier: Apache-2.0
#include "../../core/internal/geometry/path_lanes_x86.h"
#include "first_block_x86.h"

#ifdef FRACTALRAY_TARGET_V4

#define FRACTALRAY_TARGET FRACTALRAY_TARGET_V4
#include "first_block_search.h"

namespace fractalray::internal {

FindFirstBlock firstBlockV4() {
  __builtin_cpu_init();
  const bool is_supported =
      firstBlockV3() != nullptr && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return is_supported ? searchFirstBlock<PathLanesV4> : nullptr;
}

}  // namespace fractalray::internal

#else

namespace fractalray::internal {

FindFirstBlock firstBlockV4() {
  return nullptr;
}

}  // namespace fractalray::internal

#endif
