// SPDX-License-Identifier: Apache-2.0
#include "../../../core/internal/geometry/float_lanes_x86.h"
#include "../../../core/internal/geometry/path_lanes_x86.h"
#include "compiled_searches.h"

#ifdef FRACTALRAY_TARGET_V4

#define FRACTALRAY_TARGET FRACTALRAY_TARGET_V4
#include "direct_search_lanes.h"
#include "packet_search.h"

namespace fractalray::internal {

CompiledSearches searchesV4() {
  __builtin_cpu_init();
  const bool is_supported =
      searchesV3().packet != nullptr && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (!is_supported) return {};
  return {.direct = runDirectSearch<PathLanesV4>,
          .packet = runPacketSearch<PathLanesV4, FloatLanesV3>};
}

}  // namespace fractalray::internal

#else

namespace fractalray::internal {

CompiledSearches searchesV4() {
  return {};
}

}  // namespace fractalray::internal

#endif
