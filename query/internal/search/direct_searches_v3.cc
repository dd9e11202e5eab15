// SPDX-License-Identifier: Apache-2.0
#include "../../../core/internal/geometry/float_lanes_x86.h"
#include "../../../core/internal/geometry/path_lanes_x86.h"
#include "direct_searches.h"

#ifdef FRACTALRAY_TARGET_V3

#define FRACTALRAY_TARGET FRACTALRAY_TARGET_V3
#include "first_block_search.h"
#include "packet_search.h"

namespace fractalray::internal {

DirectSearches searchesV3() {
  __builtin_cpu_init();
  const bool is_supported = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                            __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  if (!is_supported) return {};
  return {.first_block = searchFirstBlock<PathLanesV3>,
          .packet = searchPacket<PathLanesV3, FloatLanesV3>};
}

}  // namespace fractalray::internal

#else

namespace fractalray::internal {

DirectSearches searchesV3() {
  return {};
}

}  // namespace fractalray::internal

#endif
