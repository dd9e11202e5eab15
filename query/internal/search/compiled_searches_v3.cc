// SPDX-License-Identifier: Apache-2.0
#include "../../../core/internal/geometry/float_lanes_x86.h"
#include "../../../core/internal/geometry/path_lanes_x86.h"
#include "compiled_searches.h"

#ifdef FRACTALRAY_TARGET_V3

#define FRACTALRAY_TARGET FRACTALRAY_TARGET_V3
#include "direct_search_lanes.h"
#include "packet_search.h"

namespace fractalray::internal {

CompiledSearches searchesV3() {
  __builtin_cpu_init();
  const bool is_supported = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                            __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  if (!is_supported) return {};
  return {.direct = runDirectSearch<PathLanesV3>,
          .packet = runPacketSearch<PathLanesV3, FloatLanesV3>};
}

}  // namespace fractalray::internal

#else

namespace fractalray::internal {

CompiledSearches searchesV3() {
  return {};
}

}  // namespace fractalray::internal

#endif
