// SPDX-License-Identifier: Apache-2.0
#include "first_block_v3.h"

#include "../../core/check.h"
#include "../../core/internal/geometry/path_lanes_x86.h"

#ifdef FRACTALRAY_TARGET_V3

#define FRACTALRAY_TARGET FRACTALRAY_TARGET_V3
#include "first_block_search.h"

namespace fractalray::internal {

bool isV3Supported() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

FRACTALRAY_TARGET_V3 FirstBlock::Outcome findFirstBlockV3(const QueryContext& context,
                                                          FirstBlock& found, QueryStats& stats) {
  return searchFirstBlock<PathLanesV3>(context, found, stats);
}

}  // namespace fractalray::internal

#else

namespace fractalray::internal {

bool isV3Supported() {
  return false;
}

FirstBlock::Outcome findFirstBlockV3(const QueryContext& context, FirstBlock& found,
                                     QueryStats& stats) {
  FRACTALRAY_CHECK(isV3Supported());
  return findFirstBlock(context, found, stats);
}

}  // namespace fractalray::internal

#endif
